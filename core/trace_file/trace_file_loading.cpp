#include "core/trace_file/trace_file_impl.h"

#include "core/trace/trace_limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr size_t None = NoRecord;
// These stay whatever they take: views compare a pass with one before it, and what is shown, what
// is waited for and the last pass may all be asked for in one frame.
constexpr size_t KeptSnapshots = 6;
// How far facets are looked for that are not those of the pass.
constexpr size_t StepsAhead = 64;

} // namespace

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
  RecordProblem problem = loadWholeText(place.text, snapshot.lines);
  if (problem.empty())
    problem = loadFacets(place, snapshot);
  if (problem.empty()) {
    trace.snapshots[index] = std::move(snapshot);
    place.isLoaded = true;
    touch(index);
    dropOld();
    return "";
  }
  return noteUnshown(index, problem);
}

RecordProblem TraceFile::Impl::noteUnshown(size_t index, const RecordProblem &problem) {
  RecordProblem described = describe(failedRecord_, problem);
  note(llvm::formatv("state {0} cannot be shown: {1}", index, described).str());
  return described;
}

llvm::Expected<SharedPart<LineId>> TraceFile::Impl::loadText(size_t pass) {
  size_t index = trace.passes[pass].snapshot;
  if (snapshots[index].isLoaded)
    return trace.snapshots[index].lines;
  SharedPart<LineId> lines = emptyPart<LineId>();
  RecordProblem problem = loadWholeText(snapshots[index].text, lines);
  if (problem.empty())
    return lines;
  problem = noteUnshown(index, problem);
  updateRecovery();
  return llvm::createStringError("'" + path + "': " + problem);
}

// With the lines that it names. `text` may be None.
RecordProblem TraceFile::Impl::loadWholeText(size_t text, SharedPart<LineId> &part) {
  if (text == None)
    return "";
  std::vector<LineId> lines;
  RecordProblem problem = readText(text, lines);
  if (problem.empty())
    problem = loadLinesOf(lines);
  if (const char *why = problem.empty() ? senselessness(lines, trace.lines) : nullptr) {
    failedRecord_ = texts_[text].record;
    problem = llvm::formatv("is corrupt ({0})", why).str();
  }
  part = std::make_shared<const std::vector<LineId>>(std::move(lines));
  if (problem.empty())
    lastText_ = {text, part};
  return problem;
}

// From the nearest text before it that is loaded or full.
RecordProblem TraceFile::Impl::readText(size_t text, std::vector<LineId> &lines) {
  size_t from = text;
  auto isLoaded = [&](size_t candidate) {
    size_t snapshot = texts_[candidate].snapshot;
    return snapshot != None && snapshots[snapshot].isLoaded;
  };
  auto isKept = [&](size_t candidate) { return lastText_.lines && candidate == lastText_.text; };
  while (from != 0 && !isLoaded(from) && !isKept(from) && records_[texts_[from].record].count == 0)
    --from;
  if (isKept(from)) {
    lines = *lastText_.lines;
    ++from;
  } else if (isLoaded(from)) {
    lines = *trace.snapshots[texts_[from++].snapshot].lines;
  }
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
    if (kept >= KeptSnapshots && bytes > options.keptBytes && !isForeign(trace.header))
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

bool TraceFile::Impl::isAtHand(size_t pass) const {
  const SnapshotPlace &place = snapshots[trace.passes[pass].snapshot];
  return place.isLoaded || ahead_.wasRead(place.facets) || knownFacets(place.facets);
}

std::vector<TraceSnapshot> TraceFile::Impl::lookAround(size_t pass, bool goesBack,
                                                       const std::function<void()> &wake) {
  std::vector<TraceSnapshot> known;
  if (isWhole())
    return known;
  bool isReading = ahead_.isReading();
  std::vector<FacetRecords> wanted;
  const SnapshotPlace &shown = snapshots[trace.passes[pass].snapshot];
  auto want = [&](const FacetRecords &state) {
    if (!(shown.isLoaded && state == shown.facets) && !llvm::is_contained(wanted, state))
      wanted.push_back(state);
  };
  if (!shown.isLoaded)
    for (size_t first : {pass, pass - std::min<size_t>(pass, 1)})
      want(snapshots[trace.passes[first].snapshot].facets);
  for (bool back : {goesBack, !goesBack})
    if (const FacetRecords *side = nextFacets(pass, back))
      want(*side);
  for (const TracePass *end : {&trace.passes.front(), &trace.passes.back()})
    want(snapshots[end->snapshot].facets);
  ahead_.keepOnly(wanted);
  for (const FacetRecords &state : wanted)
    if (std::optional<TraceSnapshot> facets = knownFacets(state)) {
      ahead_.hold(state, *facets);
      known.push_back(std::move(*facets));
    } else if (!ahead_.wasRead(state) && !std::exchange(isReading, true)) {
      readAhead(state, wake);
    }
  return known;
}

} // namespace tilescope
