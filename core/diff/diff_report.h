// Many kernels, before and after: what `tilescope diff` prints in every format.
#pragma once

#include "core/diff/kernel_pairing.h"
#include "core/diff/suppressions.h"

namespace tilescope {

struct KernelComparison {
  std::string file;
  std::string label; // of the instance; "": the file has one
  // What it was called before; both "": the same, or somebody named the two to be compared.
  std::string fileBefore;
  std::string labelBefore;
  // "moved from k/a.py, other arguments (M 64 -> 128)": how the names differ; "": they do not.
  std::string renaming;
  // Indices into what was compared; nullopt: that side lacks the kernel. One of them is there.
  std::optional<size_t> before;
  std::optional<size_t> after;
  // The traces of a folder that it was recorded in; "": it was none.
  std::string traceBefore;
  std::string traceAfter;
  std::string errorBefore; // "": it compiles
  std::string errorAfter;
  // Of a new kernel, or one that compiles now: newCompile; of one that is gone: goneCompile; of one
  // that does not compile any more: diffUpToFailure. nullopt: there is nothing to show.
  std::optional<CompileDiff> diff;
  std::vector<DiffReason> reasons; // worst first; see verdict()
  // Conditions of --fail-on that hold, as given; those that are suppressed apart.
  std::vector<std::string> counted;
  std::vector<std::string> suppressed;

  bool isNew() const { return !before; }
  bool isGone() const { return !after; }
  // It compiles on both sides.
  bool isCompared() const { return errorAfter.empty() && diff && !diff->isNew && !diff->isGone; }
  // There are figures or more to show.
  bool hasDetails() const { return diff && !isQuiet() && verdict() != DiffVerdict::NotCompared; }
  std::string name() const { return label.empty() ? file : file + ":" + label; }
  std::string withRenaming(const std::string &text) const; // in front of it
  DiffVerdict verdict() const { return verdictOf(reasons); }
  // The same, and nothing about it counts: not worth more than a line.
  bool isQuiet() const { return verdict() == DiffVerdict::Same && counted.empty(); }
};

struct DiffReport {
  std::string before; // what the sides are: files, revisions
  std::string after;
  std::vector<KernelComparison> kernels;
  std::vector<std::string> warnings;

  DiffVerdict verdict() const; // the worst of all
  bool isCounted() const;      // some condition of --fail-on holds
};

// Pairs the compiles (see kernel_pairing.h) and compares them.
std::vector<KernelComparison> compareKernels(const std::vector<ComparedCompile> &before,
                                             const std::vector<ComparedCompile> &after,
                                             SideNames names = SideNames::OfFiles);

// Fills in `counted` and `suppressed`. A kernel that failed or was not compared counts without a
// condition. A suppression that was not used is a warning.
void applyConditions(const std::vector<FailCondition> &conditions,
                     std::vector<Suppression> &suppressions, DiffReport &report);

// What counts before the rest, the worst first, then in the order of the report.
std::vector<const KernelComparison *> byWeight(const DiffReport &report);

// Whether blocks per SM of either side are known; they are by shared memory and threads.
bool knowsBlocks(const KernelComparison &kernel);

// "5 kernels: 2 worse, 1 better, 2 same; gemm.py:matmul: 9 -> 4 blocks/SM": of several kernels,
// what the first of byWeight is.
std::string headlineOf(const DiffReport &report);
// Of one kernel: summaryOf its diff, or that it is new, gone or does not compile.
std::string summaryOf(const KernelComparison &kernel);

} // namespace tilescope
