// check: one compile, or every instance of a folder of traces or a list.
#pragma once

#include "cli/finding_severities.h"
#include "cli/kernel_list.h"
#include "core/views/findings_model.h"

namespace tilescope {

// What `check --format json` prints of one of many.
struct CheckedInstance {
  std::string trace;     // its file; "": it was compiled
  std::string file = {}; // of the kernel
  std::string instance = {};
  int exitCode = Trouble; // as of a check of it alone
  std::string error = {}; // why it was not judged; "": it was
  std::optional<FindingsView> check = std::nullopt;
  std::string text = {}; // of the kernel file that was judged
};

template <typename Archive> void fields(Archive &archive, CheckedInstance &one) {
  archive("trace", one.trace);
  archive.always("file", one.file);
  archive.always("instance", one.instance);
  archive.always("exitCode", one.exitCode);
  archive("error", one.error);
  archive.always("check", one.check);
}

// A verdict is no, or an error says what is wrong with what the kernel does.
bool isWrongKernel(const FindingsView &view);

// Of a compile that came to its first pass, and of a whole trace; applies the severities.
int exitCodeOf(FindingsView &view, const FindingSeverities &severities);

enum class CheckFormat { Text, Json, Sarif };

// As `load` takes them; each may be null.
struct CheckInputs {
  const ProblemOptions *problem = nullptr;
  const KernelOptions *options = nullptr;
  const PtxasOption *ptxas = nullptr;
};

// A line each, and a summary; or an array. What cannot be read says why; the exit code is the
// worst.
int checkInstances(const ListedInstances &listed, CheckFormat format,
                   const FindingSeverities &severities, const CheckInputs &inputs);
// Judges anew. Of what an earlier run came to only a no counts.
FindingsView judgedFindings(const Trace &trace, bool wasRun);

} // namespace tilescope
