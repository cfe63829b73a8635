// Everything that differs between two compiles of a kernel.
#pragma once

#include "core/diff/code_facts.h"
#include "core/diff/peak_payers.h"
#include "core/diff/setting_diff.h"
#include "core/diff/verdict_diff.h"

namespace tilescope {

enum class DiffReason : uint8_t {
#define REASON(Name, name, text) Name,
#include "core/diff/diff_reasons.def"
};

// As `--fail-on` names it.
const char *nameOf(DiffReason reason);
// "needs more shared memory"
const char *textOf(DiffReason reason);
std::optional<DiffReason> reasonNamed(llvm::StringRef name);
std::vector<std::string> reasonNames();

struct FunctionDiff {
  KernelDiff kernel;
  std::vector<PeakPayer> payers; // their deltas add up to kernel.deltaBytes()
};

enum class DiffSides : uint8_t { Both, Before, After };

// Where the shared bytes of two compiles part.
struct BytesDifference {
  std::string pass;
  int64_t bytesBefore = 0;
  int64_t bytesAfter = 0;
  DiffSides sides = DiffSides::Both; // that have the pass
};

// What of two compiles can be held against each other.
enum class DiffScope : uint8_t {
  Whole,
  UpToFailure, // the newer one fails: settings, shared memory and IR up to there, no code
  PlanAlone,   // one of them is a plan without a kernel: shared memory
};

struct CompileDiff {
  DiffScope scope = DiffScope::Whole;
  std::string upTo;    // the last pass that both finished; "": all were compared
  bool isNew = false;  // there is nothing before
  bool isGone = false; // there is nothing after
  std::vector<SettingDiff> settings;
  std::vector<FunctionDiff> functions; // that use shared memory, after the last pass
  std::vector<BufferDiff> buffers;     // of shared memory, and others that changed
  // The first pass that both compiles have and after which their IR differs; "": none.
  std::string firstIrDifference;
  // After the first pass at which shared memory differs, and still does after the next that both
  // have; nullopt: it never does.
  std::optional<BytesDifference> firstBytesDifference;
  std::vector<VerdictDiff> verdicts; // that differ
  CodeFacts codeBefore;
  CodeFacts codeAfter;
  CudaDiff cuda;
};

CompileDiff diffCompiles(const Trace &before, const Trace &after);
// Of a compile that fails: both sides after the last pass that both finished.
CompileDiff diffUpToFailure(const Trace &before, const Trace &after);
// The figures of a kernel that there was not before; all of its buffers are new.
CompileDiff newCompile(const Trace &after);
// The figures of one that there is no longer.
CompileDiff goneCompile(const Trace &before);

// What is to be said of the two, worst first, each once; empty: they are the same and sound.
std::vector<DiffReason> reasonsOf(const CompileDiff &diff);

// What matters most to whoever reviews a change, from the best to the worst. Better and worse are
// what nobody doubts: soundness, whether it fits and compiles, blocks per SM, and with equal blocks
// and pipelines the barriers. Another peak alone is no more than smaller or larger.
enum class DiffVerdict : uint8_t {
  Same, // also if it is as unsound, or as far over capacity, as it was
  Changed,
  Smaller,
  Better,
  Larger,
  Worse,
  NotCompared, // neither side compiles, or memory is planned on one side only
  Failed,
};
DiffVerdict verdictOf(const std::vector<DiffReason> &reasons);
const char *nameOf(DiffVerdict verdict);

// What became wrong or right, and the figures: "peak 49,152 -> 65,536 bytes (+16,384)"
std::string figuresTextOf(const CompileDiff &diff);
// One line: these and the buffers: "the same bytes, buffers: 1 moved"; "the same"
std::string summaryOf(const CompileDiff &diff);

} // namespace tilescope
