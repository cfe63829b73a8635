// T.copy. What its operands mean stands in DESIGN: extents come from the operand nearest to the
// registers, an element is only a start, two elements are one element.
#include "core/frontend/buffers.h"
#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

// Both are elements: a store of one value.
static Value copyElement(Args &args, const Operand &destination) {
  bool stored =
      storeElement(args.evaluation, *destination.buffer, destination.axes, args["src"], args.span);
  return stored ? Value::none() : Value();
}

static std::optional<int64_t> preferredInstruction(Args &args) {
  std::optional<std::string> name = args.text("prefer_instruction");
  if (!name)
    return std::nullopt;
  if (*name == "cp_async")
    return static_cast<int64_t>(CopyInstruction::CpAsync);
  if (*name == "sync")
    return static_cast<int64_t>(CopyInstruction::Synchronous);
  if (name->empty() || *name == "tma")
    return static_cast<int64_t>(CopyInstruction::Automatic);
  args.wrongType("prefer_instruction", "\"tma\", \"cp_async\" or \"sync\"");
  return std::nullopt;
}

Value tileCopy(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !args.refuse({"loop_layout"}))
    return Value();
  std::optional<Operand> source = toOperand(args, "src");
  std::optional<Operand> destination = source ? toOperand(args, "dst") : std::nullopt;
  std::optional<int64_t> width = destination ? args.integer("coalesced_width") : std::nullopt;
  std::optional<int64_t> prefer = width ? preferredInstruction(args) : std::nullopt;
  if (!prefer)
    return Value();
  if (source->isPoint() && destination->isPoint())
    return copyElement(args, *destination);
  if (source->isPoint())
    extendPoint(evaluation, *source, *destination);
  else if (destination->isPoint())
    extendPoint(evaluation, *destination, *source);
  if (!matchExtents(args, *source, *destination))
    return Value();
  warnOfExcess(evaluation, *source);
  warnOfExcess(evaluation, *destination);
  Context &context = evaluation.context;
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Copy,
                                {source->region(context), destination->region(context)}, {},
                                {{Attr::CoalescedWidth, *width}, {Attr::Prefer, *prefer}}));
  return Value::none();
}

} // namespace tilescope::frontend
