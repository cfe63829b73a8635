#include "core/trace/buffer_matching.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

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

// A trace is untrusted and may use any number as an id, so no DenseMap.
using Usages = std::unordered_map<BufferId, Usage>;

Usages usagesOf(const TraceSnapshot &snapshot) {
  Usages usages;
  for (const AccessRecord &record : *snapshot.accesses) {
    std::vector<uint32_t> leaves = leavesInOrder(record.program);
    for (size_t point = 0; point < leaves.size(); ++point)
      for (const Access &access : record.program.nodes[leaves[point]].accesses) {
        bool isRead = access.kind == AccessKind::Read;
        std::string what = isRead ? "r" : access.async ? "wa" : "w";
        Usage &usage = usages[access.buffer];
        usage.atPoints += what + "@" + std::to_string(point) + " ";
        usage.inOrder += what + " ";
        (isRead ? usage.isRead : usage.isWritten) = true;
      }
  }
  return usages;
}

class Matching {
public:
  Matching(const TraceSnapshot &before, const TraceSnapshot &after)
      : before_(*before.buffers), after_(*after.buffers), usagesBefore_(usagesOf(before)),
        usagesAfter_(usagesOf(after)), partnerBefore_(before_.size()), partnerAfter_(after_.size()),
        matchedBy_(after_.size(), MatchedBy::Nothing) {}

  std::vector<BufferPair> run() {
    pairBy(MatchedBy::Key,
           [](const BufferRecord &buffer, const Usage *) { return toString(buffer.key); });
    pairBy(MatchedBy::Key,
           [](const BufferRecord &buffer, const Usage *) { return nameInFunction(buffer.key); });
    // The likest first.
    pairBy(MatchedBy::Traits, [](const BufferRecord &buffer, const Usage *usage) {
      return usage ? traitsOf(buffer) + usage->atPoints : "";
    });
    pairBy(MatchedBy::Traits, [](const BufferRecord &buffer, const Usage *usage) {
      return usage ? traitsOf(buffer) + usage->inOrder : "";
    });
    pairBy(MatchedBy::Traits, [](const BufferRecord &buffer, const Usage *usage) {
      return usage ? traitsOf(buffer) + (usage->isRead ? "r" : "") + (usage->isWritten ? "w" : "")
                   : "";
    });
    pairUnused();
    return pairs();
  }

private:
  // "": not to be paired by this.
  using Mark = llvm::function_ref<std::string(const BufferRecord &, const Usage *)>;
  using Leftovers = std::map<std::string, std::vector<size_t>>;

  static std::string traitsOf(const BufferRecord &buffer) {
    return buffer.scope + ";" + buffer.dtype + ";" + llvm::join(buffer.shape, ",") + ";" +
           buffer.key.role + ";";
  }

  static Leftovers leftoversOf(const std::vector<BufferRecord> &buffers,
                               const std::vector<std::optional<size_t>> &partners,
                               const Usages &usages, Mark mark) {
    Leftovers leftovers;
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (partners[i])
        continue;
      auto usage = usages.find(buffers[i].id);
      std::string text = mark(buffers[i], usage == usages.end() ? nullptr : &usage->second);
      if (!text.empty())
        leftovers[text].push_back(i);
    }
    return leftovers;
  }

  // Pairs leftovers of equal marks, in order. `onlyEqualCounts`: none where the sides have
  // different numbers of them.
  void pairBy(MatchedBy matchedBy, Mark mark, bool onlyEqualCounts = false) {
    Leftovers right = leftoversOf(after_, partnerAfter_, usagesAfter_, mark);
    for (const auto &[text, left] : leftoversOf(before_, partnerBefore_, usagesBefore_, mark)) {
      auto found = right.find(text);
      if (found == right.end() || (onlyEqualCounts && found->second.size() != left.size()))
        continue;
      for (size_t i = 0; i < std::min(left.size(), found->second.size()); ++i)
        join(left[i], found->second[i], matchedBy);
    }
  }

  void pairUnused() {
    pairBy(
        MatchedBy::Traits,
        [](const BufferRecord &buffer, const Usage *usage) {
          return usage ? "" : traitsOf(buffer);
        },
        /*onlyEqualCounts=*/true);
  }

  void join(size_t before, size_t after, MatchedBy matchedBy) {
    partnerBefore_[before] = after;
    partnerAfter_[after] = before;
    matchedBy_[after] = matchedBy;
  }

  std::vector<BufferPair> pairs() const {
    std::vector<BufferPair> pairs;
    for (size_t i = 0; i < after_.size(); ++i)
      pairs.push_back({partnerAfter_[i], i, matchedBy_[i]});
    for (size_t i = 0; i < before_.size(); ++i)
      if (!partnerBefore_[i])
        pairs.push_back({i, std::nullopt, MatchedBy::Nothing});
    return pairs;
  }

  const std::vector<BufferRecord> &before_;
  const std::vector<BufferRecord> &after_;
  Usages usagesBefore_;
  Usages usagesAfter_;
  std::vector<std::optional<size_t>> partnerBefore_;
  std::vector<std::optional<size_t>> partnerAfter_;
  std::vector<MatchedBy> matchedBy_; // by index in `after_`
};

} // namespace

std::vector<BufferPair> matchBuffers(const TraceSnapshot &before, const TraceSnapshot &after) {
  return Matching(before, after).run();
}

} // namespace tilescope
