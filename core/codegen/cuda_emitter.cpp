#include "core/codegen/cuda_emitter.h"

#include "core/codegen/cuda_writer.h"
#include "core/codegen/line_breaker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

// One function an operation that exists after lowering, in core/ops/<op>/emit.cpp.
#define OP_Tile(Name)
#define OP_Device(Name) void emit##Name(const OpStmt &op, CudaWriter &writer);
#define OP_Both(Name) OP_Device(Name)
#define OP(Name, printed, level) OP_##level(Name)
#include "core/ops/ops.def"
#undef OP_Device

void emitOp(const OpStmt &op, CudaWriter &writer) {
  switch (op.op) {
#define OP_Device(Name)                                                                            \
  case Op::Name:                                                                                   \
    return emit##Name(op, writer);
#define OP(Name, printed, level) OP_##level(Name)
#include "core/ops/ops.def"
#undef OP_Device
  default:
    assert(false && "tile operation is left after lowering");
  }
}

namespace {

// Types of fixed width, which NVRTC has no header for.
constexpr llvm::StringRef FixedWidthTypes = R"cuda(using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;
)cuda";

// Collects the file and the line map.
class SourceText {
public:
  void add(const CudaTextLine &line) {
    for (const std::string &part : breakLine(line.text)) {
      source_.text += part + "\n";
      ++lineCount_;
      if (line.stmt.isValid())
        source_.lineMap.push_back({lineCount_, line.stmt, line.span, line.buffers});
    }
  }
  void addText(llvm::StringRef text) {
    source_.text += text;
    lineCount_ += static_cast<uint32_t>(text.count('\n'));
  }
  void addForeign(llvm::StringRef text) {
    auto count = static_cast<uint32_t>(text.count('\n'));
    source_.foreign.push_back({lineCount_ + 1, count});
    addText(text);
  }
  CudaSource take() { return std::move(source_); }
  CudaSource &source() { return source_; }

private:
  CudaSource source_;
  uint32_t lineCount_ = 0;
};

void addPrelude(SourceText &text, const HelperSet &helpers) {
  text.addText("#ifndef __CUDACC_RTC__\n#include <cuda_runtime.h>\n#endif\n");
  text.addText(FixedWidthTypes);
#define HELPER(Name, printed, body)                                                                \
  if (helpers.has(Helper::Name)) {                                                                 \
    text.addText("\n");                                                                            \
    text.addText(textOf(Helper::Name));                                                            \
  }
#include "core/codegen/prelude.def"
  for (const auto &[name, product] : helpers.products()) {
    text.addText("\n");
    text.addText(product.text());
  }
}

// What kernels call that their author wrote, each text once.
void addForeignSources(SourceText &text, const Module &module) {
  std::set<llvm::StringRef> known;
  for (const Function *function : module.functions)
    for (llvm::StringRef source : function->foreignSources)
      if (known.insert(source).second) {
        text.addText("\n");
        text.addForeign((source.rtrim('\n') + "\n").str());
      }
}

} // namespace

CudaSource emitCuda(const Module &module, const Target &target, const SourceFiles &files,
                    const CudaOptions &options) {
  CudaModuleState state{*module.context, target, files, options, {}, {}};
  SourceText text;
  std::vector<std::vector<CudaTextLine>> functions;
  for (const Function *function : module.functions) {
    if (function->functionKind != FunctionKind::Device)
      continue;
    LaunchRecord record = computeLaunchRecord(*function);
    record.kernel = state.names.declare(record.kernel);
    functions.push_back(CudaWriter(state, *function, record).print());
    text.source().launches.push_back(std::move(record));
  }
  bool hasForeign = llvm::any_of(
      module.functions, [](const Function *function) { return !function->foreignSources.empty(); });
  if (hasForeign)
    for (Helper header : {Helper::Half, Helper::Bfloat16, Helper::HostTypes})
      state.helpers.call(header);
  text.addText(llvm::formatv("// CUDA for {0}{1}.\n", target.name,
                             module.fastMath ? ", to be compiled with --use_fast_math" : "")
                   .str());
  addPrelude(text, state.helpers);
  addForeignSources(text, module);
  for (const std::vector<CudaTextLine> &lines : functions) {
    text.addText("\n");
    llvm::for_each(lines, [&](const CudaTextLine &line) { text.add(line); });
  }
  return text.take();
}

} // namespace tilescope
