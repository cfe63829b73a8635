// T.call_extern(src[0:4], dst[0:8], 8, callee="decode", signature="rwv"): each thread calls a
// function that Function::foreignSources has, with pointers to the first elements of the operands.
// The signature says what the function does behind them; nobody here looks into it.
#include "core/ir/op_check.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

// "decode", "lib::decode", "decode<int, 4>"
bool isFunctionName(llvm::StringRef name) {
  return !name.empty() && (llvm::isAlpha(name.front()) || name.front() == '_') &&
         llvm::all_of(name, [](char c) {
           return llvm::isAlnum(c) || llvm::StringRef("_:<>, ").contains(c);
         });
}

bool verifyCallExtern(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  llvm::StringRef callee = textOfNumber(op.attr(Attr::Callee));
  if (!isFunctionName(callee))
    check.fail(DiagId::ForeignName, callee);
  llvm::StringRef letters = signatureOf(op);
  for (size_t index = 0; index < letters.size(); ++index) {
    bool isMisplaced =
        letters[index] == '='
            ? index != 0
            : letters[index] == '+' && (index == 0 || letters[index - 1] == 'v' ||
                                        letters[index - 1] == '+' || letters[index - 1] == '=');
    if (isMisplaced)
      check.fail(DiagId::ForeignSignature, letters, letters[index]);
  }
  for (size_t operand = 0; operand < op.regions.size(); ++operand)
    check.requireScope(operand, {Scope::Global, Scope::Shared, Scope::SharedStatic, Scope::Local,
                                 Scope::LocalVar});
  for (size_t operand = 0; operand < op.regions.size(); ++operand) {
    const Buffer &buffer = check.buffer(operand);
    bool isInOrder = !buffer.layout || buffer.layout->kind == LayoutKind::RowMajor;
    if (!isInOrder && !check.wideExtents(operand).empty())
      check.fail(DiagId::ForeignLayout, buffer.name, toString(*buffer.layout));
  }
  if (letters.starts_with("="))
    check.requireRegister(0);
  return check.passed();
}

} // namespace

const OpInfo &infoOfCallExtern() {
  static const OperandInfo Operands[] = {
      {"read", Effect::Read},
      {"written", Effect::Write},
      {"changed", Effect::ReadWrite},
      {"result", Effect::Write},
      {.name = "somewhere", .effect = Effect::ReadWrite, .leavesRest = true}};
  static const AttrInfo Attrs[] = {{Attr::Callee, AttrType::Text},
                                   {Attr::Signature, AttrType::Text}};
  static const OpInfo Info{.operands = Operands,
                           .attrs = Attrs,
                           .scope = OpScope::Thread,
                           .isVariadic = true,
                           .isForeign = true,
                           .verify = verifyCallExtern};
  return Info;
}

} // namespace tilescope
