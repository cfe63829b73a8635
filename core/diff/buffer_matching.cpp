#include "core/diff/buffer_matching.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <unordered_map>

namespace tilescope {

namespace {

// How a buffer is used: "w@3" is a write at point 3, "wa" an asynchronous one.
struct Usage {
  std::string atPoints; // every access with its point
  std::string inOrder;  // every access
  bool isRead = false;
  bool isWritten = false;
};

// One of the two snapshots.
class Side {
public:
  explicit Side(const TraceSnapshot &snapshot)
      : partners(snapshot.buffers->size()), snapshot_(snapshot) {}

  std::vector<std::optional<size_t>> partners; // by buffer

  size_t size() const { return partners.size(); }
  const BufferRecord &buffer(size_t index) const { return (*snapshot_.buffers)[index]; }
  // nullptr: nothing is known of it. After computeUsages.
  const Usage *usageOf(size_t index) const {
    auto found = usages_.find(buffer(index).id);
    return found == usages_.end() || found->second.inOrder.empty() ? nullptr : &found->second;
  }

  bool isShared(size_t index) const { return tilescope::isShared(buffer(index).scope); }

  // Of the buffers that have no partner, and of shared memory: there are few, and many accesses.
  void computeUsages() {
    for (size_t i = 0; i < size(); ++i)
      if (!partners[i] || isShared(i))
        usages_.try_emplace(buffer(i).id);
    if (!usages_.empty())
      for (const AccessRecord &record : *snapshot_.accesses)
        addUsages(record.program);
  }

private:
  void addUsages(const AccessProgram &program) {
    std::vector<uint32_t> leaves = leavesInOrder(program);
    for (size_t point = 0; point < leaves.size(); ++point)
      for (const Access &access : program.nodes[leaves[point]].accesses) {
        auto found = usages_.find(access.buffer);
        if (found == usages_.end())
          continue;
        Usage &usage = found->second;
        bool isRead = access.kind == AccessKind::Read;
        std::string what = isRead ? "r" : access.async ? "wa" : "w";
        usage.atPoints += what + "@" + std::to_string(point) + " ";
        usage.inOrder += what + " ";
        (isRead ? usage.isRead : usage.isWritten) = true;
      }
  }

  const TraceSnapshot &snapshot_;
  // A trace is untrusted and may use any number as an id, so no DenseMap.
  std::unordered_map<BufferId, Usage> usages_;
};

class Matching {
public:
  Matching(const TraceSnapshot &before, const TraceSnapshot &after)
      : before_(before), after_(after), matchedBy_(after_.size(), MatchedBy::Nothing) {}

  std::vector<BufferPair> run() {
    pairBy(MatchedBy::Key, [](const Side &side, size_t i) { return toString(side.buffer(i).key); });
    pairBy(MatchedBy::Key,
           [](const Side &side, size_t i) { return nameInFunction(side.buffer(i).key); });
    before_.computeUsages();
    after_.computeUsages();
    exchangeNames();
    // The likest first.
    pairByUsage([](const Usage &usage) { return usage.atPoints; });
    pairByUsage([](const Usage &usage) { return usage.inOrder; });
    pairByUsage([](const Usage &usage) {
      return std::string(usage.isRead ? "r" : "") + (usage.isWritten ? "w" : "");
    });
    pairBy(
        MatchedBy::Traits,
        [](const Side &side, size_t i) { return side.usageOf(i) ? "" : traitsOf(side.buffer(i)); },
        /*onlyEqualCounts=*/true);
    return pairs();
  }

private:
  // What has to be equal; "": not to be paired by this.
  using Mark = llvm::function_ref<std::string(const Side &, size_t)>;
  using Leftovers = llvm::StringMap<std::vector<size_t>>;

  static std::string traitsOf(const BufferRecord &buffer) {
    return std::string(nameOf(buffer.scope)) + ";" + buffer.dtype + ";" +
           llvm::join(buffer.shape, ",") + ";" + buffer.key.role + ";";
  }

  static Leftovers leftoversOf(const Side &side, Mark mark) {
    Leftovers leftovers;
    for (size_t i = 0; i < side.size(); ++i) {
      if (side.partners[i])
        continue;
      if (std::string text = mark(side, i); !text.empty())
        leftovers[text].push_back(i);
    }
    return leftovers;
  }

  // Pairs leftovers of equal marks, in order. `onlyEqualCounts`: none where the sides have
  // different numbers of them.
  void pairBy(MatchedBy matchedBy, Mark mark, bool onlyEqualCounts = false) {
    Leftovers right = leftoversOf(after_, mark);
    for (const auto &entry : leftoversOf(before_, mark)) {
      const std::vector<size_t> &left = entry.second;
      auto found = right.find(entry.first());
      if (found == right.end() || (onlyEqualCounts && found->second.size() != left.size()))
        continue;
      for (size_t i = 0; i < std::min(left.size(), found->second.size()); ++i)
        join(left[i], found->second[i], matchedBy);
    }
  }

  void pairByUsage(llvm::function_ref<std::string(const Usage &)> markOf) {
    pairBy(MatchedBy::Traits, [&](const Side &side, size_t i) {
      const Usage *usage = side.usageOf(i);
      return usage ? traitsOf(side.buffer(i)) + markOf(*usage) : "";
    });
  }

  // What two compiles of one buffer have in common; "": not to be found again by this.
  static std::string portraitOf(const Side &side, size_t index) {
    const Usage *usage = side.usageOf(index);
    return usage && side.isShared(index) ? traitsOf(side.buffer(index)) + usage->atPoints : "";
  }

  // By portrait; those that several have are left out.
  static llvm::StringMap<size_t> portraitsOf(const Side &side) {
    llvm::StringMap<size_t> found;
    llvm::StringSet<> twice;
    for (size_t i = 0; i < side.size(); ++i)
      if (std::string portrait = portraitOf(side, i); !portrait.empty())
        if (!found.try_emplace(portrait, i).second)
          twice.insert(portrait);
    for (const auto &entry : twice)
      found.erase(entry.first());
    return found;
  }

  // By buffer of shared memory: how many of its type are declared before it in the kernel file.
  static std::map<size_t, size_t> ranksOf(const Side &side) {
    std::vector<size_t> order;
    for (size_t i = 0; i < side.size(); ++i)
      if (side.isShared(i))
        order.push_back(i);
    llvm::stable_sort(order, [&](size_t a, size_t b) {
      const Span &left = side.buffer(a).span, &right = side.buffer(b).span;
      return std::pair(left.line, left.column) < std::pair(right.line, right.column);
    });
    llvm::StringMap<size_t> counts;
    std::map<size_t, size_t> ranks;
    for (size_t index : order)
      ranks[index] = counts[traitsOf(side.buffer(index))]++;
    return ranks;
  }

  // By buffer of `before`: the one of its portrait; nullopt: it has no portrait of its own, or
  // `after` has none of it, or it is not declared in its place.
  std::vector<std::optional<size_t>> twinsInAfter() const {
    std::vector<std::optional<size_t>> twins(before_.size());
    llvm::StringMap<size_t> portraits = portraitsOf(after_);
    std::map<size_t, size_t> ranksBefore = ranksOf(before_), ranksAfter = ranksOf(after_);
    for (const auto &own : portraitsOf(before_))
      if (auto found = portraits.find(own.first()); found != portraits.end())
        if (ranksBefore.at(own.second) == ranksAfter.at(found->second))
          twins[own.second] = found->second;
    return twins;
  }

  // before:  a (A)   b (B)   c (C)         paired by name, each has the portrait of another, in a
  // after:   a (B)   b (C)   c (A)         ring: a is c now, c is b, and b is a
  //
  // Neither two buffers have one twin nor two twins one partner, so what leads back at all leads
  // back to where it began.
  void exchangeNames() {
    std::vector<std::optional<size_t>> twins = twinsInAfter();
    std::vector<bool> isSeen(before_.size());
    for (size_t first = 0; first < before_.size(); ++first) {
      std::vector<size_t> ring;
      std::optional<size_t> at = first;
      for (; at && !isSeen[*at]; at = twins[*at] ? after_.partners[*twins[*at]] : std::nullopt) {
        isSeen[*at] = true;
        ring.push_back(*at);
      }
      if (at != first || ring.size() < 2)
        continue;
      for (size_t buffer : ring)
        join(buffer, *twins[buffer], MatchedBy::Traits);
    }
  }

  void join(size_t before, size_t after, MatchedBy matchedBy) {
    before_.partners[before] = after;
    after_.partners[after] = before;
    matchedBy_[after] = matchedBy;
  }

  std::vector<BufferPair> pairs() const {
    std::vector<BufferPair> pairs;
    pairs.reserve(after_.size());
    for (size_t i = 0; i < after_.size(); ++i)
      pairs.push_back({after_.partners[i], i, matchedBy_[i]});
    for (size_t i = 0; i < before_.size(); ++i)
      if (!before_.partners[i])
        pairs.push_back({i, std::nullopt, MatchedBy::Nothing});
    return pairs;
  }

  Side before_;
  Side after_;
  std::vector<MatchedBy> matchedBy_; // by index in `after_`
};

} // namespace

std::vector<BufferPair> matchBuffers(const TraceSnapshot &before, const TraceSnapshot &after) {
  return Matching(before, after).run();
}

} // namespace tilescope
