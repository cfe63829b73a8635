#include "core/session/instance_list.h"

#include "core/trace_file/trace_reader.h"

#include "llvm/Support/Path.h"

namespace tilescope {

static std::string fileName(llvm::StringRef path) { return llvm::sys::path::filename(path).str(); }

llvm::Expected<InstanceList> InstanceList::open(const std::string &folder) {
  llvm::Expected<TraceFolder> found = readTraceFolder(folder);
  if (!found)
    return found.takeError();
  InstanceList list;
  list.view_.folder = folder;
  for (const TraceInstance &trace : found->traces) {
    InstanceRow row;
    row.trace = fileName(trace.path);
    row.kernel = trace.function;
    row.target = trace.target;
    list.view_.rows.push_back(std::move(row));
    list.paths_.push_back(trace.path);
  }
  for (const UnreadTrace &trace : found->unread) {
    InstanceRow row;
    row.trace = fileName(trace.path);
    row.error = trace.why;
    list.view_.rows.push_back(std::move(row));
    list.paths_.push_back(trace.path);
  }
  return list;
}

bool InstanceList::readNext() {
  while (readCount_ != view_.rows.size() && !view_.rows[readCount_].error.empty())
    ++readCount_;
  if (readCount_ == view_.rows.size())
    return false;
  InstanceRow &row = view_.rows[readCount_];
  llvm::Expected<Trace> trace = readTraceFile(paths_[readCount_++]);
  if (!trace) {
    row.error = llvm::toString(trace.takeError());
    return true;
  }
  row = instanceRowOf(*trace, row.trace);
  if (!trace->complete)
    row.error = "it is cut off" + (trace->recovery.empty() ? "" : ": " + trace->recovery);
  return true;
}

} // namespace tilescope
