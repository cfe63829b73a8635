#include "core/views/cuda_model.h"

#include "core/trace/missing_cuda.h"
#include "core/trace/trace_origin.h"
#include "core/views/buffer_uses.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

struct Declaration {
  llvm::StringRef name;
  std::optional<int64_t> version;
  bool isComputed = false;
};

// The slot that "K_shared;" and "K_shared + 1 * K_shared_slot;" are; nullopt: chosen at run time,
// or the buffer as a whole.
std::optional<int64_t> versionOf(llvm::StringRef initializer) {
  llvm::StringRef base = initializer.take_while(isWordByte);
  llvm::StringRef rest = initializer.drop_front(base.size());
  if (rest.starts_with(";"))
    return 0;
  int64_t version = 0;
  if (rest.consume_front(" + ") && !rest.consumeInteger(10, version) && rest.starts_with(" * "))
    return version;
  return std::nullopt;
}

// Emission declares each name of a shared buffer on a line that names no other buffer:
//
//     half *const K_shared = reinterpret_cast<half *>(arena + 32768);
//     [[maybe_unused]] constexpr int K_shared_slot = 16384;
//     half *const K_shared_v1 = K_shared + 1 * K_shared_slot;
//     half *const K_shared_kb = K_shared + (kb % 2) * K_shared_slot;
//     __shared__ alignas(128) half A_static[1024];
std::optional<Declaration> declarationOf(llvm::StringRef line) {
  for (llvm::StringRef before : {"*const ", "constexpr int ", "const i64 "}) {
    llvm::StringRef tail = line.split(before).second;
    llvm::StringRef name = tail.take_while(isWordByte);
    llvm::StringRef rest = tail.drop_front(name.size());
    if (!name.empty() && rest.consume_front(" = "))
      return before == "*const " ? Declaration{name, versionOf(rest), rest.contains(" + (")}
                                 : Declaration{name, {}};
  }
  if (!line.contains("__shared__ "))
    return std::nullopt;
  llvm::StringRef name = line.rsplit('[').first.rsplit(' ').second;
  return name.empty() ? std::nullopt : std::optional(Declaration{name, {}});
}

void mapLines(const Trace &trace, std::vector<CudaViewLine> &lines) {
  for (const CudaLine &mapped : trace.cudaMap) {
    if (mapped.line == 0 || mapped.line > lines.size())
      continue; // a map of a corrupt trace
    CudaViewLine &line = lines[mapped.line - 1];
    line.stmt = mapped.stmt;
    line.sourceLine = mapped.sourceLine();
    line.buffers = mapped.buffers;
  }
}

// True: the line declares one.
bool declareNames(const CudaViewLine &line, BufferNames &names) {
  if (line.buffers.size() != 1)
    return false;
  std::optional<Declaration> declaration = declarationOf(line.text);
  if (declaration)
    names.declare(declaration->name, line.buffers[0], declaration->version,
                  declaration->isComputed);
  return declaration.has_value();
}

// Comments name buffers before they are declared; a name that two blocks declare means each time
// what was declared last.
void findNames(const BufferUses &uses, std::vector<CudaViewLine> &lines) {
  BufferNames names;
  for (const CudaViewLine &line : llvm::reverse(lines))
    declareNames(line, names);
  for (CudaViewLine &line : lines) {
    bool isDeclaration = declareNames(line, names);
    line.names = names.spansOf(line.text);
    if (!isDeclaration)
      uses.mark(line.stmt, line.names);
  }
}

// TileLang's compiler calls a buffer in CUDA as in its IR. Of several of a name the line's counts:
// they are of different kernels.
void findForeignNames(const TraceSnapshot &last, const BufferUses &uses,
                      std::vector<CudaViewLine> &lines) {
  BufferNames names;
  for (const BufferRecord &record : *last.buffers)
    if (isShared(record.scope))
      names.declare(record.name, record.id);
  for (CudaViewLine &line : lines) {
    for (const BufferRecord &record : *last.buffers)
      if (llvm::is_contained(line.buffers, record.id))
        names.declare(record.name, record.id);
    line.names = names.spansOf(line.text);
    uses.mark(line.stmt, line.names);
  }
}

} // namespace

CudaView buildCuda(const Trace &trace, const Selection & /*selection*/) {
  CudaView view;
  if (trace.cuda.empty()) {
    view.missing = reasonOfMissingCuda(trace);
    return view;
  }
  llvm::StringRef rest = trace.cuda;
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    view.lines.push_back({line.str(), StmtId(), 0, {}, {}});
    rest = next;
  }
  auto kernel = llvm::find_if(view.lines, [](const CudaViewLine &line) {
    return llvm::StringRef(line.text).contains("__global__");
  });
  if (kernel != view.lines.end())
    view.firstKernel = static_cast<size_t>(kernel - view.lines.begin());
  mapLines(trace, view.lines);
  const TraceSnapshot &last = trace.snapshots[trace.passes.back().snapshot];
  BufferUses uses(trace, last);
  if (isForeign(trace.header))
    findForeignNames(last, uses, view.lines);
  else
    findNames(uses, view.lines);
  view.namedBuffers = namedBuffersOf(last, BufferHues::of(trace));
  return view;
}

void print(const CudaView &view, llvm::raw_ostream &out) {
  if (!view.missing.empty())
    out << "no CUDA: " << view.missing << '\n';
  for (const CudaViewLine &line : view.lines)
    out << line.text << '\n';
}

} // namespace tilescope
