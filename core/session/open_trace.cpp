#include "core/session/open_trace.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

llvm::Expected<std::unique_ptr<OpenTrace>> OpenTrace::ofFile(const std::string &path,
                                                             const TraceFileOptions &options) {
  llvm::Expected<std::unique_ptr<TraceFile>> file = TraceFile::open(path, options);
  if (!file)
    return file.takeError();
  return std::unique_ptr<OpenTrace>(new OpenTrace(std::move(*file)));
}

bool hasErrors(const Trace &trace) {
  return llvm::any_of(trace.diagnostics, [](const TraceDiagnostic &diagnostic) {
    return diagnostic.severity == "error";
  });
}

void OpenTrace::standIn() {
  standIn_.reset();
  const Trace &trace = recorded();
  if (!trace.passes.empty())
    return;
  standIn_ = std::make_unique<Trace>();
  standIn_->header = trace.header;
  standIn_->diagnostics = trace.diagnostics;
  standIn_->complete = trace.complete;
  standIn_->recovery = trace.recovery;
  TracePass pass;
  pass.name = "elaborate";
  pass.status = hasErrors(trace) ? PassStatus::Failed : PassStatus::Unchanged;
  pass.figures = PassFigures();
  standIn_->passes.push_back(std::move(pass));
  standIn_->snapshots.emplace_back();
}

TraceFile::Change OpenTrace::follow() {
  if (!file_)
    return TraceFile::Change::None;
  TraceFile::Change change = file_->follow();
  if (change != TraceFile::Change::None)
    standIn();
  return change;
}

llvm::Error OpenTrace::load(size_t pass) {
  if (!file_ || isStandIn())
    return llvm::Error::success();
  if (pass > 0)
    if (llvm::Error error = file_->load(pass - 1))
      return error;
  return file_->load(pass);
}

} // namespace tilescope
