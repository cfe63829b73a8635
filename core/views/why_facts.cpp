#include "core/views/why_facts.h"

#include "core/support/nearest_name.h"
#include "core/views/placement_words.h"

#include "core/views/unplaced_buffers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

std::string keyText(const TraceSnapshot &snapshot, BufferId id) {
  const BufferRecord *record = recordOf(snapshot, id);
  return record ? toString(record->key) : "";
}

} // namespace

ArenaFacts::ArenaFacts(const Trace &trace, const Selection &selection, const ArenaRecord &arena)
    : pass_(selectedPlace(trace, selection)), snapshot_(selectedSnapshot(trace, selection)),
      arena_(arena), accesses_(accessesOf(snapshot_, arena.function)),
      sourceLines_(sourceLinesOf(trace)) {
  if (accesses_)
    points_ = pointsOf(trace, snapshot_, accesses_->program);
}

WhyContext ArenaFacts::context() const {
  return {pass_, arena_.function, arena_.preview, arena_.unknown};
}

const ArenaBuffer *ArenaFacts::buffer(BufferId id) const {
  for (const ArenaBuffer &buffer : arena_.problem.buffers)
    if (buffer.id == id)
      return &buffer;
  return nullptr;
}

std::string ArenaFacts::nameOf(BufferId id) const {
  const ArenaBuffer *found = buffer(id);
  return found ? found->name : "?";
}

const BufferLifetime *ArenaFacts::lifetimeOf(BufferId id) const {
  if (accesses_)
    for (const BufferLifetime &lifetime : accesses_->lifetimes.buffers)
      if (lifetime.buffer == id)
        return &lifetime;
  return nullptr;
}

WhyBuffer ArenaFacts::describe(BufferId id) const {
  WhyBuffer result;
  result.name = nameOf(id);
  result.key = keyText(snapshot_, id);
  result.hueDegrees = hueOf(snapshot_, id);
  if (const ArenaBuffer *found = buffer(id)) {
    result.sizeBytes = found->sizeBytes;
    result.versions = found->versions;
    result.live = found->live;
  }
  if (const Placement *placement = arena_.plan.find(id))
    result.offsetBytes = placement->offsetBytes;
  if (const BufferLifetime *lifetime = lifetimeOf(id)) {
    if (!lifetime->defs.empty())
      result.definition = at(lifetime->defs.front());
    if (!lifetime->uses.empty())
      result.lastUse = at(lifetime->uses.back());
  }
  return result;
}

WhyPoint ArenaFacts::at(ProgramPoint point) const {
  WhyPoint result;
  result.point = point;
  if (point < 0 || static_cast<size_t>(point) >= points_.size())
    return result;
  result.statement = points_[point].text;
  result.sourceLine = points_[point].sourceLine;
  if (result.sourceLine > 0 && result.sourceLine <= sourceLines_.size())
    result.source = sourceLines_[result.sourceLine - 1].str();
  return result;
}

std::string ArenaFacts::stateAt(BufferId id, ProgramPoint point) const {
  const BufferLifetime *lifetime = lifetimeOf(id);
  if (!lifetime)
    return "";
  bool isDef = llvm::is_contained(lifetime->defs, point);
  bool isUse = llvm::is_contained(lifetime->uses, point);
  if (isDef || isUse)
    return isDef && isUse ? "read and written" : isDef ? "written" : "read";
  if (contains(lifetime->inFlight, point))
    return "arriving";
  return contains(lifetime->intervals, point) ? "holds its value" : "dead";
}

std::vector<WhyStretch> ArenaFacts::stretches(const std::vector<LiveInterval> &points,
                                              const std::vector<BufferId> &buffers) const {
  std::vector<WhyStretch> result;
  for (const LiveInterval &interval : points) {
    // A trace may claim any interval; it has only so many points.
    ProgramPoint end = std::min(interval.end, static_cast<ProgramPoint>(points_.size()));
    bool isFirst = true;
    for (ProgramPoint point = std::max(interval.begin, 0); point < end; ++point) {
      WhyStretch next{{point, point + 1}, at(point), {}};
      for (BufferId id : buffers)
        next.states.push_back(stateAt(id, point));
      bool continues = !isFirst && result.back().states == next.states &&
                       result.back().at.sourceLine == next.at.sourceLine;
      isFirst = false;
      if (continues)
        result.back().points.end = point + 1;
      else
        result.push_back(std::move(next));
    }
  }
  return result;
}

std::vector<std::string> ArenaFacts::unknownOrder() const {
  if (!accesses_)
    return {};
  std::vector<std::string> unknown = accesses_->notFollowed;
  llvm::append_range(unknown, accesses_->notOrdered);
  return unknown;
}

std::vector<WhyPoint> ArenaFacts::barriersIn(const LiveInterval &points) const {
  std::vector<WhyPoint> barriers;
  if (!accesses_)
    return barriers;
  std::vector<uint32_t> leaves = leavesInOrder(accesses_->program);
  ProgramPoint end = std::min(points.end, static_cast<ProgramPoint>(leaves.size()));
  for (ProgramPoint point = std::max(points.begin, 0); point < end; ++point) {
    const AccessNode &node = accesses_->program.nodes[leaves[point]];
    if (node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block)
      barriers.push_back(at(point));
  }
  return barriers;
}

std::optional<BufferBytes> ArenaFacts::bytesOf(BufferId id) const {
  const ArenaBuffer *found = buffer(id);
  const Placement *placement = arena_.plan.find(id);
  if (!found || !placement || found->sizeBytes == 0)
    return std::nullopt;
  int64_t stride = found->sizeBytes / std::max<int64_t>(found->versions, 1);
  return BufferBytes{id, placement->offsetBytes, stride, stride};
}

std::optional<WhyOrder> ArenaFacts::orderOf(BufferId earlier, BufferId later) const {
  std::optional<BufferBytes> first = bytesOf(earlier), second = bytesOf(later);
  if (!accesses_ || !first || !second)
    return std::nullopt;
  return whyOrder(accesses_->program, *first, *second);
}

size_t lastPlannedPass(const Trace &trace) {
  std::optional<size_t> preview;
  for (size_t index = trace.passes.size(); index-- > 0;) {
    const TraceSnapshot &snapshot = trace.snapshots[trace.passes[index].snapshot];
    if (llvm::any_of(*snapshot.arenas, [](const ArenaRecord &arena) { return !arena.preview; }))
      return index;
    if (!preview && !snapshot.arenas->empty())
      preview = index;
  }
  return preview.value_or(trace.passes.size() - 1);
}

llvm::Expected<ArenaBufferPlace> findArenaBuffer(const Trace &trace, const Selection &selection,
                                                 llvm::StringRef name) {
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  std::vector<ArenaBufferPlace> fits;
  std::vector<std::string> names, keys;
  for (const ArenaRecord &arena : *snapshot.arenas)
    for (const ArenaBuffer &buffer : arena.problem.buffers) {
      std::string key = keyText(snapshot, buffer.id);
      names.push_back(buffer.name);
      if (buffer.name != name && key != name)
        continue;
      fits.push_back({&arena, buffer.id});
      keys.push_back(key);
    }
  if (fits.size() == 1)
    return fits.front();
  if (!fits.empty())
    return llvm::createStringError("several shared buffers are named '" + name +
                                   "': " + llvm::join(keys, ", "));
  if (std::string reason = whyUnplaced(trace, selection, name); !reason.empty())
    return llvm::createStringError(reason);
  if (names.empty())
    return llvm::createStringError("no shared buffer '" + name + "': there is none");
  return llvm::createStringError("no shared buffer '" + name + "'; there are " +
                                 llvm::join(names, ", ") + didYouMean(name, names));
}

std::vector<LiveInterval> intersect(const std::vector<LiveInterval> &a,
                                    const std::vector<LiveInterval> &b) {
  std::vector<LiveInterval> result;
  for (const LiveInterval &left : a)
    for (const LiveInterval &right : b) {
      LiveInterval both{std::max(left.begin, right.begin), std::min(left.end, right.end)};
      if (both.begin < both.end)
        result.push_back(both);
    }
  return result;
}

std::string toText(const std::vector<LiveInterval> &intervals) {
  std::string text;
  for (const LiveInterval &interval : intervals)
    text += llvm::formatv("{0}[{1}, {2})", text.empty() ? "" : " ", interval.begin, interval.end);
  return text;
}

std::string byteRange(int64_t beginBytes, int64_t endBytes) {
  return "[" + groupedNumber(beginBytes) + ", " + groupedNumber(endBytes) + ")";
}

std::string clipped(llvm::StringRef text, size_t width) {
  if (text.size() <= width)
    return text.str();
  size_t end = width - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end; // not inside a UTF-8 character
  return text.substr(0, end).str() + "...";
}

std::string toText(const WhyPoint &point) {
  constexpr size_t Width = 72;
  // The head of a loop without its colon: others follow.
  auto headOf = [](llvm::StringRef text) { return clipped(text.rtrim(':'), Width); };
  if (point.sourceLine == 0)
    return point.statement.empty() ? "point " + std::to_string(point.point)
                                   : headOf(point.statement);
  std::string line = "line " + std::to_string(point.sourceLine);
  const std::string &text = point.source.empty() ? point.statement : point.source;
  return text.empty() ? line : line + ": " + headOf(text);
}

void printContext(const WhyContext &context, llvm::raw_ostream &out) {
  write(out, context.function, {Ink::Strong});
  out << " after " << context.pass;
  if (context.preview)
    write(out, ", a preview: the plan is not made yet", {Ink::Notice});
  out << '\n';
  if (std::string open = unknownText(context.preview, context.unknown); !open.empty())
    out << "  " << open << '\n';
}

} // namespace tilescope
