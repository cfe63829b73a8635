#include "core/views/why_buffer_model.h"

#include "core/plan/planner.h"
#include "core/views/placement_words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

namespace {

void addRests(const ArenaFacts &facts, BufferId id, std::vector<WhyRest> &rests) {
  std::set<BufferId> seen; // a corrupt trace may go in circles
  std::optional<BufferId> next = id;
  while (next && seen.insert(*next).second) {
    const Placement *placement = facts.arena().plan.find(*next);
    const ArenaBuffer *buffer = facts.buffer(*next);
    next.reset();
    if (!placement || !buffer)
      return;
    for (BufferId below : placement->below) {
      WhyRest rest{buffer->name, facts.nameOf(below),
                   placement->offsetBytes - placement->paddingBytes, placement->paddingBytes,
                   std::nullopt};
      if (const ArenaBuffer *lower = facts.buffer(below))
        if (std::optional<ProgramPoint> witness = conflictWitness(*buffer, *lower))
          rest.at = facts.at(*witness);
      rests.push_back(std::move(rest));
      if (!next)
        next = below;
    }
  }
}

void addShares(const ArenaFacts &facts, const Placement &placement, WhyBufferView &view) {
  int64_t end = placement.offsetBytes + placement.sizeBytes;
  for (BufferId id : placement.sharesWith) {
    WhyBuffer other = facts.describe(id);
    view.sharesWith.push_back({other.name, std::max(placement.offsetBytes, other.offsetBytes),
                               std::min(end, other.offsetBytes + other.sizeBytes), other.live});
  }
}

std::string alignmentText(const WhyBufferView &view) {
  std::string text = llvm::formatv("a multiple of {0}; ", view.alignmentBytes);
  return text + (view.paddingBytes > 0
                     ? groupedNumber(view.paddingBytes) + " bytes of padding below"
                     : "no padding below");
}

std::string bytesText(const WhyBufferView &view) {
  const WhyBuffer &buffer = view.buffer;
  std::string text = byteRange(buffer.offsetBytes, buffer.offsetBytes + buffer.sizeBytes) + ": " +
                     groupedNumber(buffer.sizeBytes);
  return buffer.versions > 1 ? text + llvm::formatv(", {0} versions, {1} apart", buffer.versions,
                                                    groupedNumber(view.strideBytes))
                                          .str()
                             : text;
}

void printFacts(const WhyBufferView &view, llvm::raw_ostream &out) {
  const WhyBuffer &buffer = view.buffer;
  std::vector<std::vector<std::string>> rows{
      {"  type", view.type},
      {"  bytes", bytesText(view)},
      {"  place", view.place},
      {"  alignment", alignmentText(view)},
      {"  live", buffer.live.empty() ? "never" : toText(buffer.live)}};
  if (buffer.definition)
    rows.push_back({"  written", toText(*buffer.definition)});
  if (buffer.lastUse)
    rows.push_back({"  last read", toText(*buffer.lastUse)});
  printTable(out, rows, 2, plainInk);
}

void printRows(llvm::StringRef heading, const std::vector<std::vector<std::string>> &rows,
               llvm::raw_ostream &out) {
  if (rows.empty())
    return;
  out << '\n';
  write(out, heading, {Ink::Strong});
  out << '\n';
  printTable(out, rows, rows[0].size(), plainInk);
}

} // namespace

WhyBufferView buildWhyBuffer(const PassState &state, const FunctionState &function, BufferId id) {
  ArenaFacts facts(state, function);
  WhyBufferView view;
  view.context = facts.context();
  view.buffer = facts.describe(id);
  const SharedBuffer &shared = *function.find(id);
  view.type = shared.type();
  const ArenaBuffer &buffer = *shared.inArena;
  view.alignmentBytes = buffer.alignmentBytes;
  view.strideBytes = buffer.strideBytes;
  addRests(facts, id, view.restsOn);
  if (const Placement *placement = shared.placement) {
    view.paddingBytes = placement->paddingBytes;
    view.reason = EnumNames<PlacementReason>::Names[static_cast<size_t>(placement->reason)];
    view.place = placementText(*placement, [&](BufferId other) { return facts.nameOf(other); });
    addShares(facts, *placement, view);
  }
  for (const ArenaBuffer &other : facts.arena().problem.buffers)
    if (std::optional<ProgramPoint> witness = conflictWitness(buffer, other);
        witness && other.id != id)
      view.liveWith.push_back({other.name, facts.at(*witness)});
  return view;
}

void print(const WhyBufferView &view, llvm::raw_ostream &out) {
  printContext(view.context, out);
  write(out, view.buffer.name, Ink::ofHue(view.buffer.hueDegrees));
  out << '\n';
  printFacts(view, out);
  std::vector<std::vector<std::string>> rests, shares, neighbours;
  for (const WhyRest &rest : view.restsOn)
    rests.push_back(
        {"  " + rest.buffer + " on " + rest.on,
         "at " + groupedNumber(rest.topBytes) +
             (rest.paddingBytes > 0 ? " + " + groupedNumber(rest.paddingBytes) + " of padding"
                                    : ""),
         rest.at ? "both live at " + toText(*rest.at) : ""});
  for (const WhyShare &share : view.sharesWith)
    shares.push_back({"  " + share.buffer, byteRange(share.beginBytes, share.endBytes),
                      "live " + toText(share.live)});
  for (const WhyNeighbour &neighbour : view.liveWith)
    neighbours.push_back({"  " + neighbour.buffer, "first at " + toText(neighbour.at)});
  printRows("what it stands on, down to the floor", rests, out);
  printRows("who uses its bytes at other times", shares, out);
  printRows("who is live with it, so has other bytes", neighbours, out);
}

} // namespace tilescope
