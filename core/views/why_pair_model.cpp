#include "core/views/why_pair_model.h"

#include "core/plan/planner.h"
#include "core/views/barrier_counter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// More rows than a screen has explain nothing; JSON has them all.
constexpr size_t MaxRows = 24;

WhyNotThere whyNotAt(const Trace &trace, const ArenaFacts &facts, BufferId id, int64_t beginBytes) {
  WhyNotThere result;
  const ArenaBuffer &buffer = *facts.buffer(id);
  int64_t alignment = std::max<int64_t>(buffer.alignmentBytes, 1);
  result.buffer = buffer.name;
  result.beginBytes = (beginBytes + alignment - 1) / alignment * alignment;
  result.endBytes = result.beginBytes + buffer.sizeBytes;
  for (const ArenaBuffer &other : facts.arena().problem.buffers) {
    const Placement *placement = facts.arena().plan.find(other.id);
    if (other.id == id || !placement || placement->offsetBytes >= result.endBytes ||
        placement->offsetBytes + placement->sizeBytes <= result.beginBytes)
      continue;
    std::optional<ProgramPoint> witness = conflictWitness(buffer, other);
    if (!witness)
      continue;
    result.blockedBy = other.name;
    result.at = facts.at(*witness);
    return result;
  }
  if (result.endBytes > facts.arena().plan.heightBytes)
    result.aboveBytes = facts.arena().plan.heightBytes;
  else if (std::optional<BufferBytes> moved = facts.bytesOf(id);
           moved && !facts.context().preview && facts.unknownOrder().empty()) {
    moved->offsetBytes = result.beginBytes;
    result.moreBarriers = BarrierCounter(trace, facts).moreWith(*moved);
  }
  return result;
}

PairRelation relationOf(bool inTime, bool inBytes, bool areLivesKnown) {
  if (inTime)
    return !inBytes        ? PairRelation::Conflict
           : areLivesKnown ? PairRelation::Clash
                           : PairRelation::Unknown;
  return inBytes ? PairRelation::Share : PairRelation::Apart;
}

Ink::Kind inkOf(PairRelation relation) {
  switch (relation) {
  case PairRelation::Share:
    return Ink::Good;
  case PairRelation::Conflict:
  case PairRelation::Clash:
    return Ink::Bad;
  case PairRelation::Apart:
  case PairRelation::Unknown:
    return Ink::Notice;
  }
  return Ink::Plain;
}

Ink pairInk(const WhyPairView &view, bool isFirst) {
  return Ink::ofHue((isFirst ? view.first : view.second).hueDegrees);
}

void printBuffers(const WhyPairView &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{{"  buffer", "bytes", "live", "written", "last read"}};
  for (const WhyBuffer *buffer : {&view.first, &view.second})
    rows.push_back({"  " + buffer->name,
                    byteRange(buffer->offsetBytes, buffer->offsetBytes + buffer->sizeBytes),
                    toText(buffer->live),
                    buffer->definition ? toText(*buffer->definition) : "never",
                    buffer->lastUse ? toText(*buffer->lastUse) : "never"});
  printTable(out, rows, rows[0].size(), [&](size_t row, size_t column) {
    return row > 0 && column == 0 ? pairInk(view, row == 1) : headingInk(row, column);
  });
}

void printWitnesses(const WhyPairView &view, llvm::raw_ostream &out) {
  if (view.witnesses.empty())
    return;
  out << '\n';
  std::vector<std::vector<std::string>> rows{
      {"  points", view.first.name, view.second.name, "where"}};
  for (const WhyStretch &stretch : view.witnesses) {
    if (rows.size() > MaxRows)
      break;
    rows.push_back({"  " + toText(std::vector{stretch.points}), stretch.states[0],
                    stretch.states[1], toText(stretch.at)});
  }
  size_t left = view.witnesses.size() - (rows.size() - 1);
  printTable(out, rows, rows[0].size(), [&](size_t row, size_t column) {
    bool isName = row == 0 && (column == 1 || column == 2);
    return isName ? pairInk(view, column == 1) : headingInk(row, column);
  });
  if (left > 0)
    out << "  and " << left << " more; --format json has all\n";
}

std::string textOf(const WhyNotThere &notThere, bool isLeast) {
  if (notThere.at)
    return "would overlap " + notThere.blockedBy + ", live with it at " + toText(*notThere.at);
  if (notThere.aboveBytes > 0)
    return "would end above the arena, which is " + groupedNumber(notThere.aboveBytes) +
           " bytes high";
  if (int64_t more = notThere.moreBarriers.value_or(0); more != 0)
    return llvm::formatv("would need {0} barrier{1} {2}", std::abs(more),
                         std::abs(more) == 1 ? "" : "s", more > 0 ? "more" : "less");
  std::string text = "would fit as well";
  if (isLeast)
    text += "; the arena is proven least, so it would gain no bytes";
  return text + (notThere.moreBarriers ? ", and needs as many barriers" : "");
}

void printNotThere(const WhyPairView &view, llvm::raw_ostream &out) {
  for (const WhyNotThere &notThere : view.notThere)
    out << "  " << notThere.buffer << " at " << byteRange(notThere.beginBytes, notThere.endBytes)
        << ' ' << textOf(notThere, view.isLeast) << '\n';
}

// From the last point of the earlier life to the first of the later one; nothing if they alternate.
std::optional<LiveInterval> pointsBetween(const WhyBuffer &a, const WhyBuffer &b) {
  if (a.live.empty() || b.live.empty())
    return std::nullopt;
  if (a.live.back().end <= b.live.front().begin)
    return LiveInterval{a.live.back().end, b.live.front().begin};
  if (b.live.back().end <= a.live.front().begin)
    return LiveInterval{b.live.back().end, a.live.front().begin};
  return std::nullopt;
}

// "C_shared takes slots 0, 2 of A_shared alone, last accessed 1 iteration before its loop ends"
void printSlots(const WhyPairView &view, llvm::raw_ostream &out) {
  if (view.sharedSlots.empty())
    return;
  const WhyBuffer &earlier = view.isFirstEarlier ? view.first : view.second;
  const WhyBuffer &later = view.isFirstEarlier ? view.second : view.first;
  out << "  " << later.name << " takes slot" << (view.sharedSlots.size() == 1 ? " " : "s ")
      << llvm::join(
             llvm::map_range(view.sharedSlots, [](int64_t slot) { return std::to_string(slot); }),
             ", ")
      << " of " << earlier.name << " alone";
  if (view.iterationsEarlier > 0)
    out << ", last accessed " << view.iterationsEarlier
        << (view.iterationsEarlier == 1 ? " iteration" : " iterations") << " before its loop ends";
  out << '\n';
}

void printBarriersBetween(const WhyPairView &view, llvm::raw_ostream &out) {
  if (view.isSound)
    out << "  in no order of the threads does one touch them while the other needs them: the check "
           "of the arena finds it sound\n";
  if (!view.isHandOver)
    return;
  for (const WhyPoint &barrier : view.barriers)
    out << "  a barrier stands between: before " << toText(barrier) << '\n';
  if (!view.barriers.empty())
    return;
  printSlots(view, out);
  if (!view.separatedBy.empty())
    out << "  no barrier of its own: one is there already, before "
        << toText(view.separatedBy.front()) << '\n';
  else if (view.isSound)
    return;
  else if (!view.unknownOrder.empty())
    out << "  whether a barrier stands between is not known, nor "
        << llvm::join(view.unknownOrder, ", nor ") << '\n';
  else
    out << "  no barrier stands between\n";
}

void addOrder(const ArenaFacts &facts, BufferId earlier, BufferId later, WhyPairView &view) {
  std::optional<WhyOrder> order = facts.orderOf(earlier, later);
  if (!order)
    return;
  for (ProgramPoint barrier : order->barriers)
    view.separatedBy.push_back(facts.at(barrier));
  if (order->areAll)
    return;
  view.sharedSlots = order->slots;
  view.iterationsEarlier = order->iterations;
}

std::string answerOf(const WhyPairView &view) {
  std::string pair = view.first.name + " and " + view.second.name;
  std::string bytes = byteRange(view.sharedBeginBytes, view.sharedEndBytes);
  int64_t points = 0;
  for (const LiveInterval &interval : view.together)
    points += interval.end - interval.begin;
  std::string times =
      llvm::formatv("both are live at {0} points, {1}", points, toText(view.together)).str();
  switch (view.relation) {
  case PairRelation::Share:
    return pair + " share bytes " + bytes + ": they are never live together";
  case PairRelation::Conflict:
    return pair + " cannot share bytes: " + times;
  case PairRelation::Clash:
    return pair + " overlap in bytes " + bytes + " though " + times + ": this plan is wrong";
  case PairRelation::Unknown:
    if (view.isSound)
      return pair + " share bytes " + bytes + "; as far as lives are known, " + times;
    return pair + " overlap in bytes " + bytes + "; it is not known whether " + times + ", nor " +
           llvm::join(view.unknownOrder, ", nor ");
  case PairRelation::Apart:
    return pair + " could share bytes, for they are never live together, but do not:";
  }
  return "";
}

} // namespace

WhyPairView buildWhyPair(const PassState &state, const FunctionState &function, BufferId first,
                         BufferId second) {
  ArenaFacts facts(state, function);
  WhyPairView view;
  view.context = facts.context();
  view.first = facts.describe(first);
  view.second = facts.describe(second);
  view.together = intersect(view.first.live, view.second.live);
  view.witnesses = facts.stretches(view.together, {first, second});
  view.isLeast = function.arena->plan.isLeast();
  view.sharedBeginBytes = std::max(view.first.offsetBytes, view.second.offsetBytes);
  view.sharedEndBytes = std::min(view.first.offsetBytes + view.first.sizeBytes,
                                 view.second.offsetBytes + view.second.sizeBytes);
  bool inBytes = view.sharedBeginBytes < view.sharedEndBytes;
  if (!inBytes)
    view.sharedBeginBytes = view.sharedEndBytes = 0;
  std::vector<std::string> unknownOrder = facts.unknownOrder();
  view.relation = relationOf(!view.together.empty(), inBytes, unknownOrder.empty());
  if (view.relation == PairRelation::Unknown || view.relation == PairRelation::Share) {
    view.isSound = !unknownOrder.empty() && facts.isSound();
    view.unknownOrder = std::move(unknownOrder);
  }
  std::optional<LiveInterval> between = pointsBetween(view.first, view.second);
  if (view.relation == PairRelation::Share && between) {
    view.isHandOver = true;
    view.barriers = facts.barriersIn(*between);
    view.isFirstEarlier = view.first.live.front().begin < view.second.live.front().begin;
    if (view.barriers.empty())
      addOrder(facts, view.isFirstEarlier ? first : second, view.isFirstEarlier ? second : first,
               view);
  }
  if (view.relation == PairRelation::Apart) {
    view.notThere.push_back(whyNotAt(state.trace(), facts, first, view.second.offsetBytes));
    view.notThere.push_back(whyNotAt(state.trace(), facts, second, view.first.offsetBytes));
  }
  return view;
}

void print(const WhyPairView &view, llvm::raw_ostream &out) {
  printContext(view.context, out);
  write(out, answerOf(view), {inkOf(view.relation)});
  out << '\n';
  printBarriersBetween(view, out);
  printNotThere(view, out);
  out << '\n';
  printBuffers(view, out);
  printWitnesses(view, out);
}

} // namespace tilescope
