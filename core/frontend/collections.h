// Sets and dicts: membership, insertion, operators.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value makeSet(Evaluation &evaluation, const Values &items, Span span);
Value binarySets(Evaluation &evaluation, ast::BinaryOp op, SetObject &lhs, SetObject &rhs,
                 Span span);
Value compareSets(Evaluation &evaluation, ast::CompareOp op, SetObject &lhs, SetObject &rhs);

// Null if there is none.
Value *findItem(Evaluation &evaluation, DictObject &dict, const Value &key);
bool setItem(Evaluation &evaluation, DictObject &dict, Value key, Value value, Span span);
Value mergeDicts(Evaluation &evaluation, const DictObject &lhs, const DictObject &rhs, Span span);

} // namespace tilescope::frontend
