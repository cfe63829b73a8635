// A trace that is open: a file, which is loaded in parts, or what a compile left in memory.
//
// Panels show at least one pass. Where none has ended, the front end stands in for it: the kernel
// file and what is wrong with it, without IR.
#pragma once

#include "core/trace_file/trace_file.h"

namespace tilescope {

class OpenTrace {
public:
  // The error says why nothing can be shown.
  static llvm::Expected<std::unique_ptr<OpenTrace>> ofFile(const std::string &path,
                                                           const TraceFileOptions &options = {});
  explicit OpenTrace(Trace trace) : compiled_(std::move(trace)) { standIn(); }

  // Another object when the first pass has ended.
  const Trace &trace() const { return standIn_ ? *standIn_ : recorded(); }
  // No pass has ended.
  bool isStandIn() const { return standIn_ != nullptr; }
  // The pass and the one before it, which views compare it with. To be called for all that is shown
  // before each frame: what was not asked for longest is dropped first.
  llvm::Error load(size_t pass);
  // The file, if it is one that is loaded in parts; else "".
  std::string partlyLoadedFile() const {
    return file_ && !isStandIn() && !file_->isWhole() ? file_->path() : std::string();
  }
  // See TraceFile::lookAround.
  std::vector<TraceSnapshot> lookAround(size_t pass, bool goesBack,
                                        const std::function<void()> &wake) {
    return file_ && !isStandIn() ? file_->lookAround(pass, goesBack, wake)
                                 : std::vector<TraceSnapshot>();
  }
  // Whether `load` need not read facets.
  bool isAtHand(size_t pass) const {
    return partlyLoadedFile().empty() ||
           (file_->isAtHand(pass) && (pass == 0 || file_->isAtHand(pass - 1)));
  }
  TraceFile::Change follow();

private:
  explicit OpenTrace(std::unique_ptr<TraceFile> file) : file_(std::move(file)) { standIn(); }
  const Trace &recorded() const { return file_ ? file_->trace() : compiled_; }
  void standIn();

  std::unique_ptr<TraceFile> file_;
  Trace compiled_; // without a file
  std::unique_ptr<Trace> standIn_;
};

// Whether the compile says of itself that it failed.
bool hasErrors(const Trace &trace);

} // namespace tilescope
