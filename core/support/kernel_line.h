// The line of the kernel file that a statement comes from, as every view shows it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

struct KernelLine {
  uint32_t number = 0; // from 1; 0: none
  // A pass of another compiler dropped the line, and whoever recorded its program worked it out.
  bool isCarried = false;

  constexpr KernelLine(uint32_t number = 0, bool isCarried = false)
      : number(number), isCarried(isCarried) {}

  explicit operator bool() const { return number != 0; }
  friend bool operator==(const KernelLine &, const KernelLine &) = default;
};

// What `~` before a number means.
inline constexpr const char *CarriedMeaning = "line worked out from statements around it";

// "12", "~12" of a line that was worked out, "" of none. The only place that says it.
std::string lineText(const KernelLine &line);
// The same between two texts: "line 12: ", ", line ~12"; "" of none.
std::string lineText(llvm::StringRef before, const KernelLine &line, llvm::StringRef after = "");

// In a struct that has such a line, under the keys of all of them.
template <typename Archive> void lineFields(Archive &archive, KernelLine &line) {
  archive("sourceLine", line.number);
  archive("carried", line.isCarried);
}

} // namespace tilescope
