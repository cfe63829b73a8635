#include "core/trace_file/trace_recorder.h"

#include "core/ir/printer.h"
#include "core/trace/pass_figures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

namespace tilescope {

namespace {

// Shares a part with the snapshot before when a pass left it alone.
template <typename T>
SharedPart<T> sharedIfEqual(std::vector<T> values, const SharedPart<T> &before) {
  if (values == *before)
    return before;
  return std::make_shared<const std::vector<T>>(std::move(values));
}

// The first file of a compile is the kernel, and the only one that a trace keeps: what stands in
// another, such as the text that a patch made, has no place in it.
Span inKernel(const Span &span) {
  bool isElsewhere = span.file.isValid() && span.file != FileId(0);
  return isElsewhere ? Span() : span;
}

std::optional<DiagnosticFix> fixInKernel(const DiagnosticNote &note) {
  return note.fix && inKernel(note.fix->span).isValid() ? note.fix : std::nullopt;
}

template <typename T> void keepKernelSpans(std::vector<T> & /*records*/) {}
void keepKernelSpans(std::vector<BufferRecord> &buffers) {
  for (BufferRecord &buffer : buffers)
    buffer.span = inKernel(buffer.span);
}
void keepKernelSpans(std::vector<CudaLine> &lines) {
  for (CudaLine &line : lines)
    line.span = inKernel(line.span);
}

// Replaces the facets of the snapshot before that the module no longer agrees with.
void computeFacets(const Module &module, const Target &target, TraceSnapshot &snapshot) {
#define FACET(Type, member)                                                                        \
  std::vector<Type> member;                                                                        \
  computeFacet(module, target, member);                                                            \
  keepKernelSpans(member);                                                                         \
  snapshot.member = sharedIfEqual(std::move(member), snapshot.member);
#include "core/facets/facets.def"
}

bool allHave(const Module &module, Property property) {
  return llvm::all_of(module.functions,
                      [&](const Function *function) { return function->properties.has(property); });
}

bool has(const Diagnostics &diagnostics, DiagId id) {
  return llvm::any_of(diagnostics.all(), [&](const Diagnostic &d) { return d.id == id; });
}

// The pass manager checks what these properties claim, so a pass that ended well has passed them,
// but for hazards that are allowed or that nobody could tell.
TraceVerdicts verdictsOf(const Module &module, const Diagnostics &diagnostics) {
  TraceVerdicts verdicts;
  verdicts.verified = Verdict::Yes;
  bool isInside = !has(diagnostics, DiagId::BoundsNotEstablished);
  if (allHave(module, Property::ArenaPlanned))
    verdicts.arenaSound = isInside ? Verdict::Yes : Verdict::NotEstablished;
  if (!allHave(module, Property::BarriersFinal))
    return verdicts;
  verdicts.hazardFree = has(diagnostics, DiagId::AllowedHazard) ? Verdict::No
                        : !isInside || has(diagnostics, DiagId::HazardNotEstablished) ||
                                has(diagnostics, DiagId::RegisterBoundsNotEstablished) ||
                                has(diagnostics, DiagId::InitialisedNotEstablished)
                            ? Verdict::NotEstablished
                            : Verdict::Yes;
  return verdicts;
}

// Nothing is known of a pass that gave no module. Else a check failed, and the diagnostics say
// which: those of memory run only on a module that verifies.
TraceVerdicts verdictsOfFailed(const Module &module, const Diagnostics &diagnostics) {
  if (!has(diagnostics, DiagId::PassBrokeIr))
    return {};
  bool hasHazard = has(diagnostics, DiagId::MemoryHazard);
  bool isUnsound = has(diagnostics, DiagId::ArenaUnsound);
  if (!hasHazard && !isUnsound)
    return {.verified = Verdict::No};
  TraceVerdicts verdicts = verdictsOf(module, diagnostics);
  if (isUnsound)
    verdicts.arenaSound = Verdict::No;
  if (hasHazard)
    verdicts.hazardFree = Verdict::No;
  return verdicts;
}

// Of a statement that stands elsewhere, without its place.
std::string tagOf(PrintedLine line) {
  size_t place = inKernel(line.span) == line.span ? std::string::npos : line.tag.find(" span=");
  if (place != std::string::npos)
    line.tag.erase(place, line.tag.find(' ', place + 1) - place);
  return std::move(line.tag);
}

TraceDiagnostic recordOf(const Diagnostic &diagnostic) {
  static constexpr const char *Severities[] = {"error", "warning", "remark", "note"};
  TraceDiagnostic record{nameOf(diagnostic.id).str(),
                         Severities[static_cast<size_t>(diagnostic.severity)],
                         inKernel(diagnostic.span),
                         diagnostic.text,
                         {}};
  for (const DiagnosticNote &note : diagnostic.notes)
    record.notes.push_back({inKernel(note.span), note.text, false, fixInKernel(note)});
  return record;
}

} // namespace

void TraceRecorder::start(TraceHeader header, const Target *target,
                          const Diagnostics &diagnostics) {
  target_ = target;
  diagnostics_ = &diagnostics;
  trace_.header = std::move(header);
  if (writer_)
    writer_->writeHeader(trace_.header);
}

llvm::Error TraceRecorder::finish(const CudaSource *cuda) {
  for (const Diagnostic &diagnostic : diagnostics_->all())
    trace_.diagnostics.push_back(recordOf(diagnostic));
  if (recorded_)
    for (PrintedLine &line : printLines(*recorded_, /*tagged=*/true))
      trace_.tags.push_back(tagOf(std::move(line)));
  if (cuda) {
    trace_.cuda = cuda->text;
    trace_.cudaMap = cuda->lineMap;
    keepKernelSpans(trace_.cudaMap);
    trace_.launches = cuda->launches;
  }
  trace_.complete = true;
  return writer_ ? writer_->close(trace_) : llvm::Error::success();
}

void TraceRecorder::beforePipeline(const Module &module) {
  addPass({0, "elaborate", "", 0}, module, PassStatus::Changed, {.verified = Verdict::Yes});
}

void TraceRecorder::beforePass(const PassExecution &execution, const Module & /*module*/) {
  if (writer_)
    writer_->beginPass(execution.name, execution.options);
}

void TraceRecorder::afterPass(const PassExecution &execution, const Module &module, bool changed) {
  addPass(execution, module, changed ? PassStatus::Changed : PassStatus::Unchanged,
          verdictsOf(module, *diagnostics_));
}

void TraceRecorder::passFailed(const PassExecution &execution, const Module &module,
                               const Diagnostics &diagnostics) {
  addPass(execution, module, PassStatus::Failed, verdictsOfFailed(module, diagnostics));
}

void TraceRecorder::remark(const Remark &remark) {
  pendingRemarks_.push_back(
      {nameOf(remark.id).str(), remark.stmt, remark.buffers, inKernel(remark.span), remark.text});
}

void TraceRecorder::addPass(const PassExecution &execution, const Module &module, PassStatus status,
                            const TraceVerdicts &verdicts) {
  // A group ends with the module of its last pass.
  if (status != PassStatus::Unchanged && &module != recorded_)
    addSnapshot(module, /*isWellFormed=*/verdicts.verified == Verdict::Yes);
  recorded_ = &module;
  TracePass pass;
  pass.name = execution.name.str();
  pass.depth = execution.depth;
  pass.options = execution.options.str();
  pass.status = status;
  pass.snapshot = trace_.snapshots.size() - 1;
  pass.wallMicroseconds = execution.wallMicroseconds;
  pass.irBytes = execution.irBytes;
  pass.verdicts = verdicts;
  pass.remarks = std::exchange(pendingRemarks_, {});
  trace_.passes.push_back(std::move(pass));
  trace_.passes.back().figures = figuresOf(trace_, trace_.passes.size() - 1);
  if (writer_)
    writer_->writePass(trace_, trace_.passes.size() - 1);
}

// What the checks of memory refuse is shown as it is; of what does not verify there is the text.
void TraceRecorder::addSnapshot(const Module &module, bool isWellFormed) {
  TraceSnapshot snapshot;
  if (isWellFormed && !trace_.snapshots.empty())
    snapshot = trace_.snapshots.back();
  std::vector<LineId> lines;
  for (PrintedLine &line : printLines(module, /*tagged=*/false))
    lines.push_back(intern({std::move(line.text), line.stmt, line.buffer, inKernel(line.span)}));
  snapshot.lines = std::make_shared<const std::vector<LineId>>(std::move(lines));
  if (isWellFormed)
    computeFacets(module, *target_, snapshot);
  trace_.snapshots.push_back(std::move(snapshot));
}

LineId TraceRecorder::intern(TraceLine line) {
  const uint32_t numbers[] = {line.stmt.value, line.buffer.value, line.span.line, line.span.column};
  llvm::SmallString<128> key = llvm::StringRef(line.text);
  key.append(llvm::StringRef(reinterpret_cast<const char *>(numbers), sizeof(numbers)));
  auto [found, isNew] = lineIds_.try_emplace(key, trace_.lines.size());
  if (isNew)
    trace_.lines.push_back(std::move(line));
  return found->second;
}

} // namespace tilescope
