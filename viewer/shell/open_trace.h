// A trace that is open: a file, which is loaded in parts, or what a compile left in memory.
#pragma once

#include "core/trace/trace_file.h"

namespace tilescope {

class OpenTrace {
public:
  // The error says why nothing can be shown, also where no pass has finished.
  static llvm::Expected<std::unique_ptr<OpenTrace>> ofFile(const std::string &path);
  explicit OpenTrace(Trace trace) : compiled_(std::move(trace)) {}

  const Trace &trace() const { return file_ ? file_->trace() : compiled_; }
  // The pass and the one before it, which views compare it with.
  llvm::Error load(size_t pass);
  // The file, if it is one that is loaded in parts; else "".
  std::string partlyLoadedFile() const {
    return file_ && !file_->isWhole() ? file_->path() : std::string();
  }
  // See TraceFile::lookAround.
  std::vector<TraceSnapshot> lookAround(size_t pass, bool goesBack,
                                        const std::function<void()> &wake) {
    return file_ ? file_->lookAround(pass, goesBack, wake) : std::vector<TraceSnapshot>();
  }
  TraceFile::Change follow() { return file_ ? file_->follow() : TraceFile::Change::None; }

private:
  explicit OpenTrace(std::unique_ptr<TraceFile> file) : file_(std::move(file)) {}

  std::unique_ptr<TraceFile> file_;
  Trace compiled_; // without a file
};

} // namespace tilescope
