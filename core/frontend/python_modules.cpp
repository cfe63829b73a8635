// What kernels use of `functools` and `itertools`.
#include "core/frontend/builtins.h"
#include "core/frontend/calls.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/iteration.h"
#include "core/frontend/operators.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

Value functoolsPartial(Args &args) {
  if (args.rest.empty())
    return args.evaluation.fail(DiagId::ArgumentMissing, args.span, args.callee(), "func",
                                args.info.params);
  auto *partial = args.evaluation.heap.make<PartialObject>();
  partial->callee = args.rest.front().value;
  for (const Arg &arg : llvm::drop_begin(args.rest))
    partial->args.push_back(arg.value);
  for (const auto &[name, arg] : args.keywords())
    if (arg.value)
      partial->keywords.push_back({name.str(), arg.value});
  return partial;
}

static Value callWith(Args &args, Value function, Value a, Value b) {
  Argument arguments[] = {{"", a, args.span}, {"", b, args.span}};
  return call(args.evaluation, function, arguments, args.span);
}

Value functoolsReduce(Args &args) {
  Value total = args["initial"];
  bool isEmpty = !total;
  bool done = forEach(args.evaluation, args["iterable"], args.span, [&](Value item) {
    total = isEmpty ? item : callWith(args, args["function"], total, item);
    isEmpty = false;
    return static_cast<bool>(total);
  });
  if (done && isEmpty)
    return args.evaluation.fail(DiagId::EmptySequence, args.span, args.callee());
  return done ? total : Value();
}

// Rows in the order of nested loops, the last iterable running fastest.
Value itertoolsProduct(Args &args) {
  std::optional<int64_t> repeat = args.integer("repeat", 1);
  std::vector<Values> columns;
  for (int64_t i = 0; repeat && i < *repeat; ++i)
    for (const Arg &arg : args.rest) {
      std::optional<Values> items = toList(args.evaluation, arg.value, arg.span);
      if (!items || !args.evaluation.chargeLength(columns.size(), args.span))
        return Value();
      columns.push_back(std::move(*items));
    }
  if (!repeat)
    return Value();
  std::vector<Values> rows{{}};
  for (const Values &column : columns) {
    if (!args.evaluation.chargeLength(rows.size() * column.size(), args.span))
      return Value();
    std::vector<Values> longer;
    for (const Values &row : rows)
      for (const Value &item : column) {
        if (!args.evaluation.step(args.span))
          return Value();
        longer.push_back(row);
        longer.back().push_back(item);
      }
    rows = std::move(longer);
  }
  Values out;
  for (Values &row : rows)
    out.push_back(args.evaluation.heap.tuple(std::move(row)));
  return args.evaluation.heap.list(std::move(out));
}

Value itertoolsChain(Args &args) {
  Values out;
  for (const Arg &arg : args.rest) {
    std::optional<Values> items = toList(args.evaluation, arg.value, arg.span);
    if (!items || !args.evaluation.chargeLength(out.size() + items->size(), args.span))
      return Value();
    llvm::append_range(out, *items);
  }
  return args.evaluation.heap.list(std::move(out));
}

Value itertoolsRepeat(Args &args) {
  std::optional<int64_t> times = args.integer("times");
  uint64_t count = times && *times > 0 ? static_cast<uint64_t>(*times) : 0;
  if (!times || !args.evaluation.chargeLength(count, args.span))
    return Value();
  return args.evaluation.heap.list(Values(count, args["object"]));
}

Value itertoolsAccumulate(Args &args) {
  Values out;
  if (args["initial"])
    out.push_back(args["initial"]);
  bool done = forEach(args.evaluation, args["iterable"], args.span, [&](Value item) {
    if (out.empty())
      out.push_back(item);
    else if (args.has("func"))
      out.push_back(callWith(args, args["func"], out.back(), item));
    else
      out.push_back(binary(args.evaluation, ast::BinaryOp::Add, out.back(), item, args.span));
    return out.back() && args.evaluation.chargeLength(out.size(), args.span);
  });
  return done ? args.evaluation.heap.list(std::move(out)) : Value();
}

} // namespace tilescope::frontend
