#include "viewer/shell/workspace.h"

#include "core/trace/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tilescope {

namespace {

llvm::Expected<std::string> readText(const std::string &path) {
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

// Which of the passes of that name it is, from 0.
size_t occurrenceOf(const Trace &trace, size_t pass) {
  size_t count = 0;
  for (size_t i = 0; i < pass; ++i)
    count += trace.passes[i].name == trace.passes[pass].name;
  return count;
}

// The same pass in another trace, else the last.
size_t samePass(const Trace &before, size_t pass, const Trace &after) {
  if (pass >= before.passes.size())
    return after.passes.size() - 1;
  size_t occurrence = occurrenceOf(before, pass);
  for (size_t i = 0; i < after.passes.size(); ++i)
    if (after.passes[i].name == before.passes[pass].name && occurrence-- == 0)
      return i;
  return after.passes.size() - 1;
}

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
  request.plan.forOccupancy = header.planFor == "occupancy";
  for (const TraceParameter &parameter : header.parameters)
    request.arguments.emplace_back(parameter.name, parameter.value);
  return request;
}

} // namespace

Workspace::Workspace(std::function<void()> wake)
    : wake_(wake), files_(wake), live_(std::move(wake)) {
  document_.message = "nothing is open";
}

void Workspace::open(const std::string &path) {
  llvm::Expected<std::string> text = readText(path);
  if (!text) {
    document_.message = llvm::toString(text.takeError());
    return;
  }
  if (looksLikeTrace(*text)) {
    llvm::Expected<Trace> trace = readTrace(*text, path);
    if (!trace) {
      document_.message = llvm::toString(trace.takeError());
      return;
    }
    if (trace->passes.empty()) {
      document_.message = "'" + path + "' has no finished pass: " + trace->recovery;
      return;
    }
    request_.reset();
    path_ = path;
    std::string recovery = trace->recovery;
    showTrace(std::make_unique<Trace>(std::move(*trace)), std::move(recovery));
    followFiles();
    return;
  }
  CompileRequest request;
  request.path = path;
  request.text = std::move(*text);
  openKernel(std::move(request));
}

void Workspace::openKernel(CompileRequest request) {
  path_ = request.path;
  request_ = std::move(request);
  document_.requested.clear();
  for (const auto &[name, value] : request_->arguments)
    document_.requested.push_back({name, value});
  document_.requestedTarget = request_->target;
  followFiles();
  recompile();
}

void Workspace::openOther(const std::string &path) {
  llvm::Expected<Trace> trace = readTraceFile(path);
  if (!trace || trace->passes.empty()) {
    document_.message =
        trace ? "'" + path + "' has no finished pass" : llvm::toString(trace.takeError());
    return;
  }
  other_ = std::make_unique<Trace>(std::move(*trace));
  otherPath_ = path;
  document_.other = other_.get();
  ++document_.revision;
}

void Workspace::closeOther() {
  other_.reset();
  otherPath_.clear();
  document_.other = nullptr;
  ++document_.revision;
}

void Workspace::swapOther() {
  if (!other_ || document_.isLive)
    return;
  std::swap(path_, otherPath_);
  std::unique_ptr<Trace> shown = std::move(other_);
  other_ = std::move(trace_);
  document_.other = other_.get();
  trace_ = nullptr;
  selection.selectPass(samePass(*other_, selection.pass, *shown));
  showTrace(std::move(shown), "");
  followFiles();
}

// The pass and what is pinned stay, as far as the new trace has them.
void Workspace::showTrace(std::unique_ptr<Trace> trace, std::string message) {
  if (trace_)
    selection.pass = samePass(*trace_, selection.pass, *trace);
  else
    selection.pass = std::min(selection.pass, trace->passes.size() - 1);
  trace_ = std::move(trace);
  document_.trace = trace_.get();
  document_.isLive = request_.has_value();
  document_.message = std::move(message);
  ++document_.revision;
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
    request_ ? reloadKernel() : reopenTrace();
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
  showTrace(std::make_unique<Trace>(std::move(finished.trace)),
            finished.succeeded ? "" : std::move(finished.diagnostics));
}

void Workspace::reopenTrace() {
  llvm::Expected<Trace> trace = readTraceFile(path_);
  if (!trace || trace->passes.empty()) {
    document_.message =
        trace ? "waiting for the first pass of '" + path_ + "'" : llvm::toString(trace.takeError());
    return;
  }
  bool wasAtEnd = trace_ && selection.pass + 1 == trace_->passes.size();
  std::string recovery = trace->recovery;
  showTrace(std::make_unique<Trace>(std::move(*trace)), std::move(recovery));
  if (wasAtEnd)
    selection.selectPass(trace_->passes.size() - 1);
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
  auto found = llvm::find_if(request_->arguments,
                             [&](const auto &argument) { return argument.first == name; });
  if (found == request_->arguments.end())
    request_->arguments.emplace_back(name.str(), value.str());
  else
    found->second = value.str();
  document_.requested.clear();
  for (const auto &[argument, text] : request_->arguments)
    document_.requested.push_back({argument, text});
  recompile();
}

void Workspace::setTarget(llvm::StringRef target) {
  if (!request_)
    return;
  request_->target = target.str();
  document_.requestedTarget = request_->target;
  recompile();
}

void Workspace::recompile() {
  if (!request_ && trace_)
    request_ = requestOf(trace_->header);
  if (!request_)
    return;
  document_.isCompiling = true;
  live_.start(*request_);
}

std::optional<std::string> Workspace::taggedText(size_t pass) {
  if (!request_) {
    document_.message = "a recorded trace cannot be edited: compile it again first (r)";
    return std::nullopt;
  }
  llvm::Expected<std::string> text = taggedTextAfter(*request_, patchPlaceOf(*trace_, pass));
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
  std::string patch = makePatchText(patchPlaceOf(*trace_, pass), *before, text);
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
  request_->stopAfter = pass && *pass > 0 ? patchPlaceOf(*trace_, *pass - 1) : "";
  recompile();
}

} // namespace tilescope
