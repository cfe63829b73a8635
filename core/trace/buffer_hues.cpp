#include "core/trace/buffer_hues.h"

#include "core/support/colour.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tilescope {

namespace {

constexpr size_t ColourCount = std::size(OrderedHues);
// A picture of more buffers tells none of them by its colour, and counting would take longer than a
// step may.
constexpr size_t MostBuffers = 1024;

BufferKey withoutFunction(BufferKey key) {
  key.function.clear();
  return key;
}

// Buffers that come by order, and who lies beside whom.
class Neighbours {
public:
  void add(const TraceSnapshot &snapshot) {
    if (!seenBuffers_.insert(snapshot.buffers.get()).second &&
        seenArenas_.contains(snapshot.arenas.get()))
      return;
    std::map<BufferId, size_t> ranks;
    for (const BufferRecord &record : *snapshot.buffers)
      if (isShared(record.scope))
        ranks[record.id] = rankOf(record.key);
    seenArenas_.insert(snapshot.arenas.get());
    for (const ArenaRecord &arena : *snapshot.arenas)
      addArena(arena, ranks);
  }

  std::map<BufferKey, int> colour() const {
    std::vector<size_t> colours;
    for (size_t rank = 0; rank != keys_.size(); ++rank)
      colours.push_back(colourOf(rank, colours));
    std::map<BufferKey, int> hues;
    for (size_t rank = 0; rank != keys_.size(); ++rank)
      hues[keys_[rank]] = OrderedHues[colours[rank]];
    return hues;
  }

private:
  size_t rankOf(const BufferKey &key) {
    auto [found, isNew] = ranks_.try_emplace(withoutFunction(key), keys_.size());
    if (isNew) {
      keys_.push_back(found->first);
      besides_.emplace_back();
    }
    return found->second;
  }

  struct Placed {
    size_t rank;
    int64_t begin, end; // bytes
    const std::vector<LiveInterval> *live;
  };

  void addArena(const ArenaRecord &arena, const std::map<BufferId, size_t> &ranks) {
    std::vector<Placed> placed;
    for (const ArenaBuffer &buffer : arena.problem.buffers) {
      const Placement *place = arena.plan.find(buffer.id);
      auto rank = ranks.find(buffer.id);
      if (place && rank != ranks.end() && buffer.sizeBytes > 0)
        placed.push_back({rank->second, place->offsetBytes, place->offsetBytes + buffer.sizeBytes,
                          &buffer.live});
    }
    for (size_t i = 0; i != placed.size(); ++i)
      for (size_t j = 0; j != i; ++j)
        if (placed[i].rank != placed[j].rank && touch(placed[i], placed[j])) {
          besides_[placed[i].rank].insert(placed[j].rank);
          besides_[placed[j].rank].insert(placed[i].rank);
        }
  }

  // Beside each other at a point, or one after the other in the same bytes.
  static bool touch(const Placed &a, const Placed &b) {
    int64_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
    if (begin > end)
      return false;
    return llvm::any_of(*a.live, [&](const LiveInterval &one) {
      return llvm::any_of(*b.live, [&](const LiveInterval &other) {
        ProgramPoint first = std::max(one.begin, other.begin), last = std::min(one.end, other.end);
        return first < last || (first == last && begin < end);
      });
    });
  }

  // Those before it have theirs. By order, or the next that no neighbour has, or the one that the
  // fewest have.
  size_t colourOf(size_t rank, const std::vector<size_t> &colours) const {
    size_t counts[ColourCount] = {};
    for (size_t other : besides_[rank])
      if (other < colours.size())
        ++counts[colours[other]];
    size_t best = rank % ColourCount;
    for (size_t i = 1; i != ColourCount; ++i)
      if (size_t next = (rank + i) % ColourCount; counts[next] < counts[best])
        best = next;
    return best;
  }

  std::map<BufferKey, size_t> ranks_;
  std::vector<BufferKey> keys_;           // by rank
  std::vector<std::set<size_t>> besides_; // by rank
  std::set<const void *> seenBuffers_, seenArenas_;
};

} // namespace

BufferHues BufferHues::of(const Trace &trace) {
  BufferHues hues;
  auto isSmall = [](const TraceSnapshot &snapshot) {
    return isLoaded(snapshot) && snapshot.buffers->size() <= MostBuffers;
  };
  if (!llvm::all_of(trace.snapshots, isSmall))
    return hues;
  Neighbours neighbours;
  for (const TraceSnapshot &snapshot : trace.snapshots)
    neighbours.add(snapshot);
  hues.hues_ = neighbours.colour();
  return hues;
}

int BufferHues::hueOf(const BufferKey &key) const {
  auto found = hues_.find(withoutFunction(key));
  return found == hues_.end() ? hueDegrees(key) : found->second;
}

} // namespace tilescope
