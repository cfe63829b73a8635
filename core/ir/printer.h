// IR as text: TileLang script extended with what lowering needs. Read back by core/ir/reader.h.
//
// Plain text is for people and tests; tagged text adds ids, anchor, origin and span of each
// statement and buffer in a trailing `#@` comment, and reads back exactly.
#pragma once

#include "core/ir/module.h"
#include "core/support/source.h"

#include <string>
#include <vector>

namespace tilescope {

struct PrintedLine {
  std::string text; // without newline and without tags
  StmtId stmt;      // invalid: a header or a declaration
  BufferId buffer;  // declarations
  Span span;        // kernel source
  std::string tag;  // what the `#@` comment says; empty for plain text
};

// Deterministic. First line `# tilescope-ir 1`.
std::vector<PrintedLine> printLines(const Module &module, bool tagged);
std::string printModule(const Module &module, bool tagged);
std::string printStmt(const Function &function, const Stmt &stmt);
std::string printExpr(const Function &function, const Expr &expr);

} // namespace tilescope
