// The lines before and after a pass, side by side.
#pragma once

#include "core/trace/trace.h"
#include "core/views/words.h"

#include "llvm/ADT/ArrayRef.h"

namespace tilescope {

enum class RowKind : uint8_t {
  Same,     // the same text on both sides; the statement may be another one
  Removed,  // before only
  Added,    // after only
  Modified, // one line became another
};

// Indices into the lines before and after; -1: nothing on that side.
struct AlignedRow {
  RowKind kind = RowKind::Same;
  int32_t before = -1;
  int32_t after = -1;
  int32_t moved = -1; // Removed, Added: the line of the other side that prints the statement
  WordDiff words;     // Modified only

  bool isChange() const { return kind != RowKind::Same; }
};

// Every line of both sides stands in exactly one row, in its order. Lines face each other if they
// are the same line, else if they print the same statement or declare the same buffer, else if
// their text is alike:
//
//     s1  T.copy(A, A_shared)     |  s1  T.copy(A, A_shared[0])      modified
//                                 |  s7  T.commit_group()            added
//     s2  T.gemm(A_shared, B, C)  |  s2  T.gemm(A_shared[0], B, C)   modified
std::vector<AlignedRow> alignLines(const Trace &trace, llvm::ArrayRef<LineId> before,
                                   llvm::ArrayRef<LineId> after);

// A line of a text that shares no statements with the other.
struct IdentifiedLine {
  llvm::StringRef text;
  std::string identity; // lines of both texts that stand for the same have the same
};

// The same of two texts of different traces: lines face each other as long a series as can be of
// which each pair has one identity; what is left, if their text is alike.
std::vector<AlignedRow> alignIdentified(llvm::ArrayRef<IdentifiedLine> before,
                                        llvm::ArrayRef<IdentifiedLine> after);

} // namespace tilescope
