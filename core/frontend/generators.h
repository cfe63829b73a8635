// Functions with `yield`. Nothing is suspended: the body of a generator runs from its first line to
// its last, and at each `yield` it calls who consumes it.
//
//     def halves(n):               for part in halves(64):
//       while n > 1:                 T.copy(A[part], S)       runs in the `yield`
//         yield n
//         n //= 2
//
// So a `for` sees one value after the other, as in Python. `next` runs a generator to its end and
// keeps what it yields: it may not build IR meanwhile.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// Of a call that is bound: `env` has its arguments.
Value makeGenerator(Evaluation &evaluation, FunctionObject &function, Env &env, Span span);
// Over values that are known.
Value iteratorOver(Evaluation &evaluation, Values values);

// Who takes what a generator yields.
enum class Consumer : uint8_t {
  Loop,    // a `for`: statements of both follow each other
  Builtin, // takes everything at once: the generator may not emit statements
};
// As forEach (iteration.h).
bool forEachOf(Evaluation &evaluation, GeneratorObject &generator, Consumer consumer, Span span,
               llvm::function_ref<bool(Value)> visit);
// The next value; invalid at the end, nullopt after a report.
std::optional<Value> nextOf(Evaluation &evaluation, GeneratorObject &generator, Span span);

Flow execYield(Evaluation &evaluation, const ast::YieldStmt &stmt);

} // namespace tilescope::frontend
