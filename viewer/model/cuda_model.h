// Panel `cuda`: the emitted CUDA, each line with what it stands for.
#pragma once

#include "viewer/model/view.h"

namespace tilescope {

struct CudaViewLine {
  std::string text;
  StmtId stmt;
  uint32_t sourceLine = 0; // 0: none
  std::vector<BufferId> buffers;
};

struct CudaView {
  std::vector<CudaViewLine> lines;
};

CudaView buildCuda(const Trace &trace, const Selection &selection);
void print(const CudaView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, CudaViewLine &line) {
  archive("text", line.text);
  archive("stmt", line.stmt);
  archive("sourceLine", line.sourceLine);
  archive("buffers", line.buffers);
}

template <typename Archive> void fields(Archive &archive, CudaView &view) {
  archive("lines", view.lines);
}

} // namespace tilescope
