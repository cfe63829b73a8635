// Values as text: `str` and `repr` of a value, f-strings, format specs, `%` formatting.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// str() or repr(), metered; nullopt after reporting that the text grows past a limit.
std::optional<std::string> textOfValue(Evaluation &evaluation, Value value, bool asRepr, Span span);
std::optional<std::string> format(Evaluation &evaluation, Value value, llvm::StringRef spec,
                                  Span span);
Value evalFString(Evaluation &evaluation, const ast::FStringExpr &string);
// `"%d of %s" % (a, b)`
Value formatPercent(Evaluation &evaluation, const std::string &pattern, Value values, Span span);

} // namespace tilescope::frontend
