#include "core/trace_file/trace_folder.h"

#include "core/trace_file/record_source.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <tuple>

namespace tilescope {

namespace {

auto orderOf(const TraceInstance &trace) {
  return std::tie(trace.function, trace.arguments, trace.target, trace.file, trace.configuration,
                  trace.path);
}

// Another version of the compiler is no other configuration.
std::string configurationOf(const TraceHeader &header) {
  std::string text = llvm::StringRef(header.compiler).split(' ').first.str();
  for (const std::string &part : {header.pipeline, header.planFor})
    text += "\n" + part;
  for (const TraceParameter &option : header.passOptions)
    text += "\n" + option.name + "=" + option.value;
  return text;
}

// The paths of its traces, sorted.
llvm::Expected<std::vector<std::string>> tracesIn(const std::string &folder) {
  std::error_code code;
  std::vector<std::string> paths;
  for (llvm::sys::fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    if (llvm::StringRef(entry->path()).ends_with(".trace"))
      paths.push_back(entry->path());
  if (code)
    return llvm::createStringError("cannot read the folder '" + folder + "': " + code.message());
  if (paths.empty() && llvm::sys::fs::exists(folder + "/index.json"))
    return llvm::createStringError(
        "the folder '" + folder +
        "' has no trace: by its index.json nothing was compiled while it was recorded; "
        "TILESCOPE_RECORD_REBUILD=1 goes round the caches of TileLang");
  if (paths.empty())
    return llvm::createStringError("the folder '" + folder + "' has no trace (*.trace)");
  llvm::sort(paths);
  return paths;
}

} // namespace

llvm::Expected<TraceInstance> readTraceInstance(const std::string &path) {
  // What is no file may never end.
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return llvm::createStringError("'" + path + "' is no file");
  llvm::Expected<std::unique_ptr<RecordSource>> source = RecordSource::open(path);
  if (!source)
    return source.takeError();
  bool isEnded = false;
  Trace begun;
  if (llvm::Error error = readHeader((*source)->readLine(0, isEnded), path, begun))
    return error;
  TraceHeader &header = begun.header;
  TraceInstance trace;
  trace.path = path;
  trace.configuration = configurationOf(header);
  trace.file = std::move(header.file);
  trace.function = std::move(header.function);
  trace.target = std::move(header.target);
  for (TraceParameter &parameter : header.parameters)
    trace.arguments.emplace_back(std::move(parameter.name), std::move(parameter.value));
  llvm::stable_sort(trace.arguments, llvm::less_first());
  return trace;
}

llvm::Expected<TraceFolder> readTraceFolder(const std::string &path) {
  llvm::Expected<std::vector<std::string>> paths = tracesIn(path);
  if (!paths)
    return paths.takeError();
  TraceFolder folder;
  for (const std::string &file : *paths) {
    if (llvm::Expected<TraceInstance> trace = readTraceInstance(file))
      folder.traces.push_back(std::move(*trace));
    else
      folder.unread.push_back({file, llvm::toString(trace.takeError())});
  }
  llvm::sort(folder.traces, [](const TraceInstance &a, const TraceInstance &b) {
    return orderOf(a) < orderOf(b);
  });
  return folder;
}

} // namespace tilescope
