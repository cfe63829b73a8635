// Expressions of the reference.
#include "core/exec/block_frame.h"

#include "core/exec/math_functions.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

Number BlockFrame::evaluateBinary(const Binary &binary) {
  Number lhs = evaluate(binary.lhs);
  // Only what decides is evaluated, as in C++: the right side may be guarded by the left.
  if (binary.op == BinaryOp::And && !lhs.i)
    return Number{.i = 0};
  if (binary.op == BinaryOp::Or && lhs.i)
    return Number{.i = 1};
  Number rhs = evaluate(binary.rhs);
  return binaryOf(binary.op, computedType(binary, width_), lhs, rhs);
}

Number BlockFrame::evaluateMath(const Math &math) {
  llvm::SmallVector<Number, 3> args;
  for (const Expr *arg : math.args)
    args.push_back(evaluate(arg));
  return mathOf(math.fn, math.args[0]->dtype(), math.dtype(), args);
}

Number BlockFrame::evaluateLoad(const Load &load) {
  Copies copies = copiesOf(load.buffer);
  size_t copy = copyOf(load.buffer, load.slot);
  const Tensor &source = copies.tensors[copy];
  llvm::SmallVector<int64_t> coordinates = coordinatesIn(source, load.indices);
  int64_t place = source.indexOf(coordinates);
  if (place < 0) {
    leaveTile(*stmt_, "load from ", load.buffer, coordinates);
    return source.isFloat() ? Number{.f = 0} : Number{.i = 0};
  }
  Number value = source.get(place);
  reads_.read(copies.shadowOf(copy), place);
  if (thread_ == AllThreads && !load.slot)
    for (const Tensor &other : togetherOf(*this, load.buffer).tensors)
      failUnlessEqual(value, other.get(place), function_.buffer(load.buffer).name);
  return value;
}

Number BlockFrame::evaluateVar(const Var &var) {
  reads_.readVar(var);
  if (auto found = vars_.find(var.id.value); found != vars_.end())
    return found->second;
  auto own = ownVars_.find(var.id.value);
  assert(own != ownVars_.end() && "variable is used outside its scope");
  if (thread_ != AllThreads)
    return own->second[static_cast<size_t>(thread_)];
  llvm::ArrayRef<Number> values =
      llvm::ArrayRef(own->second)
          .slice(static_cast<size_t>(firstTogether_), static_cast<size_t>(together_));
  for (Number value : values)
    failUnlessEqual(values[0], value, var.name);
  return values[0];
}

// How the compiler shares out work of all threads is not the kernel's to say.
void BlockFrame::failUnlessEqual(Number first, Number other, llvm::StringRef name) {
  if (first.i != other.i)
    fail(*stmt_, "'" + name.str() +
                     "' differs between threads, and which of them does what here is left to the "
                     "compiler");
}

Number BlockFrame::evaluateIndex(const Expr *expr) {
  llvm::SaveAndRestore outer(width_, IntegerWidth::Index);
  return evaluate(expr);
}

Number BlockFrame::evaluate(const Expr *expr) {
  llvm::SaveAndRestore width(width_, operandWidth(*expr, width_));
  switch (expr->kind()) {
  case ExprKind::IntImm:
  case ExprKind::FloatImm:
    return constantOf(*expr);
  case ExprKind::Var:
    return evaluateVar(*llvm::cast<Var>(expr));
  case ExprKind::Unary: {
    const auto *unary = llvm::cast<Unary>(expr);
    return unaryOf(unary->op, unary->operand->dtype(), evaluate(unary->operand));
  }
  case ExprKind::Binary:
    return evaluateBinary(*llvm::cast<Binary>(expr));
  case ExprKind::Cast: {
    const auto *cast = llvm::cast<Cast>(expr);
    return convert(cast->operand->dtype(), cast->dtype(), evaluate(cast->operand));
  }
  case ExprKind::Select: {
    const auto *select = llvm::cast<Select>(expr);
    return evaluate(evaluateInt(select->condition) ? select->whenTrue : select->whenFalse);
  }
  case ExprKind::Load:
    return evaluateLoad(*llvm::cast<Load>(expr));
  case ExprKind::Math:
    return evaluateMath(*llvm::cast<Math>(expr));
  }
  return Number{.i = 0};
}

} // namespace tilescope
