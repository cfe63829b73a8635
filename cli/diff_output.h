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

// What the kernels of a report were compiled to; `withTrace` of compared_sides.h has their traces.
struct ComparedSides {
  std::vector<ComparedCompile> before;
  std::vector<ComparedCompile> after;
};

// Room for the style sheet and for what is said of parts that are left out.
inline constexpr size_t LeastHtmlLength = 20'000;
inline constexpr size_t LeastMarkdownLength = 1'000;

// One page of at most `maxLength` bytes: as Markdown, with the arenas of both sides and the changed
// lines of kernel and CUDA.
std::string htmlOf(const DiffReport &report, const ComparedSides &sides, size_t maxLength);

} // namespace tilescope
