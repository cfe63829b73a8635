// The two sides of `diff`: traces, kernel files, files of a git revision, as compiles.
#pragma once

#include "cli/command.h"
#include "core/diff/diff_report.h"
#include "core/driver/kernel_instances.h"

namespace tilescope {

// What kernels are compiled with.
struct SideOptions {
  // In place of what an instance says, or beside it.
  std::vector<std::pair<std::string, std::string>> arguments;
  std::vector<std::string> targets; // for instances that name none
};

// A file, or a kernel of it, that is not compared, and why.
struct NotCompared {
  std::string file;
  std::string function; // "": the whole file
  std::string why;
};

struct LoadedSide {
  std::vector<ComparedCompile> compiles;
  // Kernels that no line lists, compiled with the defaults of their arguments. Such a file may hold
  // what is no kernel of ours, so one that compiles on neither side is no finding.
  std::vector<ComparedCompile> tried;
  std::vector<NotCompared> notCompared;
  std::vector<std::string> warnings;
  bool isTrace = false; // SideOptions were not needed
};

// A side named on the command line: a trace, FILE[:FUNCTION], or REV:FILE[:FUNCTION]. Without a
// function, all instances that the file lists. An error if it cannot be read, is cut off, or cannot
// be compiled as asked, after the diagnostics were printed; a kernel that does not compile is part
// of the answer.
llvm::Expected<LoadedSide> loadSide(const std::string &name, const SideOptions &options);

// Which kernels of a revision.
struct RevisionKernels {
  std::vector<std::string> paths;
  std::vector<KernelInstance> listed; // by lists; paths from the current folder
};

// The kernel files at a revision: those that are named, those in folders that list instances or
// have kernels whose arguments all have defaults, and what lists name, where the revision has it.
llvm::Expected<LoadedSide> loadRevision(const std::string &revision, const RevisionKernels &kernels,
                                        const SideOptions &options);

// `tried` of both sides: what compiles on one of them joins `compiles`, the rest of the second side
// `notCompared`.
void takeTried(LoadedSide &before, LoadedSide &after);

} // namespace tilescope
