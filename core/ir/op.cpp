#include "core/ir/op.h"

#include "core/ir/stmt.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

size_t OpInfo::indexOf(Attr attr) const {
  const AttrInfo *found =
      llvm::find_if(attrs, [&](const AttrInfo &info) { return info.attr == attr; });
  assert(found != attrs.end() && "the operation does not declare this attribute");
  return found - attrs.begin();
}

bool OpInfo::has(Attr attr) const {
  return llvm::any_of(attrs, [&](const AttrInfo &info) { return info.attr == attr; });
}

llvm::StringRef signatureOf(const OpStmt &op) {
  return op.opInfo().isVariadic ? textOfNumber(op.attr(Attr::Signature)) : "";
}

const OperandInfo &OpStmt::operand(size_t index) const {
  const OpInfo &info = opInfo();
  if (!info.isVariadic)
    return info.operands[index];
  for (char letter : signatureOf(*this)) {
    size_t kind = SignatureOperands.find(letter);
    if (kind != llvm::StringRef::npos && index-- == 0)
      return info.operands[kind];
  }
  llvm_unreachable("the verifier has counted the letters");
}

const OpInfo &infoOf(Op op) {
  switch (op) {
#define OP(Name, printed, level)                                                                   \
  case Op::Name:                                                                                   \
    return infoOf##Name();
#include "core/ops/ops.def"
  }
  llvm_unreachable("no such op");
}

llvm::StringRef nameOf(Op op) {
  switch (op) {
#define OP(Name, printed, level)                                                                   \
  case Op::Name:                                                                                   \
    return printed;
#include "core/ops/ops.def"
  }
  return "?";
}

OpLevel levelOf(Op op) {
  switch (op) {
#define OP(Name, printed, level)                                                                   \
  case Op::Name:                                                                                   \
    return OpLevel::level;
#include "core/ops/ops.def"
  }
  return OpLevel::Both;
}

llvm::StringRef nameOf(Attr attr) {
  switch (attr) {
#define ATTR(Name, printed)                                                                        \
  case Attr::Name:                                                                                 \
    return printed;
#include "core/ops/attrs.def"
  }
  return "?";
}

} // namespace tilescope
