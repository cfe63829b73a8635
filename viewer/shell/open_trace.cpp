#include "viewer/shell/open_trace.h"

namespace tilescope {

llvm::Expected<std::unique_ptr<OpenTrace>> OpenTrace::ofFile(const std::string &path) {
  llvm::Expected<std::unique_ptr<TraceFile>> file = TraceFile::open(path);
  if (!file)
    return file.takeError();
  const Trace &trace = (*file)->trace();
  if (trace.passes.empty())
    return llvm::createStringError(
        "'" + path + "' has no finished pass: " +
        (trace.diagnostics.empty() ? trace.recovery : trace.diagnostics.front().text));
  return std::unique_ptr<OpenTrace>(new OpenTrace(std::move(*file)));
}

llvm::Error OpenTrace::load(size_t pass) {
  if (!file_)
    return llvm::Error::success();
  if (pass > 0 && !file_->isLoaded(pass - 1))
    if (llvm::Error error = file_->load(pass - 1))
      return error;
  return file_->isLoaded(pass) ? llvm::Error::success() : file_->load(pass);
}

} // namespace tilescope
