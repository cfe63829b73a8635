// What `ptx` and `sass` have in common: instructions that nvcc makes of the emitted CUDA, each with
// the line of CUDA that it is of, and by that the statement, the buffer and the line of the kernel.
// Where another compiler emitted PTX, its lines stand for those of the CUDA.
//
// A line of CUDA that calls a helper stands for what is inlined there: of the places that line
// information gives for an instruction the outermost counts.
#pragma once

#include "core/target/device_listing.h"
#include "core/views/buffer_names.h"
#include "core/views/view.h"

namespace tilescope {

struct ListingLine {
  std::string text;
  uint32_t cudaLine = 0; // from 1; 0: none is known
  uint32_t irLine = 0;   // of the last snapshot, from 1; 0: none
  StmtId stmt;
  KernelLine sourceLine;
  // At most one: the operand in shared memory, where the line of CUDA names a single buffer.
  std::vector<BufferSpan> names;
};

// PTX or SASS, as text with line information.
struct ListedCode {
  struct Line {
    std::string text;
    uint32_t cudaLine = 0;
    std::optional<TextSpan> sharedOperand; // bytes of `text`, of an access to shared memory
  };
  std::vector<Line> lines;
};

struct ListingView {
  std::string missing;  // why there is none; "": there is
  bool isOfPtx = false; // what the trace has of code is PTX, not CUDA
  std::vector<KernelResources> kernels;
  std::vector<ListingLine> lines;
  std::vector<NamedBuffer> namedBuffers; // of the last snapshot, by id
};

// "matmul_kernel: 223 registers of a thread, 8 bytes of spill stores, ..."
std::string textOf(const KernelResources &kernel);

// With what `code` is of. The trace has CUDA.
ListingView listingOf(const Trace &trace, const DeviceListing &listing, ListedCode code);
// Why there can be nothing; "": there can.
std::string whyNoListing(const Trace &trace, const DeviceListing &listing);

void print(const ListingView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, ListingLine &line) {
  archive("text", line.text);
  archive("cudaLine", line.cudaLine);
  archive("irLine", line.irLine);
  archive("stmt", line.stmt);
  lineFields(archive, line.sourceLine);
  archive("names", line.names);
}

template <typename Archive> void fields(Archive &archive, ListingView &view) {
  archive("missing", view.missing);
  archive("kernels", view.kernels);
  archive("lines", view.lines);
}

} // namespace tilescope
