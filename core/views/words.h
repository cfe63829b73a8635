// The words of a line of text: what a difference is made of, and where names of buffers stand.
#pragma once

#include "core/support/text_span.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tilescope {

// Letters, digits and '_'; bytes beyond ASCII too, so that no character is torn.
bool isWordByte(char byte);

// Runs of word bytes, runs of blanks, and every other byte alone, each blank of the indentation
// too; together they are the line.
std::vector<TextSpan> tokensOf(llvm::StringRef line);

// Each identifier of the line that does not follow a '.', from left to right.
void forEachName(llvm::StringRef line, llvm::function_ref<void(TextSpan name)> visit);

// What two lines differ in: sorted, disjoint. Where hardly anything is kept, all but their common
// indentation.
//
//     T.copy(A[k], A_shared)            before: "A_shared"
//     T.copy(A[k], A_shared[k % 2])     after:  "A_shared[k % 2]" without the part that is kept
struct WordDiff {
  std::vector<TextSpan> before;
  std::vector<TextSpan> after;
};

WordDiff diffWords(llvm::StringRef before, llvm::StringRef after);

template <typename Archive> void fields(Archive &archive, WordDiff &words) {
  archive("before", words.before);
  archive("after", words.after);
}

} // namespace tilescope
