#include "core/session/workspace.h"

#include "core/driver/kernel_instances.h"
#include "core/driver/option_settings.h"
#include "core/driver/patched_pipeline.h"
#include "core/driver/revision_compile.h"
#include "core/trace/pass_figures.h"
#include "core/trace/passes_not_run.h"
#include "core/trace/trace_queries.h"
#include "core/trace_file/trace_reader.h"
#include "core/views/compared_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fstream>

namespace tilescope {

namespace {

constexpr const char *Occupancy = "occupancy";

// What the patch of an edit is called, before its place.
constexpr const char *EditName = "edit after ";

llvm::Expected<std::string> readText(const std::string &path) {
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

void setValue(Requested::Values &values, llvm::StringRef name, llvm::StringRef value) {
  auto found = llvm::find_if(values, [&](const auto &item) { return item.first == name; });
  if (found == values.end())
    values.emplace_back(name.str(), value.str());
  else
    found->second = value.str();
}

// Instance lines that cannot be read offer nothing: whoever compiles instances reports them.
std::vector<Preset> presetsOf(const CompileRequest &request, const Requested &now) {
  llvm::Expected<std::vector<KernelInstance>> instances = instancesOfKernel(request.text, "");
  std::vector<Preset> presets;
  if (!instances) {
    llvm::consumeError(instances.takeError());
    return presets;
  }
  for (const KernelInstance &instance : *instances) {
    Preset preset{labelOf(instance), now};
    preset.requested.function = instance.function;
    preset.requested.arguments = instance.arguments;
    for (const auto &[name, value] : instance.passOptions)
      setValue(preset.requested.passOptions, name, value);
    if (!instance.target.empty())
      preset.requested.target = instance.target;
    presets.push_back(std::move(preset));
  }
  return presets;
}

// What is amiss with a trace file; "": nothing.
std::string messageOf(const OpenTrace &open, const std::string &path) {
  const Trace &trace = open.trace();
  if (!open.isStandIn())
    return trace.recovery;
  if (!trace.diagnostics.empty())
    return "'" + path + "' has no finished pass: " + trace.diagnostics.front().text;
  std::string text = "waiting for the first pass of '" + path + "'";
  return trace.recovery.empty() ? text : text + ": " + trace.recovery;
}

// Nothing that a change of the kernel file would mend.
bool isInvalidRequest(const Trace &trace) {
  return llvm::any_of(trace.diagnostics, [](const TraceDiagnostic &diagnostic) {
    return diagnostic.id == nameOf(DiagId::InvalidRequest);
  });
}

// Of a patch from elsewhere its file.
std::string editPlaceOf(llvm::StringRef patchFile) {
  patchFile.consume_front(EditName);
  return patchFile.str();
}

// The one that was edited at a place, out of the list.
std::optional<Patch> takePatch(std::vector<Patch> &patches, const std::string &place) {
  auto found =
      llvm::find_if(patches, [&](const Patch &patch) { return patch.file == EditName + place; });
  if (found == patches.end())
    return std::nullopt;
  Patch patch = std::move(*found);
  patches.erase(found);
  return patch;
}

void noteEdits(const FinishedCompile &finished, Edits &edits) {
  edits.state = edits.places.empty() ? EditState::Synced : EditState::Patched;
  edits.refused.clear();
  for (const TracePass &pass : finished.trace.passes)
    if (pass.status == PassStatus::Failed && pass.name == PatchPassName) {
      edits.state = EditState::Conflict;
      edits.refused = editPlaceOf(pass.options);
    }
  // The pipeline may have lost the pass; then nothing runs.
  for (const TraceDiagnostic &diagnostic : finished.trace.diagnostics)
    if (diagnostic.id == nameOf(DiagId::PatchWithoutPass))
      edits.state = EditState::Conflict;
}

void loadPass(OpenTrace &trace, size_t pass, Document &document) {
  if (llvm::Error error = trace.load(pass))
    document.message = llvm::toString(std::move(error));
}

// Where passes end, so that this one does not run. A group is not begun.
std::string placeBefore(const Trace &trace, size_t pass) {
  size_t ran = trace.passes.size();
  if (pass < ran)
    return patchPlaceOf(trace, firstOfGroup(trace, pass) - 1);
  std::vector<NamedPass> notRun = passesNotRun(trace);
  size_t at = std::min(pass - ran, notRun.size());
  while (at > 0 && notRun[at - 1].depth > (at < notRun.size() ? notRun[at].depth : 0))
    --at; // to the first of the group
  if (at == 0)
    return patchPlaceOf(trace, ran - 1);
  const std::string &name = notRun[at - 1].name;
  auto isSame = [&](const auto &other) { return other.name == name; };
  auto earlier = llvm::ArrayRef(notRun).take_front(at - 1);
  return placeName(name, static_cast<size_t>(llvm::count_if(trace.passes, isSame) +
                                             llvm::count_if(earlier, isSame)));
}

} // namespace

bool isTraceFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(64, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return looksLikeTrace(start) || llvm::StringRef(path).ends_with(".trace");
}

Workspace::Workspace(std::function<void()> wake)
    : wake_(wake), files_(wake), live_(wake), search_(wake), listings_(wake), trials_(wake),
      history_(wake), otherCompile_(std::move(wake)) {
  document_.message = "nothing is open";
}

bool Workspace::open(const std::string &line) {
  if (isTraceFile(line))
    return openTrace(line);
  llvm::Expected<CompileRequest> request = requestOfLine(line);
  llvm::Expected<std::string> text =
      request ? readText(request->path) : llvm::Expected<std::string>(request.takeError());
  if (!text) {
    document_.message = llvm::toString(text.takeError());
    return false;
  }
  request->text = std::move(*text);
  openKernel(std::move(*request));
  return true;
}

bool Workspace::openTrace(const std::string &path) {
  llvm::Expected<std::unique_ptr<OpenTrace>> trace = OpenTrace::ofFile(path);
  if (!trace) {
    document_.message = llvm::toString(trace.takeError());
    return false;
  }
  closeOther();
  request_.reset();
  document_.edits = {};
  document_.line = path_ = path;
  isOpening_ = true;
  std::string message = messageOf(**trace, path);
  showTrace(std::move(*trace), std::move(message));
  files_.watch({path_});
  return true;
}

void Workspace::openKernel(CompileRequest request) {
  closeOther();
  path_ = request.path;
  isOpening_ = true;
  request_ = std::move(request);
  files_.watch({path_});
  recompile();
}

void Workspace::openOther(const std::string &path) {
  if ((request_ || trace_) && !llvm::sys::fs::exists(path)) {
    compareWith(path);
    return;
  }
  llvm::Expected<std::unique_ptr<OpenTrace>> trace = OpenTrace::ofFile(path);
  if (!trace) {
    document_.message = llvm::toString(trace.takeError());
    return;
  }
  if ((*trace)->isStandIn()) {
    document_.message = messageOf(**trace, path);
    return;
  }
  setOther(std::move(*trace), path);
}

void Workspace::compareWith(llvm::StringRef revision) {
  if (!request_ && !trace_)
    return;
  document_.comparing = revision.str();
  otherCompile_.ask(
      {request_ ? *request_ : requestOf(trace_->trace().header), document_.comparing});
}

bool Workspace::takeOther() {
  std::optional<OtherResult> other = otherCompile_.take();
  if (!other)
    return false;
  document_.comparing.clear();
  if (other->trace)
    setOther(std::make_unique<OpenTrace>(std::move(*other->trace)), std::move(other->revision));
  else
    document_.message = std::move(other->error);
  return true;
}

void Workspace::closeOther() { setOther(nullptr, ""); }

void Workspace::setOther(std::shared_ptr<OpenTrace> other, std::string path) {
  otherCompile_.drop();
  document_.comparing.clear();
  other_ = std::move(other);
  otherPath_ = std::move(path);
  document_.other = other_ ? &other_->trace() : nullptr;
  document_.otherFile = otherPath_;
  ++document_.revision;
}

void Workspace::keepToCompare() {
  if (trace_)
    setOther(trace_, path_);
}

void Workspace::swapOther() {
  if (!other_ || document_.isLive)
    return;
  std::shared_ptr<OpenTrace> shown = std::move(other_);
  std::string path = std::exchange(path_, otherPath_);
  PassName pass = PassName::of(trace_->trace(), selection.pass);
  setOther(std::move(trace_), std::move(path));
  selection.selectPass(pass.in(shown->trace()));
  showTrace(std::move(shown), "");
  files_.watch({path_});
}

// The pass and what is pinned stay, as far as the new trace has them.
void Workspace::showTrace(std::shared_ptr<OpenTrace> trace, std::string message) {
  const Trace *before = trace_ && !trace_->isStandIn() ? &trace_->trace() : nullptr;
  selection.pass = follower_.follow(before, selection.pass, trace->trace());
  trace_ = std::move(trace);
  document_.trace = &trace_->trace();
  document_.file = path_;
  wasOpened_ |= std::exchange(isOpening_, false);
  document_.isLive = request_.has_value();
  document_.stoppedBefore.clear();
  std::vector<NamedPass> notRun = passesNotRun(trace_->trace());
  if (isAtBreak() && !notRun.empty())
    document_.stoppedBefore = notRun.front().name;
  document_.optionHelp.clear();
  for (const TraceParameter &option : trace_->trace().header.passOptions)
    document_.optionHelp[option.name] = helpOfPassOption(option.name);
  document_.message = std::move(message);
  document_.isStale = false;
  ++document_.revision;
}

void Workspace::loadShown(const Background &background) {
  auto load = [&](OpenTrace &trace, size_t pass) { loadPass(trace, pass, document_); };
  auto loadLast = [&](OpenTrace &trace) { load(trace, trace.trace().passes.size() - 1); };
  // CUDA stands for statements of the last pass, and a comparison is of the last passes.
  if (trace_ && (other_ || !trace_->trace().cuda.empty()))
    loadLast(*trace_);
  if (other_)
    loadLast(*other_);
  if (trace_)
    load(*trace_, selection.pass);
  if (trace_ && other_)
    if (auto pass = passOfOther(trace_->trace(), other_->trace(), selection.pass))
      load(*other_, *pass);
  const Trace *trace = document_.trace;
  bool isListed = background.showsListing && trace && !trace->cuda.empty();
  std::shared_ptr<const DeviceListing> recorded = trace ? deviceOf(*trace) : nullptr;
  bool isWhole = recorded && recorded->cubin.empty();
  document_.listing =
      isWhole || !isListed ? recorded : listings_.of({trace->cuda, trace->header.target, recorded});
  bool isTried = background.showsTrials && trace && request_ && !document_.isCompiling &&
                 !document_.isStale && !isAtBreak() && request_->patches.empty();
  document_.trials = isTried ? trials_.of({document_.revision, *request_, trace->header}) : nullptr;
  // While what is shown is compiled, the processors are for that.
  bool mayCompile = background.showsHistory && trace_ && !document_.isCompiling;
  if (!mayCompile && historyOf_) {
    history_.stop();
    historyOf_.reset();
  } else if (mayCompile && historyOf_ != trace_) {
    history_.start(request_ ? *request_ : requestOfCommits(trace_->trace().header));
    historyOf_ = trace_;
  }
  document_.history = background.showsHistory ? history_.known() : nullptr;
}

bool Workspace::lookAhead() {
  document_.ahead.clear();
  if (!document_.trace || trace_->partlyLoadedFile().empty())
    return true;
  if (selection.pass != passBefore_)
    goesBack_ = selection.pass < passBefore_;
  passBefore_ = selection.pass;
  document_.ahead = trace_->lookAround(selection.pass, goesBack_, wake_);
  if (!trace_->isAtHand(selection.pass))
    return false;
  loadPass(*trace_, selection.pass, document_);
  document_.ahead.push_back(
      document_.trace->snapshots[document_.trace->passes[selection.pass].snapshot]);
  return true;
}

bool Workspace::update() {
  bool isNew = false;
  if (std::optional<FinishedCompile> finished = live_.take()) {
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
  isNew |= takeOther();
  return searchPasses() || isNew;
}

// What is loaded the panel counts itself.
bool Workspace::searchPasses() {
  PassSearch::Request request;
  if (document_.trace && !selection.query.empty())
    request.path = trace_->partlyLoadedFile();
  if (!request.path.empty()) {
    request.query = selection.query;
    request.revision = document_.revision;
  }
  search_.search(request);
  std::shared_ptr<const CountedHits> counted = search_.take();
  if (!counted)
    return false;
  document_.counted = std::move(counted);
  return true;
}

bool Workspace::waitForCompile() {
  bool wasBusy = false;
  auto isBusy = [&] {
    return live_.isBusy() || listings_.isBusy() || trials_.isBusy() || history_.isBusy() ||
           otherCompile_.isBusy();
  };
  for (; isBusy(); wasBusy = true)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  update();
  return wasBusy;
}

void Workspace::waitForSearch() {
  update();
  while (search_.isBusy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  update();
}

void Workspace::takeCompile(FinishedCompile finished) {
  if (!request_)
    return; // a trace was opened meanwhile
  document_.isLive = true;
  noteEdits(finished, document_.edits);
  bool isShown = trace_ && !trace_->isStandIn() && !isOpening_;
  if (finished.trace.passes.empty() && (isShown || isInvalidRequest(finished.trace))) {
    document_.message = finished.diagnostics;
    document_.isStale = document_.trace != nullptr;
    return;
  }
  showTrace(std::make_unique<OpenTrace>(std::move(finished.trace)),
            finished.succeeded ? "" : std::move(finished.diagnostics));
}

// Who stands at the end of a trace that grows stays at its end.
void Workspace::followTrace() {
  if (!trace_) {
    open(path_);
    return;
  }
  PassName pass = PassName::of(trace_->trace(), selection.pass);
  bool wasAtEnd = selection.pass + 1 == trace_->trace().passes.size();
  if (trace_->follow() == TraceFile::Change::None)
    return;
  const Trace &trace = trace_->trace();
  document_.trace = &trace;
  selection.pass = wasAtEnd ? trace.passes.size() - 1 : pass.in(trace);
  document_.message = messageOf(*trace_, path_);
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
  if (!request_ && !(trace_ && makeLive()))
    return;
  document_.isCompiling = true;
  document_.line = kernelLine(*request_);
  document_.edits.places.clear();
  for (const Patch &patch : request_->patches)
    document_.edits.places.push_back(editPlaceOf(patch.file));
  document_.requested = {request_->arguments, request_->passOptions, request_->target,
                         request_->plan.forOccupancy ? Occupancy : "height", request_->function};
  for (const Patch &patch : request_->patches)
    document_.requested.edits.emplace_back(patch.file, patch.text);
  document_.presets = presetsOf(*request_, document_.requested);
  document_.kernels = kernels_.of(*request_, document_.requested, document_.presets);
  live_.ask(*request_);
}

bool Workspace::makeLive() {
  CompileRequest request = requestOf(trace_->trace().header);
  for (const std::string &file : trace_->trace().header.patches) {
    llvm::Expected<std::string> text = readText(file);
    if (!text) {
      document_.message = "the trace was made with a patch: " + llvm::toString(text.takeError());
      return false;
    }
    request.patches.push_back({file, std::move(*text)});
  }
  request_ = std::move(request);
  return true;
}

std::optional<EditableText> Workspace::editableText(size_t pass) {
  if (!request_) {
    document_.message = "a recorded trace cannot be edited: compile it again first (r)";
    return std::nullopt;
  }
  EditableText editable;
  editable.place = patchPlaceOf(trace_->trace(), pass);
  CompileRequest request = *request_;
  std::optional<Patch> patch = takePatch(request.patches, editable.place);
  llvm::Expected<std::string> text = taggedTextAfter(std::move(request), editable.place);
  if (!text) {
    document_.message = llvm::toString(text.takeError());
    return std::nullopt;
  }
  editable.text = std::move(*text);
  if (!patch)
    return editable;
  llvm::Expected<std::string> edited = applyPatch(*patch, editable.text);
  if (edited) {
    editable.text = std::move(*edited);
  } else {
    llvm::consumeError(edited.takeError());
    editable.misfit = patch->text;
  }
  return editable;
}

void Workspace::editIr(size_t pass, const std::string &text) {
  if (!request_)
    return;
  std::string place = patchPlaceOf(trace_->trace(), pass);
  CompileRequest request = *request_;
  std::optional<Patch> before = takePatch(request.patches, place);
  llvm::Expected<std::string> untouched = taggedTextAfter(request, place);
  if (!untouched) {
    document_.message = llvm::toString(untouched.takeError());
    return;
  }
  std::string patch = makePatchText(place, *untouched, text);
  if (patch.empty() && !before)
    return;
  follower_.noteEdit(selection.pass == pass);
  request_->patches = std::move(request.patches);
  if (!patch.empty())
    request_->patches.push_back({EditName + place, std::move(patch)});
  recompile();
}

void Workspace::setOffset(BufferId buffer, int64_t offsetBytes) {
  if (!trace_)
    return;
  const Trace &trace = trace_->trace();
  // Where it is placed first: what later passes do follows from that.
  for (size_t pass = 0; pass < trace.passes.size(); ++pass) {
    const BufferRecord *record = recordOf(trace.snapshots[trace.passes[pass].snapshot], buffer);
    if (!record || !record->offsetBytes)
      continue;
    std::optional<EditableText> editable = editableText(pass);
    if (!editable)
      return;
    if (std::optional<std::string> text = withOffset(editable->text, buffer, offsetBytes))
      editIr(pass, *text);
    return;
  }
}

void Workspace::addEdit(llvm::StringRef place, llvm::StringRef patch) {
  if (!request_)
    return;
  request_->patches.push_back({EditName + place.str(), patch.str()});
  recompile();
}

void Workspace::dropEdits() {
  if (!request_ || request_->patches.empty())
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

void Workspace::request(const Requested &wanted) {
  if (!request_)
    return;
  request_->function = wanted.function;
  request_->arguments = wanted.arguments;
  request_->passOptions = wanted.passOptions;
  request_->target = wanted.target;
  request_->plan.forOccupancy = wanted.planFor == Occupancy;
  request_->patches.clear();
  for (const auto &[name, text] : wanted.edits)
    request_->patches.push_back({name, text});
  recompile();
}

void Workspace::breakBefore(std::optional<size_t> pass) {
  if (!request_ || !trace_)
    return;
  if (pass == 0) {
    document_.message = "nothing runs before the kernel is elaborated: there is no stop";
    return;
  }
  request_->stopAfter = pass ? placeBefore(trace_->trace(), *pass) : "";
  recompile();
}

} // namespace tilescope
