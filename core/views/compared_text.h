// What `compare-ir` and `compare-cuda` have in common: a text of two compiles, side by side. Lines
// face each other by what they stand for: the line of the kernel file (as it was edited) and what
// the line begins with, or the buffer that is declared; else by their text.
#pragma once

#include "core/views/aligned_text.h"
#include "core/views/cuda_model.h"
#include "core/views/ir_model.h"

namespace tilescope {

struct ComparedText {
  std::string missing;                 // why there is nothing to compare; "": there is
  std::string placeBefore, placeAfter; // "simplify", "the CUDA": what the two texts are
  // Statements, buffers and lines of the kernel file of both sides are those of the newer trace;
  // what the older one has alone has a line of the kernel file at most.
  std::vector<IrLine> before;
  std::vector<IrLine> after;
  std::vector<AlignedRow> rows;
  ChangeCounts counts;
  std::vector<NamedBuffer> buffers; // of both sides, by id
};

// The pass of the other trace that is compared with a pass; nullopt: it has none such.
std::optional<size_t> passOfOther(const Trace &trace, const Trace &other, size_t pass);

// A text of one trace, with what stands in it.
struct TextOfTrace {
  const Trace &trace;
  const TraceSnapshot &snapshot; // whose buffers the lines name
  std::string place;
  std::vector<IrLine> lines;
};
ComparedText compareTexts(TextOfTrace before, TextOfTrace after);

void print(const ComparedText &view, llvm::raw_ostream &out);
Json toJson(const ComparedText &view);

// As scripts read it.
struct PrintedComparison {
  std::string missing;
  std::string placeBefore, placeAfter;
  size_t added = 0;
  size_t removed = 0;
  size_t modified = 0;
  std::vector<ChangedRow> rows;
};

template <typename Archive> void fields(Archive &archive, PrintedComparison &comparison) {
  archive("missing", comparison.missing);
  archive("placeBefore", comparison.placeBefore);
  archive("placeAfter", comparison.placeAfter);
  archive.always("added", comparison.added);
  archive.always("removed", comparison.removed);
  archive.always("modified", comparison.modified);
  archive.always("rows", comparison.rows);
}

} // namespace tilescope
