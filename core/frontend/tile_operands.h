// Operands of tile operations: a whole buffer, a slice, or an element that only says where to
// start.
#pragma once

#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

struct Operand {
  BufferObject *buffer = nullptr;
  std::vector<Axis> axes; // one for each dimension
  bool isWhole = false;   // the buffer itself was given
  Span span;

  // Every axis is an index: only a start. (A buffer of one element given whole is not.)
  bool isPoint() const;
  // Axes whose extent is not the constant 1, outermost first.
  llvm::SmallVector<size_t, 4> wideAxes() const;
  // Whether an extent is known at run time only.
  bool hasRunTimeExtent() const;
  // "(128, 32)", with "?" for what is not constant.
  std::string extentsText() const;
  BufferRegion region(Context &context) const;
};

// nullopt after reporting that the argument is no operand.
std::optional<Operand> toOperand(const Args &args, llvm::StringRef param);

// A tile, for operations that take no element: an element is the start of a tile as large as what
// it stands beside. nullopt after reporting.
std::optional<Operand> toTile(Args &args, llvm::StringRef param);

// A shape: a list of sizes, or one size; nullopt after reporting.
std::optional<std::vector<const Expr *>> toShape(Evaluation &evaluation, Value shape, Span span);

// Gives a point the extents of `other`, aligned at the last axis; leading axes become 1.
void extendPoint(Evaluation &evaluation, Operand &point, const Operand &other);
// Makes the extents of two operands that are no points agree as T.copy does: those of the one
// nearer to the registers count. Reports what does not fit.
bool matchExtents(const Args &args, Operand &source, Operand &destination);
// A parallel loop over the wide axes of an operand, one variable each, in their order.
struct ElementLoop {
  llvm::SmallVector<const Var *> vars;
  llvm::SmallVector<const Expr *> extents;

  // The element of `operand`, which has as many wide axes, that an iteration is about.
  ExprList placesIn(Evaluation &evaluation, const Operand &operand) const;
  void emit(Evaluation &evaluation, const Operand &destination, const Expr *value,
            const Layout *layout, Span span) const;
};
ElementLoop loopOverElements(Evaluation &evaluation, const Operand &operand);

// Warns of a region that takes more of a dimension of a tensor than there is, wherever it starts.
void warnOfExcess(Evaluation &evaluation, const Operand &operand);

} // namespace tilescope::frontend
