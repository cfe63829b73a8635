#include "core/plan/savings.h"
#include "core/plan/planner.h"

#include <algorithm>

namespace tilescope {

namespace {

using Lives = std::vector<LiveInterval>;

// The interval that holds `point` loses what comes from `point` on.
Lives endBefore(Lives live, ProgramPoint point) {
  for (LiveInterval &interval : live)
    if (interval.begin <= point && point < interval.end)
      interval.end = point;
  std::erase_if(live, [](const LiveInterval &interval) { return interval.begin == interval.end; });
  return live;
}

Lives beginAfter(Lives live, ProgramPoint point) {
  for (LiveInterval &interval : live)
    if (interval.begin <= point && point < interval.end)
      interval.begin = point + 1;
  std::erase_if(live, [](const LiveInterval &interval) { return interval.begin == interval.end; });
  return live;
}

class SavingFinder {
public:
  SavingFinder(const ArenaProblem &problem, int64_t nodeBudget)
      : changed_(problem), nodeBudget_(nodeBudget), plan_(planArena(problem, nodeBudget)) {
    for (const ArenaBuffer &buffer : problem.buffers)
      leastAlignment_ = leastAlignment_ ? std::min(leastAlignment_, buffer.alignmentBytes)
                                        : buffer.alignmentBytes;
  }

  std::vector<Saving> run() {
    for (ArenaBuffer &buffer : changed_.buffers)
      tryAll(buffer);
    std::stable_sort(savings_.begin(), savings_.end(),
                     [](const Saving &a, const Saving &b) { return a.gainBytes > b.gainBytes; });
    return std::move(savings_);
  }

private:
  void tryAll(ArenaBuffer &buffer) {
    ArenaBuffer unchanged = buffer;
    auto heightWith = [&](const Lives &live) {
      buffer.live = live;
      return planArena(changed_, nodeBudget_).heightBytes;
    };
    // Where the live set alone proves the height, only its members can lower it.
    const Certificate &proof = plan_.certificate;
    if (proof.kind == ProofKind::LiveAtPoint &&
        std::find(proof.liveSet.begin(), proof.liveSet.end(), buffer.id) == proof.liveSet.end())
      return;
    int64_t height = heightWith(endBefore(unchanged.live, proof.point));
    height = std::min(height, heightWith(beginAfter(unchanged.live, proof.point)));
    keep(Saving::ShorterLife, buffer.id, height);
    buffer = unchanged;
    if (buffer.versions > 1) {
      --buffer.versions;
      buffer.sizeBytes -= buffer.strideBytes;
      keep(Saving::FewerVersions, buffer.id, heightWith(unchanged.live));
      buffer = unchanged;
    }
    if (buffer.alignmentBytes > leastAlignment_) {
      buffer.alignmentBytes = leastAlignment_;
      keep(Saving::NoPadding, buffer.id, heightWith(unchanged.live));
      buffer = unchanged;
    }
  }

  void keep(Saving::Kind kind, BufferId buffer, int64_t heightBytes) {
    if (heightBytes < plan_.heightBytes)
      savings_.push_back({kind, buffer, heightBytes, plan_.heightBytes - heightBytes});
  }

  ArenaProblem changed_;
  int64_t nodeBudget_;
  ArenaPlan plan_;
  int64_t leastAlignment_ = 0;
  std::vector<Saving> savings_;
};

} // namespace

std::vector<Saving> cheapestSavings(const ArenaProblem &problem, int64_t nodeBudget) {
  return SavingFinder(problem, nodeBudget).run();
}

} // namespace tilescope
