// The formats of `diff`.
#pragma once

#include "core/diff/diff_report.h"

#include "llvm/Support/raw_ostream.h"

namespace tilescope {

// For people, in colour where the stream shows any. Kernels that are the same are one line.
void printText(const DiffReport &report, llvm::raw_ostream &out);

// For a comment on a pull request: the first line is `MarkdownMarker`, by which a bot finds the
// comment that it wrote before; then a verdict, a table, and folded details. Details that would
// make it longer than `maxLength` bytes are left out, and it says so.
inline constexpr const char *MarkdownMarker = "<!-- tilescope diff -->";
std::string markdownOf(const DiffReport &report, size_t maxLength);

// What the kernels of a report were compiled to.
struct ComparedSides {
  std::vector<ComparedCompile> before;
  std::vector<ComparedCompile> after;
};

// One page: as Markdown, with the arenas of both sides and the changed lines of kernel and CUDA.
std::string htmlOf(const DiffReport &report, const ComparedSides &sides, size_t maxLength);

} // namespace tilescope
