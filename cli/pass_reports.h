// What users of LLVM ask a compile for, under the names that they type: -print-after-all,
// -print-changed, -time-passes, -stats, --stop-before. It all goes to standard error,
// or where -info-output-file says, as theirs does.
#pragma once

#include "cli/command.h"
#include "core/pass/pass_observer.h"
#include "core/trace/trace.h"

namespace tilescope {

// Measures passes, without groups of them. The last of the observers: what the others do is not
// counted then, what the checks behind a pass do is.
class PassMeter : public PassObserver {
public:
  struct Measured {
    int64_t wallMicroseconds = 0;
    int64_t heapBytes = 0; // that are in use behind it, and were not before; negative: freed
  };
  void beforePass(const PassExecution &execution, const Module &module) override;
  void afterPass(const PassExecution &execution, const Module &module, bool changed) override;
  // In the order of the passes that ended.
  const std::vector<Measured> &all() const { return measured_; }

private:
  int64_t heapBefore_ = 0;
  bool isInnermost_ = false; // nothing began since beforePass
  std::vector<Measured> measured_;
};

class PassReportOptions {
public:
  explicit PassReportOptions(llvm::cl::OptionCategory &category);
  // Whether a trace of the compile is needed.
  bool needsTrace() const;
  // A compile whose IR is wanted before or after a pass, instead of what it is for.
  bool stops() const;
  // That IR, tagged. The error: no such pass, or that of the compile.
  llvm::Expected<std::string> stoppedText(const CompileRequest &request) const;
  // Prints what was asked for. Fine, or Trouble: a name is no pass, a file cannot be written.
  int print(const Trace &trace, const PassMeter &meter) const;

private:
  // LLVM's library registers options of its own by these names, which say nothing here.
  struct LibraryOptionsRemoved {
    LibraryOptionsRemoved();
  };
  enum class Changed : uint8_t { Nothing, All, Quiet, Diff };

  llvm::Error checkNames(const Trace &trace) const;
  void printIr(const Trace &trace, llvm::raw_ostream &out) const;
  void printChanged(const Trace &trace, llvm::raw_ostream &out) const;
  llvm::Error printFigures(const Trace &trace, const PassMeter &meter) const;

  LibraryOptionsRemoved libraryOptionsRemoved_;
  llvm::cl::opt<bool> printAfterAll_;
  llvm::cl::opt<bool> printBeforeAll_;
  llvm::cl::list<std::string> printAfter_;
  llvm::cl::list<std::string> printBefore_;
  ChoiceOption<Changed> printChanged_;
  llvm::cl::opt<std::string> stopBefore_;
  llvm::cl::opt<std::string> stopAfter_;
  llvm::cl::opt<bool> timePasses_;
  llvm::cl::opt<bool> stats_;
  llvm::cl::opt<bool> statsJson_;
  llvm::cl::opt<std::string> infoFile_;
};

} // namespace tilescope
