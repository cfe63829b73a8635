// `x[i]` of Python sequences; buffers.h continues for buffers.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value subscript(Evaluation &evaluation, Value object, Value index, Span span);
bool setSubscript(Evaluation &evaluation, Value object, Value index, Value value, Span span);
bool deleteItem(Evaluation &evaluation, Value object, Value index, Span span);
// The place of an index from either end; nullopt after reporting.
std::optional<size_t> resolveIndex(Evaluation &evaluation, Value index, size_t size, Span span);

} // namespace tilescope::frontend
