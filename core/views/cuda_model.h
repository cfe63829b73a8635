// Panel `cuda`: the emitted CUDA, each line with what it stands for and the shared buffers that it
// names.
#pragma once

#include "core/views/buffer_names.h"
#include "core/views/view.h"

namespace tilescope {

struct CudaViewLine {
  std::string text;
  StmtId stmt; // of the last snapshot
  KernelLine sourceLine;
  std::vector<BufferId> buffers; // shared ones that the line reads, writes or declares
  // Their names: a buffer has one, each slot that is known has one, and so has each slot that a
  // loop variable chooses. `version` is set for the second kind.
  std::vector<BufferSpan> names;
};

struct CudaView {
  std::string missing;    // why there is no CUDA; "": there is
  size_t firstKernel = 0; // index of the line that begins it; 0: there is none
  std::vector<CudaViewLine> lines;
  std::vector<NamedBuffer> namedBuffers; // of the last snapshot, by id
};

// The same after every pass.
CudaView buildCuda(const Trace &trace, const Selection &selection);
void print(const CudaView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, CudaViewLine &line) {
  archive("text", line.text);
  archive("stmt", line.stmt);
  lineFields(archive, line.sourceLine);
  archive("buffers", line.buffers);
  archive("names", line.names);
}

template <typename Archive> void fields(Archive &archive, CudaView &view) {
  archive("missing", view.missing);
  archive("lines", view.lines);
}

} // namespace tilescope
