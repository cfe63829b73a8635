// One kernel at the commits that changed its file.
#pragma once

#include "cli/compared_sides.h"

namespace tilescope {

struct CommitCompile {
  std::string commit; // "1a2b3c4d Load the mask once"
  ComparedCompile compile;
};

// `range` is "REV1..REV2": REV1, then what changed FILE on the way from it to REV2 along first
// parents, oldest first. `kernel` is FILE[:FUNCTION]; without a function, all instances that the
// file lists at that commit. A commit whose file cannot be read or compiled has a compile that says
// why.
llvm::Expected<std::vector<CommitCompile>>
compileHistory(llvm::StringRef range, const std::string &kernel, const SideOptions &options);

} // namespace tilescope
