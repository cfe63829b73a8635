// Writes a trace as JSON Lines while it grows: see core/trace/README.md for the format.
#pragma once

#include "core/trace/trace.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace tilescope {

class TraceWriter {
public:
  // The file is written in place: whoever follows it sees each pass as it ends. "-" is standard
  // output.
  static llvm::Expected<std::unique_ptr<TraceWriter>> open(const std::string &path);
  ~TraceWriter();

  void writeHeader(const TraceHeader &header);
  void beginPass(llvm::StringRef name, llvm::StringRef options);
  // Everything of `trace` that pass `index` added. Flushed, so that it survives a kill.
  void writePass(const Trace &trace, size_t index);
  // Diagnostics, CUDA, launch records and the closing index. The error is the first that any
  // write met (unwritable file, full disk).
  llvm::Error close(const Trace &trace);

  uint64_t bytesWritten() const;

private:
  TraceWriter(std::string path, std::unique_ptr<llvm::raw_fd_ostream> out);
  class Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace tilescope
