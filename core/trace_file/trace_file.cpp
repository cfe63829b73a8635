#include "core/trace_file/trace_file_impl.h"

#include "core/recorded/foreign_trace.h"
#include "core/trace/trace_limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

namespace tilescope {

namespace {

// What tells a trace from another: see isSameTrace.
bool isFingerprint(RecordKind kind) {
  return kind == RecordKind::Header || kind == RecordKind::PassEnd || kind == RecordKind::Time;
}

uint64_t chained(uint64_t checksum, llvm::StringRef text) {
  text.consume_back("\n");
  return checksum * 0x9E3779B97F4A7C15 + llvm::xxh3_64bits(text);
}

bool isOutcome(RecordKind kind) {
  return kind == RecordKind::PassEnd || kind == RecordKind::Time ||
         kind == RecordKind::Diagnostics || kind == RecordKind::Tags || kind == RecordKind::Cuda ||
         kind == RecordKind::Launches || kind == RecordKind::Device ||
         kind == RecordKind::Execution || kind == RecordKind::Index || kind == RecordKind::Header;
}

} // namespace

// ---- Opening ------------------------------------------------------------------------------------

llvm::Expected<std::unique_ptr<TraceFile::Impl>>
TraceFile::Impl::open(const std::string &path, const TraceFileOptions &options) {
  std::string indexProblem;
  for (bool useIndex : {true, false}) {
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    impl->options = options;
    llvm::Expected<std::unique_ptr<RecordSource>> source = RecordSource::open(path);
    if (!source)
      return source.takeError();
    impl->source = std::move(*source);
    impl->state_ = impl->source->state();
    if (llvm::Error error = impl->readFirstRecord())
      return error;
    std::string problem = useIndex ? impl->takeIndexed() : "";
    if (problem.empty() && impl->records_.empty())
      impl->takeScanned(0, impl->state_.bytes);
    if (problem.empty())
      problem = impl->loadWhole();
    if (useIndex && !problem.empty()) {
      indexProblem = problem;
      continue;
    }
    // If a scan meets trouble too, it was not the index.
    if (!indexProblem.empty() && problem.empty() && impl->endNote_.empty())
      impl->note("the index of the trace is wrong (" + indexProblem + "), so it was scanned");
    impl->updateRecovery();
    completeForeign(impl->trace);
    return impl;
  }
  llvm_unreachable("a scan always ends");
}

llvm::Error TraceFile::Impl::readFirstRecord() {
  bool isEnded = false;
  llvm::StringRef text = source->readLine(0, isEnded);
  if (llvm::Error error = readHeader(text, path, trace))
    return error;
  notes_ = trace.recovery;
  return llvm::Error::success();
}

// Nothing is taken if there is no index. Gives what is wrong with it.
std::string TraceFile::Impl::takeIndexed() {
  RecordProblem problem;
  records_ = indexedRecords(*source, state_.bytes, problem);
  if (!problem.empty())
    return "it " + problem;
  for (size_t record = 0; record != records_.size() && problem.empty(); ++record) {
    problem = take(record);
    if (!problem.empty())
      problem = describe(record, problem);
  }
  end_ = records_.empty() ? 0 : records_.back().end();
  return problem;
}

void TraceFile::Impl::takeScanned(uint64_t begin, uint64_t end) {
  RecordProblem problem;
  std::vector<RecordPlace> found = scanRecords(*source, begin, end, problem);
  for (const RecordPlace &place : found) {
    records_.push_back(place);
    RecordProblem untaken = take(records_.size() - 1);
    if (untaken.empty())
      continue;
    problem = untaken;
    records_.pop_back();
    break;
  }
  end_ = records_.empty() ? begin : records_.back().end();
  endNote_.clear();
  if (problem.empty())
    return;
  bool isEnded = false;
  (void)source->readLine(end_, isEnded);
  isBroken_ = isEnded;
  endNote_ = lossNote(records_.size() + 1, problem, end - end_, end);
}

RecordProblem TraceFile::Impl::take(size_t record) {
  const RecordPlace &place = records_[record];
  switch (place.head.kind) {
  case RecordKind::Lines:
    lines_.push_back({record, trace.lines.size()});
    trace.lines.resize(trace.lines.size() + place.count);
    return "";
  case RecordKind::Snapshot:
    pending_.text = texts_.size();
    texts_.push_back({record, trace.lines.size()});
    hasSnapshot_ = true;
    return "";
  case RecordKind::Facet:
    pending_.facets[static_cast<size_t>(place.head.facet)] = record;
    return "";
  default:
    return isOutcome(place.head.kind) ? takeOutcome(record) : "";
  }
}

RecordProblem TraceFile::Impl::takeOutcome(size_t record) {
  llvm::StringRef text;
  RecordProblem problem = readRecord(record, text);
  RecordKind kind = records_[record].head.kind;
  if (problem.empty())
    problem = takeRecord(kind, text, trace);
  if (!problem.empty())
    return problem;
  ++outcomes_;
  if (isFingerprint(kind))
    checksum_ = chained(checksum_, text);
  if (kind != RecordKind::PassEnd)
    return "";
  if (hasSnapshot_ || trace.snapshots.empty()) {
    if (hasSnapshot_)
      texts_.back().snapshot = snapshots.size();
    snapshots.push_back(pending_);
    trace.snapshots.emplace_back();
  }
  hasSnapshot_ = false;
  trace.passes.back().snapshot = trace.snapshots.size() - 1;
  return "";
}

// Everything, if the file is small. Gives the first problem.
std::string TraceFile::Impl::loadWhole() {
  std::string first;
  if (!isWhole())
    return first;
  size_t lines = 0;
  for (size_t index = 0; index != snapshots.size() && lines <= MaxWholeLines; ++index) {
    std::string problem = snapshots[index].isLoaded ? "" : loadSnapshot(index);
    lines += trace.snapshots[index].lines->size();
    if (first.empty())
      first = problem;
  }
  return first;
}

void TraceFile::Impl::note(const std::string &text) {
  if (!llvm::StringRef(notes_).contains(text))
    notes_ += (notes_.empty() ? "" : "; ") + text;
}

void TraceFile::Impl::updateRecovery() {
  trace.recovery = notes_;
  if (!endNote_.empty())
    addNote(trace, endNote_);
  else if (!trace.complete)
    addNote(trace, NotClosedNote);
}

// ---- Following ----------------------------------------------------------------------------------

// Whether the file still begins with what was read. The first record holds all that decides what a
// compile does, and the records of the passes say how long each took: a trace that agrees in all of
// them is the same, or differs in nothing.
bool TraceFile::Impl::isSameTrace() {
  uint64_t checksum = 0;
  for (const RecordPlace &place : records_)
    if (isFingerprint(place.head.kind))
      checksum = chained(checksum, source->read(place.offset, place.bytes));
  return checksum == checksum_;
}

void TraceFile::Impl::grow(const RecordSource::State &now) {
  // The last record may have been taken before its line ended.
  if (source->read(end_, 1) == "\n" && source->read(end_ - 1, 1) != "\n") {
    ++records_.back().bytes;
    ++end_;
  }
  state_ = now;
  takeScanned(end_, now.bytes);
  (void)loadWhole();
  updateRecovery();
}

TraceFile::Change TraceFile::Impl::follow() {
  std::optional<RecordSource::State> now = RecordSource::stateOf(path);
  if (!now || *now == state_)
    return Change::None;
  bool isSameFile = now->device == state_.device && now->file == state_.file;
  if (isSameFile && now->bytes >= end_ && !isForeign(trace.header) && isSameTrace()) {
    size_t taken = outcomes_;
    if (isBroken_)
      state_ = *now;
    else
      grow(*now);
    return outcomes_ == taken ? Change::None : Change::Grown;
  }
  llvm::Expected<std::unique_ptr<Impl>> fresh = open(path, options);
  if (!fresh) {
    llvm::consumeError(fresh.takeError());
    return Change::None;
  }
  uint64_t bytesRead = this->bytesRead();
  *this = std::move(**fresh);
  earlierBytes_ = bytesRead;
  return Change::Replaced;
}

// ---- The face -----------------------------------------------------------------------------------

TraceFile::TraceFile() = default;
TraceFile::~TraceFile() = default;

llvm::Expected<std::unique_ptr<TraceFile>> TraceFile::open(const std::string &path,
                                                           const TraceFileOptions &options) {
  llvm::Expected<std::unique_ptr<Impl>> impl = Impl::open(path, options);
  if (!impl)
    return impl.takeError();
  std::unique_ptr<TraceFile> file(new TraceFile());
  file->impl_ = std::move(*impl);
  return file;
}

const Trace &TraceFile::trace() const { return impl_->trace; }
const std::string &TraceFile::path() const { return impl_->path; }
bool TraceFile::isLoaded(size_t pass) const {
  return impl_->snapshots[impl_->trace.passes[pass].snapshot].isLoaded;
}
bool TraceFile::isWhole() const { return impl_->isWhole(); }
llvm::Error TraceFile::load(size_t pass) { return impl_->load(pass); }
llvm::Expected<SharedPart<LineId>> TraceFile::loadText(size_t pass) {
  return impl_->loadText(pass);
}
std::vector<TraceSnapshot> TraceFile::lookAround(size_t pass, bool goesBack,
                                                 const std::function<void()> &wake) {
  return impl_->lookAround(pass, goesBack, wake);
}
bool TraceFile::isAtHand(size_t pass) const { return impl_->isAtHand(pass); }
TraceFile::Change TraceFile::follow() { return impl_->follow(); }
uint64_t TraceFile::bytesRead() const { return impl_->bytesRead(); }

} // namespace tilescope
