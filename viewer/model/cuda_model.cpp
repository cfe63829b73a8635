#include "viewer/model/cuda_model.h"

#include "llvm/ADT/StringRef.h"

namespace tilescope {

CudaView buildCuda(const Trace &trace, const Selection & /*selection*/) {
  CudaView view;
  llvm::StringRef rest = trace.cuda;
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    view.lines.push_back({line.str(), StmtId(), 0, {}});
    rest = next;
  }
  for (const CudaLine &mapped : trace.cudaMap) {
    if (mapped.line == 0 || mapped.line > view.lines.size())
      continue; // a map of a corrupt trace
    CudaViewLine &line = view.lines[mapped.line - 1];
    line.stmt = mapped.stmt;
    line.sourceLine = mapped.span.line;
    line.buffers = mapped.buffers;
  }
  return view;
}

void print(const CudaView &view, llvm::raw_ostream &out) {
  if (view.lines.empty())
    out << "no CUDA: the compile stopped before emission\n";
  for (const CudaViewLine &line : view.lines)
    out << line.text << '\n';
}

} // namespace tilescope
