#include "core/codegen/cuda_strings.h"
#include "core/codegen/cuda_writer.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

struct Shown {
  llvm::StringRef format;
  std::string value;
};

Shown shownAs(CudaWriter &writer, const Expr *expr) {
  DType dtype = expr->dtype();
  std::string value = writer.value(expr);
  if (dtype.isBool())
    return {"%s", "(" + value + ") ? \"true\" : \"false\""};
  if (dtype.isFloat())
    return {"%f", "double(" + std::string(dtype.bits <= 16 ? "float(" + value + ")" : value) + ")"};
  if (dtype.bits == 64)
    return dtype.isUnsigned() ? Shown{"%llu", "u64(" + value + ")"}
                              : Shown{"%lld", "i64(" + value + ")"};
  return dtype.isUnsigned() ? Shown{"%u", "u32(" + value + ")"} : Shown{"%d", "int(" + value + ")"};
}

} // namespace

// The fields are those that TileLang prints, so that what reads its lines reads ours.
void emitPrint(const OpStmt &op, CudaWriter &writer) {
  std::string format = "msg='%s' BlockIdx=(%d, %d, %d), ThreadIdx=(%d, %d, %d)";
  std::vector<std::string> values{cudaString(textOfNumber(op.attr(Attr::Message)))};
  for (llvm::StringRef index : {"blockIdx", "threadIdx"})
    for (llvm::StringRef axis : {"x", "y", "z"})
      values.push_back((index + "." + axis).str());
  const Expr *value = op.args[0];
  const Expr *index = op.args[1];
  if (index) {
    format += ": buffer=%s, index=%d,";
    values.push_back(cudaString(textOfNumber(op.attr(Attr::BufferName))));
    values.push_back("int(" + writer.value(index) + ")");
  } else if (value) {
    format += ":";
  }
  if (value) {
    Shown shown = shownAs(writer, value);
    format += " dtype=" + value->dtype().name() + " value=" + shown.format.str();
    values.push_back(shown.value);
  }
  writer.line("printf(\"" + format + "\\n\", " + llvm::join(values, ", ") + ");");
}

} // namespace tilescope
