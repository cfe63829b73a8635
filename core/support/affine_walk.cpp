// Walks over finished expressions: simplification under ranges, substitution, evaluation, printing.
#include "core/support/affine.h"

#include "core/support/checked_math.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace tilescope {

void forEachSymbol(Affine a, function_ref<void(SymbolId)> visit) {
  if (!a.isKnown())
    return;
  for (const AffineTerm &term : a.sum->terms) {
    if (term.atom->kind == AffineKind::Symbol)
      visit(term.atom->symbol);
    for (Affine operand : term.atom->operands)
      forEachSymbol(operand, visit);
  }
}

Affine AffineContext::rebuildAtom(const AffineAtom &atom,
                                  function_ref<Affine(SymbolId)> replacement,
                                  const AffineRanges &ranges) {
  if (atom.kind == AffineKind::Symbol) {
    Affine replaced = replacement(atom.symbol);
    return replaced.isKnown() ? replaced : atomExpr(&atom);
  }
  SmallVector<Affine, 4> operands;
  for (Affine operand : atom.operands)
    operands.push_back(substitute(operand, replacement, ranges));
  Affine result = operands[0];
  switch (atom.kind) {
  case AffineKind::FloorDiv:
    return floorDiv(operands[0], operands[1], ranges);
  case AffineKind::Mod:
    return mod(operands[0], operands[1], ranges);
  case AffineKind::Select:
    return select({atom.relation, operands[0]}, operands[1], operands[2], ranges);
  case AffineKind::Product:
    for (Affine operand : ArrayRef(operands).drop_front())
      result = multiply(result, operand);
    return result;
  case AffineKind::Min:
  case AffineKind::Max:
    for (Affine operand : ArrayRef(operands).drop_front())
      result = extremum(atom.kind, result, operand, ranges);
    return result;
  case AffineKind::Symbol:
    break;
  }
  return {};
}

Affine AffineContext::substitute(Affine a, function_ref<Affine(SymbolId)> replacement,
                                 const AffineRanges &ranges) {
  if (!a.isKnown())
    return a;
  Affine result = constant(a.sum->constant);
  for (const AffineTerm &term : a.sum->terms)
    result = add(result, scale(rebuildAtom(*term.atom, replacement, ranges), term.coefficient));
  return result;
}

Affine AffineContext::simplify(Affine a, const AffineRanges &ranges) {
  Affine result = substitute(a, [](SymbolId) { return Affine(); }, ranges);
  // A rewrite whose intermediate steps overflow is no rewrite.
  return result.isKnown() ? result : a;
}

namespace {

using Value = std::optional<int64_t>;

Value combine(const AffineAtom &atom, ArrayRef<int64_t> values) {
  switch (atom.kind) {
  case AffineKind::FloorDiv:
  case AffineKind::Mod: {
    if (values[1] == 0 || (values[1] == -1 && values[0] == INT64_MIN))
      return std::nullopt;
    int64_t quotient = divideFloorSigned(values[0], values[1]);
    return atom.kind == AffineKind::FloorDiv ? quotient : values[0] - quotient * values[1];
  }
  case AffineKind::Product: {
    Value product = 1;
    for (int64_t value : values)
      product = product ? checkedMul(*product, value) : product;
    return product;
  }
  case AffineKind::Min:
    return *llvm::min_element(values);
  case AffineKind::Max:
    return *llvm::max_element(values);
  case AffineKind::Select: {
    bool holds = atom.relation == AffineRelation::Zero ? values[0] == 0 : values[0] >= 0;
    return holds ? values[1] : values[2];
  }
  case AffineKind::Symbol:
    break;
  }
  return std::nullopt;
}

Value evaluateAtom(const AffineAtom &atom, function_ref<int64_t(SymbolId)> valueOf) {
  if (atom.kind == AffineKind::Symbol)
    return valueOf(atom.symbol);
  SmallVector<int64_t, 4> values;
  for (Affine operand : atom.operands) {
    Value value = evaluate(operand, valueOf);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return combine(atom, values);
}

} // namespace

std::optional<int64_t> evaluate(Affine a, function_ref<int64_t(SymbolId)> valueOf) {
  if (!a.isKnown())
    return std::nullopt;
  Value total = a.sum->constant;
  for (const AffineTerm &term : a.sum->terms) {
    Value value = evaluateAtom(*term.atom, valueOf);
    if (!value || !total)
      return std::nullopt;
    std::optional<int64_t> product = checkedMul(term.coefficient, *value);
    total = product ? checkedAdd(*product, *total) : std::nullopt;
  }
  return total;
}

namespace {

using NameOf = function_ref<std::string(SymbolId)>;

std::string inParentheses(Affine a, NameOf nameOf) {
  bool isSimple = a.isConstant() || (a.asAtom() && (a.asAtom()->kind == AffineKind::Symbol ||
                                                    a.asAtom()->kind == AffineKind::Min ||
                                                    a.asAtom()->kind == AffineKind::Max));
  std::string text = toString(a, nameOf);
  return isSimple ? text : "(" + text + ")";
}

std::string joinOperands(ArrayRef<Affine> operands, StringRef separator, NameOf nameOf,
                         bool hasParentheses) {
  SmallVector<std::string, 4> texts;
  for (Affine operand : operands)
    texts.push_back(hasParentheses ? inParentheses(operand, nameOf) : toString(operand, nameOf));
  return llvm::join(texts, separator);
}

std::string atomText(const AffineAtom &atom, NameOf nameOf) {
  switch (atom.kind) {
  case AffineKind::Symbol:
    return nameOf(atom.symbol);
  case AffineKind::Product:
    return joinOperands(atom.operands, "*", nameOf, true);
  case AffineKind::FloorDiv:
    return joinOperands(atom.operands, " // ", nameOf, true);
  case AffineKind::Mod:
    return joinOperands(atom.operands, " % ", nameOf, true);
  case AffineKind::Min:
    return "min(" + joinOperands(atom.operands, ", ", nameOf, false) + ")";
  case AffineKind::Max:
    return "max(" + joinOperands(atom.operands, ", ", nameOf, false) + ")";
  case AffineKind::Select:
    return "select(" + toString(atom.operands[0], nameOf) +
           (atom.relation == AffineRelation::Zero ? " == 0, " : " >= 0, ") +
           joinOperands(atom.operands.drop_front(), ", ", nameOf, false) + ")";
  }
  return {};
}

std::string termText(const AffineTerm &term, NameOf nameOf) {
  std::string atom = atomText(*term.atom, nameOf);
  if (term.coefficient == 1)
    return atom;
  bool isDivision = term.atom->kind == AffineKind::FloorDiv || term.atom->kind == AffineKind::Mod;
  return std::to_string(term.coefficient) + "*" + (isDivision ? "(" + atom + ")" : atom);
}

} // namespace

std::string toString(Affine a, function_ref<std::string(SymbolId)> nameOf) {
  if (!a.isKnown())
    return "unknown";
  SmallVector<std::string, 8> texts;
  for (const AffineTerm &term : a.sum->terms)
    texts.push_back(termText(term, nameOf));
  if (a.sum->constant != 0 || texts.empty())
    texts.push_back(std::to_string(a.sum->constant));
  return llvm::join(texts, " + ");
}

} // namespace tilescope
