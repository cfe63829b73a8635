#include "core/views/listing_lines.h"

#include "core/trace/missing_cuda.h"
#include "core/views/cuda_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <unordered_map>

namespace tilescope {

namespace {

// What all names of the line are of, if that is one buffer; its version, if that is one too. PTX
// has no names: what its line touches was recorded.
std::optional<BufferSpan> onlyBufferOf(const CudaViewLine &line, bool isPtx) {
  if (isPtx && line.buffers.size() == 1) {
    BufferSpan only;
    only.buffer = line.buffers.front();
    return only;
  }
  if (line.names.empty())
    return std::nullopt;
  BufferSpan only = line.names.front();
  for (const BufferSpan &name : line.names) {
    if (name.buffer != only.buffer)
      return std::nullopt;
    if (name.version != only.version || name.isComputed != only.isComputed) {
      only.version.reset();
      only.isComputed = true;
    }
  }
  return only;
}

std::string lineNumber(uint32_t number) { return number ? std::to_string(number) : ""; }

std::string bytesOf(int64_t bytes, llvm::StringRef what) {
  return bytes ? llvm::formatv("{0} bytes of {1}", bytes, what).str() : ("no " + what).str();
}

} // namespace

std::string textOf(const KernelResources &kernel) {
  std::string spills = kernel.spillBytes() == 0
                           ? "no spills"
                           : bytesOf(kernel.spillStoreBytes, "spill stores") + ", " +
                                 bytesOf(kernel.spillLoadBytes, "spill loads");
  return llvm::formatv("{0}: {1} registers of a thread, {2}, {3}, {4}", kernel.kernel,
                       kernel.registers, spills, bytesOf(kernel.stackBytes, "stack"),
                       bytesOf(kernel.staticSharedBytes, "static shared memory"));
}

std::string whyNoListing(const Trace &trace, const DeviceListing &listing) {
  return trace.cuda.empty() ? "no CUDA: " + reasonOfMissingCuda(trace) : listing.refusal;
}

ListingView listingOf(const Trace &trace, const DeviceListing &listing, ListedCode code) {
  ListingView view;
  view.isOfPtx = trace.codeLanguage == PtxLanguage;
  view.kernels = listing.kernels.empty() ? readPtxasLog(listing.log) : listing.kernels;
  CudaView cuda = buildCuda(trace, Selection());
  const TraceSnapshot &last = trace.snapshots[trace.passes.back().snapshot];
  // A trace is untrusted and may use any number as an id, so no DenseMap.
  std::unordered_map<StmtId, uint32_t> irLines;
  for (uint32_t line = 0; line != last.lines->size(); ++line)
    irLines.try_emplace(trace.lines[(*last.lines)[line]].stmt, line + 1);
  view.lines.reserve(code.lines.size());
  for (ListedCode::Line &given : code.lines) {
    ListingLine line;
    line.text = std::move(given.text);
    if (given.cudaLine > 0 && given.cudaLine <= cuda.lines.size()) {
      const CudaViewLine &of = cuda.lines[given.cudaLine - 1];
      line.cudaLine = given.cudaLine;
      line.stmt = of.stmt;
      line.sourceLine = of.sourceLine;
      if (auto found = irLines.find(of.stmt); of.stmt.isValid() && found != irLines.end())
        line.irLine = found->second;
      std::optional<BufferSpan> buffer = onlyBufferOf(of, trace.codeLanguage == PtxLanguage);
      if (buffer && given.sharedOperand) {
        buffer->begin = given.sharedOperand->begin;
        buffer->end = given.sharedOperand->end;
        line.names.push_back(*buffer);
      }
    }
    view.lines.push_back(std::move(line));
  }
  view.namedBuffers = std::move(cuda.namedBuffers);
  return view;
}

void print(const ListingView &view, llvm::raw_ostream &out) {
  if (!view.missing.empty())
    out << view.missing << '\n';
  for (const KernelResources &kernel : view.kernels)
    out << textOf(kernel) << '\n';
  if (view.lines.empty())
    return;
  std::vector<std::vector<std::string>> table = {
      {view.isOfPtx ? "PTX" : "CUDA", "IR", "line", "buffer", "instruction"}};
  for (const ListingLine &line : view.lines) {
    std::string buffer;
    if (!line.names.empty())
      if (const NamedBuffer *named = findBuffer(view.namedBuffers, line.names[0].buffer))
        buffer = nameInFunction(named->key);
    table.push_back({lineNumber(line.cudaLine), lineNumber(line.irLine), lineText(line.sourceLine),
                     buffer, line.text});
  }
  printTable(out, table, table.front().size());
}

} // namespace tilescope
