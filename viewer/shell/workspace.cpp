#include "viewer/shell/workspace.h"

#include "core/trace/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fstream>

namespace tilescope {

namespace {

constexpr const char *Occupancy = "occupancy";

llvm::Expected<std::string> readText(const std::string &path) {
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

// A pass by name, so that it is found in another trace of the kernel.
struct PassName {
  std::string name;
  size_t occurrence = 0; // which of that name, from 0

  static PassName of(const Trace &trace, size_t pass) {
    PassName result;
    if (pass >= trace.passes.size())
      return result;
    result.name = trace.passes[pass].name;
    for (size_t i = 0; i < pass; ++i)
      result.occurrence += trace.passes[i].name == result.name;
    return result;
  }

  // The last pass if there is none of that name.
  size_t in(const Trace &trace) const {
    size_t left = occurrence;
    for (size_t i = 0; i < trace.passes.size(); ++i)
      if (trace.passes[i].name == name && left-- == 0)
        return i;
    return trace.passes.size() - 1;
  }
};

// What made a trace, as far as its header says.
CompileRequest requestOf(const TraceHeader &header) {
  CompileRequest request;
  request.path = header.file;
  request.text = header.fileText;
  request.function = header.function;
  request.target = header.target;
  request.passes = header.pipeline;
  request.allowHazards = header.allowHazards;
  request.aliases = !header.noAliases;
  request.plan.forOccupancy = header.planFor == Occupancy;
  for (const TraceParameter &parameter : header.parameters)
    request.arguments.emplace_back(parameter.name, parameter.value);
  return request;
}

void setValue(Requested::Values &values, llvm::StringRef name, llvm::StringRef value) {
  auto found = llvm::find_if(values, [&](const auto &item) { return item.first == name; });
  if (found == values.end())
    values.emplace_back(name.str(), value.str());
  else
    found->second = value.str();
}

} // namespace

bool isTraceFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(64, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return looksLikeTrace(start) || llvm::StringRef(path).ends_with(".trace");
}

Workspace::Workspace(std::function<void()> wake)
    : wake_(wake), files_(wake), live_(std::move(wake)) {
  document_.message = "nothing is open";
}

void Workspace::open(const std::string &path) {
  if (!isTraceFile(path)) {
    llvm::Expected<std::string> text = readText(path);
    if (!text) {
      document_.message = llvm::toString(text.takeError());
      return;
    }
    CompileRequest request;
    request.path = path;
    request.text = std::move(*text);
    return openKernel(std::move(request));
  }
  llvm::Expected<std::unique_ptr<OpenTrace>> trace = OpenTrace::ofFile(path);
  if (!trace) {
    document_.message = llvm::toString(trace.takeError());
    return;
  }
  request_.reset();
  path_ = path;
  std::string recovery = (*trace)->trace().recovery;
  showTrace(std::move(*trace), std::move(recovery));
  followFiles();
}

void Workspace::openKernel(CompileRequest request) {
  path_ = request.path;
  request_ = std::move(request);
  followFiles();
  recompile();
}

void Workspace::openOther(const std::string &path) {
  llvm::Expected<std::unique_ptr<OpenTrace>> trace = OpenTrace::ofFile(path);
  if (!trace) {
    document_.message = llvm::toString(trace.takeError());
    return;
  }
  setOther(std::move(*trace), path);
}

void Workspace::closeOther() { setOther(nullptr, ""); }

void Workspace::setOther(std::unique_ptr<OpenTrace> other, std::string path) {
  other_ = std::move(other);
  otherPath_ = std::move(path);
  document_.other = other_ ? &other_->trace() : nullptr;
  ++document_.revision;
}

void Workspace::swapOther() {
  if (!other_ || document_.isLive)
    return;
  std::unique_ptr<OpenTrace> shown = std::move(other_);
  std::string path = std::exchange(path_, otherPath_);
  PassName pass = PassName::of(trace_->trace(), selection.pass);
  setOther(std::move(trace_), std::move(path));
  selection.selectPass(pass.in(shown->trace()));
  showTrace(std::move(shown), "");
  followFiles();
}

// The pass and what is pinned stay, as far as the new trace has them.
void Workspace::showTrace(std::unique_ptr<OpenTrace> trace, std::string message) {
  if (trace_)
    selection.pass = PassName::of(trace_->trace(), selection.pass).in(trace->trace());
  trace_ = std::move(trace);
  document_.trace = &trace_->trace();
  selection.pass = std::min(selection.pass, document_.trace->passes.size() - 1);
  document_.isLive = request_.has_value();
  document_.message = std::move(message);
  ++document_.revision;
}

void Workspace::loadShown() {
  auto load = [&](OpenTrace &trace, size_t pass) {
    if (llvm::Error error = trace.load(pass))
      document_.message = llvm::toString(std::move(error));
  };
  if (other_) {
    // A comparison needs the last passes too.
    load(*trace_, trace_->trace().passes.size() - 1);
    load(*other_, other_->trace().passes.size() - 1);
  }
  if (trace_)
    load(*trace_, selection.pass);
}

bool Workspace::loadNeighbour() {
  if (!trace_ || !document_.trace)
    return false;
  for (size_t pass : {selection.pass + 1, selection.pass - 1}) {
    if (pass >= document_.trace->passes.size() || trace_->isLoaded(pass))
      continue;
    if (llvm::Error error = trace_->load(pass)) {
      llvm::consumeError(std::move(error)); // said when the user steps there
      return false;
    }
    return true;
  }
  return false;
}

void Workspace::followFiles() { files_.watch({path_}); }

bool Workspace::update() {
  bool isNew = false;
  if (std::optional<LiveCompile::Finished> finished = live_.take()) {
    takeCompile(std::move(*finished));
    isNew = true;
  }
  for (const std::string &changed : files_.takeChanged()) {
    if (changed != path_)
      continue;
    isNew = true;
    request_ ? reloadKernel() : followTrace();
  }
  document_.isCompiling = request_ && live_.isBusy();
  return isNew;
}

void Workspace::waitForCompile() {
  while (live_.isBusy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  update();
}

void Workspace::takeCompile(LiveCompile::Finished finished) {
  if (!request_)
    return; // a trace was opened meanwhile
  document_.isLive = true;
  if (finished.trace.passes.empty()) {
    document_.message = finished.diagnostics;
    return;
  }
  showTrace(std::make_unique<OpenTrace>(std::move(finished.trace)),
            finished.succeeded ? "" : std::move(finished.diagnostics));
}

// Who stands at the end of a trace that grows stays at its end.
void Workspace::followTrace() {
  if (!trace_)
    return open(path_);
  const Trace &trace = trace_->trace();
  PassName pass = PassName::of(trace, selection.pass);
  bool wasAtEnd = selection.pass + 1 == trace.passes.size();
  if (trace_->follow() == TraceFile::Change::None)
    return;
  if (trace.passes.empty()) { // another compile, which has not finished its first pass
    document_.trace = nullptr;
    document_.message = "waiting for the first pass of '" + path_ + "'";
    return;
  }
  document_.trace = &trace;
  selection.pass = wasAtEnd ? trace.passes.size() - 1 : pass.in(trace);
  document_.message = trace.recovery;
  ++document_.revision;
}

void Workspace::reloadKernel() {
  llvm::Expected<std::string> text = readText(path_);
  if (!text) {
    document_.message = llvm::toString(text.takeError());
    return;
  }
  if (*text == request_->text)
    return;
  request_->text = std::move(*text);
  recompile();
}

void Workspace::setArgument(llvm::StringRef name, llvm::StringRef value) {
  if (!request_)
    return;
  setValue(request_->arguments, name, value);
  recompile();
}

void Workspace::setTarget(llvm::StringRef target) {
  if (!request_)
    return;
  request_->target = target.str();
  recompile();
}

void Workspace::setPassOption(llvm::StringRef name, llvm::StringRef value) {
  if (!request_)
    return;
  setValue(request_->passOptions, name, value);
  recompile();
}

void Workspace::setPlanFor(llvm::StringRef goal) {
  if (!request_)
    return;
  request_->plan.forOccupancy = goal == Occupancy;
  recompile();
}

void Workspace::recompile() {
  if (!request_ && trace_)
    request_ = requestOf(trace_->trace().header);
  if (!request_)
    return;
  document_.isCompiling = true;
  document_.requested = {request_->arguments, request_->passOptions, request_->target,
                         request_->plan.forOccupancy ? Occupancy : "height"};
  live_.start(*request_);
}

std::optional<std::string> Workspace::taggedText(size_t pass) {
  if (!request_) {
    document_.message = "a recorded trace cannot be edited: compile it again first (r)";
    return std::nullopt;
  }
  llvm::Expected<std::string> text =
      taggedTextAfter(*request_, patchPlaceOf(trace_->trace(), pass));
  if (!text) {
    document_.message = llvm::toString(text.takeError());
    return std::nullopt;
  }
  return std::move(*text);
}

void Workspace::editIr(size_t pass, std::string text) {
  std::optional<std::string> before = taggedText(pass);
  if (!before)
    return;
  std::string patch = makePatchText(patchPlaceOf(trace_->trace(), pass), *before, text);
  if (patch.empty())
    return;
  std::string name = "edit " + std::to_string(request_->patches.size() + 1);
  request_->patches.push_back({std::move(name), std::move(patch)});
  recompile();
}

void Workspace::dropEdits() {
  if (!hasEdits())
    return;
  request_->patches.clear();
  recompile();
}

std::string Workspace::patchText() const {
  std::string text;
  if (request_)
    for (const Patch &patch : request_->patches)
      text += patch.text;
  return text;
}

void Workspace::breakBefore(std::optional<size_t> pass) {
  if (!request_ || !trace_)
    return;
  request_->stopAfter = pass && *pass > 0 ? patchPlaceOf(trace_->trace(), *pass - 1) : "";
  recompile();
}

} // namespace tilescope
