#include "core/support/line_edits.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Beyond this many changed lines a coarse edit is as good and costs nothing.
constexpr int MaxDifferences = 512;

// Furthest-reaching points of Myers' algorithm: trace[d][k + d] is the largest x on diagonal k
// (k = x - y) that d changes reach.
using Frontier = std::vector<int>;

int follow(llvm::ArrayRef<uint32_t> before, llvm::ArrayRef<uint32_t> after, int x, int k) {
  int n = static_cast<int>(before.size());
  int m = static_cast<int>(after.size());
  while (x < n && x - k < m && before[x] == after[x - k])
    ++x;
  return x;
}

struct Step {
  int x = -1; // where diagonal k is entered; -1: it cannot be reached
  bool isInsertion = false;
};

// From the diagonal above (an insertion) or the one below (a removal), whichever reaches further.
Step stepOnto(const Frontier &previous, int d, int k) {
  auto at = [&](int diagonal) {
    int index = diagonal + d - 1;
    return index < 0 || index >= static_cast<int>(previous.size()) ? -1 : previous[index];
  };
  if (k == -d || (k != d && at(k - 1) < at(k + 1)))
    return {at(k + 1), true};
  return {at(k - 1) < 0 ? -1 : at(k - 1) + 1, false};
}

// The frontiers up to the one that reaches both ends; empty if there is none within the limit.
std::vector<Frontier> findFrontiers(llvm::ArrayRef<uint32_t> before,
                                    llvm::ArrayRef<uint32_t> after) {
  int n = static_cast<int>(before.size());
  int m = static_cast<int>(after.size());
  std::vector<Frontier> frontiers;
  for (int d = 0; d <= std::min(n + m, MaxDifferences); ++d) {
    Frontier frontier(2 * d + 1, -1);
    for (int k = -d; k <= d; k += 2) {
      int x = d == 0 ? 0 : stepOnto(frontiers.back(), d, k).x;
      bool isInside = x >= 0 && x <= n && x >= k && x - k <= m;
      frontier[k + d] = isInside ? follow(before, after, x, k) : -1;
    }
    bool finished = std::abs(n - m) <= d && frontier[n - m + d] >= n;
    frontiers.push_back(std::move(frontier));
    if (finished)
      return frontiers;
  }
  return {};
}

// Walks back from the end; gives the kept pairs (position before, position after), ascending.
std::vector<std::pair<int, int>> keptLines(llvm::ArrayRef<uint32_t> before,
                                           llvm::ArrayRef<uint32_t> after,
                                           const std::vector<Frontier> &frontiers) {
  std::vector<std::pair<int, int>> kept;
  int x = static_cast<int>(before.size());
  int y = static_cast<int>(after.size());
  for (int d = static_cast<int>(frontiers.size()) - 1; d >= 0; --d) {
    int k = x - y;
    Step step = d == 0 ? Step{0, false} : stepOnto(frontiers[d - 1], d, k);
    while (x > step.x) {
      --x;
      --y;
      kept.emplace_back(x, y);
    }
    (step.isInsertion ? y : x) -= 1;
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

} // namespace

std::vector<LineEdit> diffLines(llvm::ArrayRef<uint32_t> before, llvm::ArrayRef<uint32_t> after) {
  std::vector<Frontier> frontiers = findFrontiers(before, after);
  std::vector<std::pair<int, int>> kept;
  if (!frontiers.empty())
    kept = keptLines(before, after, frontiers);
  kept.emplace_back(before.size(), after.size());
  std::vector<LineEdit> edits;
  int x = 0;
  int y = 0;
  for (auto [keptX, keptY] : kept) {
    if (keptX > x || keptY > y)
      edits.push_back({static_cast<uint32_t>(x), static_cast<uint32_t>(keptX - x),
                       std::vector<uint32_t>(after.begin() + y, after.begin() + keptY)});
    x = keptX + 1;
    y = keptY + 1;
  }
  return edits;
}

std::optional<std::vector<uint32_t>> applyLineEdits(llvm::ArrayRef<uint32_t> before,
                                                    llvm::ArrayRef<LineEdit> edits) {
  std::vector<uint32_t> after;
  size_t position = 0;
  for (const LineEdit &edit : edits) {
    if (edit.at < position || edit.at > before.size() || edit.removed > before.size() - edit.at)
      return std::nullopt;
    after.insert(after.end(), before.begin() + position, before.begin() + edit.at);
    after.insert(after.end(), edit.inserted.begin(), edit.inserted.end());
    position = edit.at + edit.removed;
  }
  after.insert(after.end(), before.begin() + position, before.end());
  return after;
}

} // namespace tilescope
