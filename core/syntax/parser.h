// Parses Python text, as far as kernel files and IR text use it (Python 3.10 without coroutines
// and without what is sent to generators).
#pragma once

#include "core/support/diagnostics.h"
#include "core/syntax/ast.h"

#include <memory>

namespace tilescope {

// Deepest nesting of brackets, of indented blocks, and of operators in one expression. The first
// is CPython's limit on brackets, the second CPython's on indentation.
constexpr unsigned MaxBracketDepth = 200;
constexpr unsigned MaxBlockDepth = 100;
constexpr unsigned MaxExprDepth = 1000;

// Parses the whole of `file`. A statement with an error is left out and parsing goes on behind it,
// so the module holds what was understood and `diagnostics` every error found. Null only when
// nothing could be parsed (the file is not UTF-8).
std::unique_ptr<ast::Module> parseModule(FileId file, const SourceFiles &files,
                                         Diagnostics &diagnostics);

} // namespace tilescope
