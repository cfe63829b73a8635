// Writes a trace as JSON Lines while it grows: see core/trace_file/README.md for the format.
#pragma once

#include "core/trace/trace.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace tilescope {

class TraceWriter {
public:
  // The file grows as PATH.<six digits>.part, which holds each pass that has ended if the compile
  // is killed; `close` gives it its name. What is no regular file is written directly; "-" is
  // standard output.
  static llvm::Expected<std::unique_ptr<TraceWriter>> open(const std::string &path);
  ~TraceWriter();

  void writeHeader(const TraceHeader &header);
  void beginPass(llvm::StringRef name, llvm::StringRef options);
  // Everything of `trace` that pass `index` added. Flushed, so that it survives a kill.
  void writePass(const Trace &trace, size_t index);
  // Diagnostics, CUDA, launch records and the closing index, and the final name, unless the trace
  // has no pass and there is an older one. The error is the first that any write met (unwritable
  // file, full disk) and names what could be written.
  llvm::Error close(const Trace &trace);

  uint64_t bytesWritten() const;
  // Where the trace grows, for whoever wants to follow it.
  const std::string &growingPath() const;

private:
  class Impl;
  explicit TraceWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A whole trace at once.
llvm::Error writeTrace(const Trace &trace, const std::string &path);

} // namespace tilescope
