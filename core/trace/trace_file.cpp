#include "core/trace/trace_file.h"

#include "core/trace/facets_ahead.h"
#include "core/trace/record_source.h"
#include "core/trace/trace_limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

namespace tilescope {

namespace {

constexpr size_t None = NoRecord;
// A view may compare two passes of a group, so these stay whatever they take.
constexpr size_t KeptSnapshots = 4;
// How far facets are looked for that are not those of the pass.
constexpr size_t StepsAhead = 64;

// Lines [first, first + count) of the trace.
struct LinesPlace {
  size_t record = 0;
  size_t first = 0;
  bool isLoaded = false;
};

struct TextPlace {
  size_t record = 0;
  size_t lineCount = 0;   // of the trace when it was written: it names no later line
  size_t snapshot = None; // that shows it
};

// Indices of records, or None.
struct SnapshotPlace {
  size_t text = None; // index into the texts
  FacetRecords facets;
  bool isLoaded = false;
};

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
         kind == RecordKind::Diagnostics || kind == RecordKind::Cuda ||
         kind == RecordKind::Launches || kind == RecordKind::Index || kind == RecordKind::Header;
}

} // namespace

class TraceFile::Impl {
public:
  static llvm::Expected<std::unique_ptr<Impl>> open(const std::string &path,
                                                    const TraceFileOptions &options);

  llvm::Error load(size_t pass);
  Change follow();
  std::vector<TraceSnapshot> lookAround(size_t pass, bool goesBack,
                                        const std::function<void()> &wake);
  uint64_t bytesRead() const { return earlierBytes_ + source->bytesRead() + ahead_.bytesRead(); }

  std::string path;
  TraceFileOptions options;
  std::unique_ptr<RecordSource> source;
  Trace trace;
  std::vector<SnapshotPlace> snapshots; // as in the trace

private:
  llvm::Error readFirstRecord();
  std::string takeIndexed();
  void takeScanned(uint64_t begin, uint64_t end);
  RecordProblem take(size_t record);
  RecordProblem takeOutcome(size_t record);
  RecordProblem readRecord(size_t record, llvm::StringRef &text) {
    return source->readRecord(records_[record], text);
  }
  std::string loadWhole();
  void note(const std::string &text);
  bool isSameTrace();
  void grow(const RecordSource::State &now);
  void updateRecovery();

  RecordProblem loadSnapshot(size_t index);
  RecordProblem loadText(size_t text, std::vector<LineId> &lines);
  RecordProblem loadLinesOf(const std::vector<LineId> &lines);
  RecordProblem loadLines(LinesPlace &place);
  RecordProblem loadFacets(const SnapshotPlace &place, TraceSnapshot &snapshot);
  template <typename T>
  RecordProblem loadPart(size_t record, Facet facet, SharedPart<T> TraceSnapshot::*member,
                         TraceSnapshot &snapshot);
  template <typename T>
  SharedPart<T> knownPart(size_t record, Facet facet, SharedPart<T> TraceSnapshot::*member) const;
  std::optional<TraceSnapshot> knownFacets(const FacetRecords &records) const;
  const FacetRecords *nextFacets(size_t pass, bool goesBack) const;
  void readAhead(const FacetRecords &records, std::function<void()> wake);
  void touch(size_t index);
  void dropOld();
  std::string describe(size_t record, const RecordProblem &problem) const;

  RecordSource::State state_;        // of the file when it was last looked at
  std::vector<RecordPlace> records_; // all that were taken
  uint64_t end_ = 0;                 // of them
  uint64_t checksum_ = 0;            // of those that tell a trace from another
  size_t outcomes_ = 0;              // how many of them show at once
  bool isBroken_ = false;            // what comes after them makes no sense
  std::string notes_;                // what is said of the trace for good
  std::string endNote_;              // and of its end as it is now
  size_t failedRecord_ = None;       // the record of the last problem while loading

  std::vector<LinesPlace> lines_;
  std::vector<TextPlace> texts_;
  SnapshotPlace pending_; // what the next snapshot holds
  bool hasSnapshot_ = false;
  std::vector<size_t> recent_; // loaded snapshots, the last loaded first
  FacetsAhead ahead_;          // of states that are not loaded
  uint64_t earlierBytes_ = 0;  // read from files that were replaced
};

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
  if (state_.bytes > options.wholeBytes)
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

// ---- Loading ------------------------------------------------------------------------------------

std::string TraceFile::Impl::describe(size_t record, const RecordProblem &problem) const {
  return llvm::formatv("record {0} at byte {1} {2}", record + 1, records_[record].offset, problem)
      .str();
}

llvm::Error TraceFile::Impl::load(size_t pass) {
  size_t index = trace.passes[pass].snapshot;
  RecordProblem problem = snapshots[index].isLoaded ? "" : loadSnapshot(index);
  if (problem.empty()) {
    touch(index);
    return llvm::Error::success();
  }
  updateRecovery();
  return llvm::createStringError("'" + path + "': " + problem);
}

RecordProblem TraceFile::Impl::loadSnapshot(size_t index) {
  SnapshotPlace &place = snapshots[index];
  TraceSnapshot snapshot;
  RecordProblem problem;
  if (place.text != None) {
    std::vector<LineId> lines;
    problem = loadText(place.text, lines);
    if (problem.empty())
      problem = loadLinesOf(lines);
    if (const char *why = problem.empty() ? senselessness(lines, trace.lines) : nullptr) {
      failedRecord_ = texts_[place.text].record;
      problem = llvm::formatv("is corrupt ({0})", why).str();
    }
    snapshot.lines = std::make_shared<const std::vector<LineId>>(std::move(lines));
  }
  if (problem.empty())
    problem = loadFacets(place, snapshot);
  if (problem.empty()) {
    trace.snapshots[index] = std::move(snapshot);
    place.isLoaded = true;
    touch(index);
    dropOld();
    return "";
  }
  problem = describe(failedRecord_, problem);
  note(llvm::formatv("state {0} cannot be shown: {1}", index, problem).str());
  return problem;
}

// From the nearest text before it that is loaded or full.
RecordProblem TraceFile::Impl::loadText(size_t text, std::vector<LineId> &lines) {
  size_t from = text;
  auto isLoaded = [&](size_t candidate) {
    size_t snapshot = texts_[candidate].snapshot;
    return snapshot != None && snapshots[snapshot].isLoaded;
  };
  while (from != 0 && !isLoaded(from) && records_[texts_[from].record].count == 0)
    --from;
  if (isLoaded(from))
    lines = *trace.snapshots[texts_[from++].snapshot].lines;
  for (; from <= text; ++from) {
    failedRecord_ = texts_[from].record;
    llvm::StringRef record;
    RecordProblem problem = readRecord(failedRecord_, record);
    if (problem.empty() && isFullSnapshot(record) != (records_[failedRecord_].count != 0))
      problem = "is not what the index says";
    std::vector<LineId> after;
    if (problem.empty())
      problem = readSnapshot(record, lines, texts_[from].lineCount, after);
    if (!problem.empty())
      return problem;
    lines = std::move(after);
  }
  failedRecord_ = None;
  return "";
}

RecordProblem TraceFile::Impl::loadLinesOf(const std::vector<LineId> &lines) {
  for (LineId line : lines) {
    auto next =
        std::upper_bound(lines_.begin(), lines_.end(), line,
                         [](LineId id, const LinesPlace &place) { return id < place.first; });
    LinesPlace &place = *std::prev(next);
    if (place.isLoaded)
      continue;
    if (RecordProblem problem = loadLines(place); !problem.empty())
      return problem;
  }
  return "";
}

RecordProblem TraceFile::Impl::loadLines(LinesPlace &place) {
  failedRecord_ = place.record;
  llvm::StringRef record;
  std::vector<TraceLine> lines;
  RecordProblem problem = readRecord(place.record, record);
  if (problem.empty())
    problem = readLines(record, lines);
  if (problem.empty() && lines.size() != records_[place.record].count)
    problem = "does not bring as many lines as was said";
  if (!problem.empty())
    return problem;
  auto id = static_cast<LineId>(place.first);
  for (TraceLine &line : lines)
    trace.lines.set(id++, std::move(line));
  place.isLoaded = true;
  failedRecord_ = None;
  return "";
}

// Null: it is not in memory.
template <typename T>
SharedPart<T> TraceFile::Impl::knownPart(size_t record, Facet facet,
                                         SharedPart<T> TraceSnapshot::*member) const {
  for (size_t loaded : recent_)
    if (snapshots[loaded].facets[static_cast<size_t>(facet)] == record)
      return trace.snapshots[loaded].*member;
  return ahead_.part(record, facet, member);
}

template <typename T>
RecordProblem TraceFile::Impl::loadPart(size_t record, Facet facet,
                                        SharedPart<T> TraceSnapshot::*member,
                                        TraceSnapshot &snapshot) {
  if (record == None)
    return "";
  SharedPart<T> known = knownPart(record, facet, member);
  if (!known)
    known = ahead_.wait(record, facet, member);
  if (known) {
    snapshot.*member = std::move(known);
    return "";
  }
  failedRecord_ = record;
  llvm::StringRef text;
  RecordProblem problem = readRecord(record, text);
  if (problem.empty())
    problem = readPart(text, snapshot.*member);
  if (problem.empty())
    failedRecord_ = None;
  return problem;
}

RecordProblem TraceFile::Impl::loadFacets(const SnapshotPlace &place, TraceSnapshot &snapshot) {
  RecordProblem problem;
#define FACET(Type, member)                                                                        \
  if (problem.empty())                                                                             \
    problem = loadPart(place.facets[static_cast<size_t>(Facet::Type)], Facet::Type,                \
                       &TraceSnapshot::member, snapshot);
#include "core/facets/facets.def"
  return problem;
}

void TraceFile::Impl::touch(size_t index) {
  llvm::erase(recent_, index);
  recent_.insert(recent_.begin(), index);
}

void TraceFile::Impl::dropOld() {
  uint64_t budget = std::max(options.keptBytes, end_ / 2);
  uint64_t bytes = 0;
  std::vector<size_t> counted;
  size_t kept = 0;
  for (; kept != recent_.size(); ++kept) {
    for (size_t record : snapshots[recent_[kept]].facets)
      if (record != None && !llvm::is_contained(counted, record)) {
        counted.push_back(record);
        bytes += records_[record].bytes;
      }
    bytes += trace.snapshots[recent_[kept]].lines->size() * sizeof(LineId);
    if (kept >= KeptSnapshots && bytes > budget)
      break;
  }
  for (size_t index : llvm::ArrayRef(recent_).drop_front(kept)) {
    trace.snapshots[index] = TraceSnapshot();
    snapshots[index].isLoaded = false;
  }
  recent_.resize(kept);
}

// ---- Looking ahead ------------------------------------------------------------------------------

// What is not in memory of the facets is null. nullopt: that is one at least.
std::optional<TraceSnapshot> TraceFile::Impl::knownFacets(const FacetRecords &records) const {
  TraceSnapshot snapshot;
  bool isWhole = true;
  auto take = [&](Facet facet, auto member) {
    size_t record = records[static_cast<size_t>(facet)];
    if (record == None)
      return;
    auto known = knownPart(record, facet, member);
    isWhole &= known != nullptr;
    snapshot.*member = std::move(known);
  };
#define FACET(Type, member) take(Facet::Type, &TraceSnapshot::member);
#include "core/facets/facets.def"
  return isWhole ? std::optional(std::move(snapshot)) : std::nullopt;
}

// Of the nearest state whose facets are not all those of the pass; nullptr: there is none near.
const FacetRecords *TraceFile::Impl::nextFacets(size_t pass, bool goesBack) const {
  size_t index = trace.passes[pass].snapshot;
  const FacetRecords &shown = snapshots[index].facets;
  for (size_t step = 1; step <= StepsAhead; ++step) {
    size_t other = goesBack ? index - step : index + step;
    if (other >= snapshots.size())
      break;
    if (snapshots[other].facets != shown)
      return &snapshots[other].facets;
  }
  return nullptr;
}

void TraceFile::Impl::readAhead(const FacetRecords &records, std::function<void()> wake) {
  FacetPlaces places;
  auto want = [&](Facet facet, auto member) {
    auto index = static_cast<size_t>(facet);
    if (records[index] != None && !knownPart(records[index], facet, member))
      places[index] = records_[records[index]];
  };
#define FACET(Type, member) want(Facet::Type, &TraceSnapshot::member);
#include "core/facets/facets.def"
  ahead_.read(*source, records, places, std::move(wake));
}

std::vector<TraceSnapshot> TraceFile::Impl::lookAround(size_t pass, bool goesBack,
                                                       const std::function<void()> &wake) {
  std::vector<TraceSnapshot> known;
  if (state_.bytes <= options.wholeBytes)
    return known;
  bool isReading = ahead_.isReading();
  std::vector<FacetRecords> sides;
  for (bool back : {goesBack, !goesBack})
    if (const FacetRecords *side = nextFacets(pass, back))
      sides.push_back(*side);
  ahead_.keepOnly(sides);
  for (const FacetRecords &side : sides)
    if (std::optional<TraceSnapshot> facets = knownFacets(side))
      known.push_back(std::move(*facets));
    else if (!ahead_.wasRead(side) && !std::exchange(isReading, true))
      readAhead(side, wake);
  return known;
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
  if (isSameFile && now->bytes >= end_ && isSameTrace()) {
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
  uint64_t bytesRead = earlierBytes_ + source->bytesRead();
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
llvm::Error TraceFile::load(size_t pass) { return impl_->load(pass); }
std::vector<TraceSnapshot> TraceFile::lookAround(size_t pass, bool goesBack,
                                                 const std::function<void()> &wake) {
  return impl_->lookAround(pass, goesBack, wake);
}
TraceFile::Change TraceFile::follow() { return impl_->follow(); }
uint64_t TraceFile::bytesRead() const { return impl_->bytesRead(); }

} // namespace tilescope
