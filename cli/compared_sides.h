// The two sides of `diff`: traces, kernel files, files of a git revision, as compiles.
#pragma once

#include "cli/command.h"
#include "core/diff/diff_report.h"

namespace tilescope {

// What kernels are compiled with.
struct SideOptions {
  // In place of what an instance says, or beside it.
  std::vector<std::pair<std::string, std::string>> arguments;
  std::vector<std::string> targets; // for instances that name none
};

struct LoadedSide {
  std::vector<ComparedCompile> compiles;
  std::vector<std::string> unlisted; // files with kernels that list no instance, not compiled
  std::vector<std::string> warnings;
  bool isTrace = false; // SideOptions were not needed
};

// A side named on the command line: a trace, FILE[:FUNCTION], or REV:FILE[:FUNCTION]. Without a
// function, all instances that the file lists. An error if it cannot be read, is cut off, or cannot
// be compiled as asked, after the diagnostics were printed; a kernel that does not compile is part
// of the answer.
llvm::Expected<LoadedSide> loadSide(const std::string &name, const SideOptions &options);

// The kernel files at a revision: those that are named, and those in folders that list instances.
llvm::Expected<LoadedSide> loadRevision(const std::string &revision,
                                        const std::vector<std::string> &paths,
                                        const SideOptions &options);

} // namespace tilescope
