// The two sides of `diff`: traces, kernel files, files of a git revision, as compiles.
#pragma once

#include "cli/kernel_list.h"
#include "core/diff/diff_report.h"

namespace tilescope {

class PtxasOption;

// What kernels are compiled with.
struct SideOptions {
  // In place of what an instance says, or beside it.
  std::vector<std::pair<std::string, std::string>> arguments;
  std::vector<std::string> targets; // for instances that name none
  const PtxasOption *ptxas = nullptr;
};

// A file, or kernels of it, that are not compared, and why.
struct NotCompared {
  std::string file;
  std::vector<std::string> functions; // none: the whole file
  std::string why;
};

struct LoadedSide {
  std::vector<ComparedCompile> compiles;
  // Kernels that no line lists, compiled with the defaults of their arguments. Such a file may hold
  // what is no kernel of ours, so one that compiles on neither side is no finding.
  std::vector<ComparedCompile> tried;
  std::vector<NotCompared> notCompared;
  std::vector<std::string> warnings;
  std::vector<UnreadTrace> unread;
  bool isTrace = false;               // SideOptions were not needed
  const PtxasOption *ptxas = nullptr; // of traces that are read later
};

// REV:FILE[:FUNCTION], where no file has that name.
bool isOfRevision(const std::string &name);

// A side named on the command line: a trace, FILE[:FUNCTION], or REV:FILE[:FUNCTION]. Without a
// function, all instances that the file lists. An error if it cannot be read, is cut off, or cannot
// be compiled as asked, after the diagnostics were printed; a kernel that does not compile is part
// of the answer.
llvm::Expected<LoadedSide> loadSide(const std::string &name, const SideOptions &options);

// The instances of a side that stands for many, or is compared with one that does: a folder of
// traces, a trace, a kernel file, a list. Of traces the first record alone is read.
llvm::Expected<LoadedSide> loadInstances(const std::string &name, const SideOptions &options);

// Pairs the instances of two such sides and compares them pair by pair, so that of recorded ones
// two are in memory. A pair of which a trace cannot be read is left out; the trace joins `unread`.
std::vector<KernelComparison> compareInstances(LoadedSide &before, LoadedSide &after);

// With its trace: read into `storage`, where it was recorded in a file and not kept.
llvm::Expected<const ComparedCompile *> withTrace(const ComparedCompile &compile,
                                                  std::optional<ComparedCompile> &storage);

// Which kernels of a revision.
struct RevisionKernels {
  std::vector<std::string> paths;
  std::vector<KernelInstance> listed; // by lists; paths from the current folder
};

// In place of a revision: the files as they are. No revision is called so.
inline constexpr const char *WorkTree = "work tree";

// The kernel files at a revision, or in the work tree: those that are named, those in folders that
// list instances or have kernels whose arguments all have defaults, and what lists name, where the
// revision has it.
llvm::Expected<LoadedSide> loadRevision(const std::string &revision, const RevisionKernels &kernels,
                                        const SideOptions &options);

// `tried` of both sides: what compiles on one of them joins `compiles`, the rest of the second side
// `notCompared`.
void takeTried(LoadedSide &before, LoadedSide &after);

} // namespace tilescope
