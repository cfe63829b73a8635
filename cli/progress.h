// How far a long piece of work is, on standard error. Only a terminal gets any of it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <cstddef>

namespace tilescope {

class Progress {
public:
  // `done` of `all` were there before.
  Progress(size_t done, size_t all);
  ~Progress(); // clears its line

  // `note` stands behind the bar: "3 failed".
  void advance(llvm::StringRef note);
  // So many are done now.
  void show(size_t done, llvm::StringRef note);

private:
  void draw(llvm::StringRef note) const;

  size_t done_;
  size_t all_;
  bool isShown_;
  std::chrono::steady_clock::time_point drawn_;
};

} // namespace tilescope
