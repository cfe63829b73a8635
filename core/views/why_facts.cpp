#include "core/views/why_facts.h"

#include "core/support/nearest_name.h"
#include "core/views/placement_words.h"
#include "core/views/source_statement.h"
#include "core/views/unplaced_buffers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

ArenaFacts::ArenaFacts(const PassState &state, const FunctionState &function)
    : state_(state), function_(function), points_(state.textOf(function).points),
      sourceLines_(sourceLinesOf(state.trace())) {}

WhyContext ArenaFacts::context() const {
  return {state_.place(), arena().function, arena().preview, arena().unknown};
}

const ArenaBuffer *ArenaFacts::buffer(BufferId id) const {
  const SharedBuffer *found = function_.find(id);
  return found ? found->inArena : nullptr;
}

const BufferLifetime *ArenaFacts::lifetimeOf(BufferId id) const {
  const SharedBuffer *found = function_.find(id);
  return found ? found->lifetime : nullptr;
}

WhyBuffer ArenaFacts::describe(BufferId id) const {
  WhyBuffer result;
  result.name = nameOf(id);
  const SharedBuffer *found = function_.find(id);
  if (!found)
    return result;
  if (found->declaration)
    result.key = toString(found->declaration->key);
  result.hueDegrees = found->hueDegrees;
  if (found->inArena) {
    result.sizeBytes = found->inArena->sizeBytes;
    result.versions = found->inArena->versions;
    result.live = found->inArena->live;
  }
  if (found->placement)
    result.offsetBytes = found->placement->offsetBytes;
  if (found->lifetime) {
    if (!found->lifetime->defs.empty())
      result.definition = at(found->lifetime->defs.front());
    if (!found->lifetime->uses.empty())
      result.lastUse = at(found->lifetime->uses.back());
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
  result.source = sourceStatement(sourceLines_, result.sourceLine.number);
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
  if (!function_.accesses)
    return {};
  std::vector<std::string> unknown = function_.accesses->notFollowed;
  llvm::append_range(unknown, function_.accesses->notOrdered);
  return unknown;
}

bool ArenaFacts::isSound() const {
  return state_.trace().passes[state_.pass()].verdicts.arenaSound == Verdict::Yes;
}

std::vector<WhyPoint> ArenaFacts::barriersIn(const LiveInterval &points) const {
  std::vector<WhyPoint> barriers;
  if (!function_.accesses)
    return barriers;
  const AccessProgram &program = function_.accesses->program;
  std::vector<uint32_t> leaves = leavesInOrder(program);
  ProgramPoint end = std::min(points.end, static_cast<ProgramPoint>(leaves.size()));
  for (ProgramPoint point = std::max(points.begin, 0); point < end; ++point) {
    const AccessNode &node = program.nodes[leaves[point]];
    if (node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block)
      barriers.push_back(at(point));
  }
  return barriers;
}

std::optional<BufferBytes> ArenaFacts::bytesOf(BufferId id) const {
  const SharedBuffer *found = function_.find(id);
  if (!found || !found->inArena || !found->placement || found->inArena->sizeBytes == 0)
    return std::nullopt;
  int64_t stride = found->inArena->sizeBytes / std::max<int64_t>(found->inArena->versions, 1);
  return BufferBytes{id, found->placement->offsetBytes, stride, stride};
}

std::optional<WhyOrder> ArenaFacts::orderOf(BufferId earlier, BufferId later) const {
  std::optional<BufferBytes> first = bytesOf(earlier), second = bytesOf(later);
  if (!function_.accesses || !first || !second)
    return std::nullopt;
  return whyOrder(function_.accesses->program, *first, *second);
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

llvm::Expected<ArenaBufferPlace> findArenaBuffer(const PassState &state, llvm::StringRef name) {
  std::vector<ArenaBufferPlace> fits;
  std::vector<std::string> names, keys;
  for (const FunctionState &function : state.functions()) {
    if (!function.arena)
      continue;
    for (const ArenaBuffer &buffer : function.arena->problem.buffers) {
      const BufferRecord *declaration = state.facets()->declaration(buffer.id);
      std::string key = declaration ? toString(declaration->key) : "";
      names.push_back(buffer.name);
      if (buffer.name != name && key != name)
        continue;
      fits.push_back({&function, buffer.id});
      keys.push_back(key);
    }
  }
  if (fits.size() == 1)
    return fits.front();
  if (!fits.empty())
    return llvm::createStringError("several shared buffers are named '" + name +
                                   "': " + llvm::join(keys, ", "));
  if (std::string reason = whyUnplaced(state, name); !reason.empty())
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
  if (!point.sourceLine)
    return point.statement.empty() ? "point " + std::to_string(point.point)
                                   : headOf(point.statement);
  std::string line = lineText("line ", point.sourceLine);
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
