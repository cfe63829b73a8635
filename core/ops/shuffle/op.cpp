// T.shuffle(result, value, lane, kind=..., width=32, mask=...): each lane gets the value of another
// one of its `width` neighbours: of lane `lane` of them, or of that `lane` places before or after
// it, or of that whose number differs in the bits of `lane`. Where there is none it gets its own.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyShuffle(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireRegister(0);
  check.requireArgType(0, check.buffer(0).dtype);
  check.requireArgType(1, DType::int32());
  check.requireArgType(2, DType::uint32());
  check.requireAttr(Attr::Width, {1, 2, 4, 8, 16, 32});
  return check.passed();
}

// As "shfl.sync" of the PTX ISA says, which takes five bits of the operand.
uint32_t sourceOf(const OpStmt &op, uint32_t lane, int64_t operand) {
  auto width = static_cast<uint32_t>(op.attr(Attr::Width));
  uint32_t number = static_cast<uint32_t>(operand) % 32;
  uint32_t first = lane - lane % width;
  switch (static_cast<ShuffleKind>(op.attr(Attr::Kind))) {
  case ShuffleKind::Index:
    return first + number % width;
  case ShuffleKind::Up:
    return lane - first >= number ? lane - number : lane;
  case ShuffleKind::Down:
    return lane - first + number < width ? lane + number : lane;
  case ShuffleKind::Xor:
    return (lane ^ number) < first + width ? lane ^ number : lane;
  }
  return lane;
}

} // namespace

const OpInfo &infoOfShuffle() {
  static const OperandInfo Operands[] = {{"result", Effect::Write}};
  static const ArgInfo Args[] = {{"value"}, {"lane"}, {"mask", /*optional=*/true}};
  // In the order of ShuffleKind.
  static const llvm::StringRef Kinds[] = {"index", "up", "down", "xor"};
  static const AttrInfo Attrs[] = {{Attr::Kind, AttrType::Name, /*defaultValue=*/0, Kinds},
                                   {Attr::Width, AttrType::Int, /*defaultValue=*/32}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .scope = OpScope::Warp,
                           .isExchange = true,
                           .lanes = 2,
                           .sourceLane = sourceOf,
                           .verify = verifyShuffle};
  return Info;
}

} // namespace tilescope
