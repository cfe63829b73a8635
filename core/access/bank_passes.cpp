#include "core/access/bank_passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>

namespace tilescope {

namespace {

constexpr int64_t MostElements = int64_t{1} << 44;
constexpr size_t NumbersOfRun = 4;

int64_t wordOf(int64_t byte) {
  return byte >= 0 ? byte / BankBytes : -((BankBytes - 1 - byte) / BankBytes);
}

// How many words lanes want of each bank.
using WordsOfBanks = std::array<int64_t, static_cast<size_t>(SharedBanks)>;

int64_t &countAt(WordsOfBanks &counts, int64_t word) {
  return counts[static_cast<size_t>(bankOf(word * BankBytes))];
}

WordsOfBanks wordsOf(LaneBytes bytes, int64_t laneBytes) {
  llvm::SmallVector<int64_t, 64>
      words; // as many as lanes without conflicts want, and as many again
  for (const std::optional<int64_t> &byte : bytes)
    if (byte)
      for (int64_t word = wordOf(*byte); word <= wordOf(*byte + laneBytes - 1); ++word)
        words.push_back(word);
  llvm::sort(words);
  WordsOfBanks counts = {};
  for (const int64_t *word = words.begin(); word != words.end(); ++word)
    if (word == words.begin() || *word != word[-1])
      ++countAt(counts, *word);
  return counts;
}

} // namespace

int64_t bankOf(int64_t byte) { return ((wordOf(byte) % SharedBanks) + SharedBanks) % SharedBanks; }

size_t lanesServedTogether(int64_t laneBytes) {
  return static_cast<size_t>(SharedBanks * BankBytes / std::max(laneBytes, BankBytes));
}

BankPasses bankPassesOf(LaneBytes bytes, int64_t laneBytes) {
  BankPasses found;
  size_t together = lanesServedTogether(laneBytes);
  for (size_t begin = 0; begin < bytes.size(); begin += together) {
    WordsOfBanks words =
        wordsOf(bytes.slice(begin, std::min(together, bytes.size() - begin)), laneBytes);
    int64_t needed = *llvm::max_element(words);
    found.passes += needed;
    found.least += needed > 0;
    found.degree = std::max(found.degree, needed);
  }
  return found;
}

std::vector<bool> lanesInConflict(LaneBytes bytes, int64_t laneBytes) {
  std::vector<bool> conflicts(bytes.size(), false);
  size_t together = lanesServedTogether(laneBytes);
  for (size_t begin = 0; begin < bytes.size(); begin += together) {
    LaneBytes group = bytes.slice(begin, std::min(together, bytes.size() - begin));
    WordsOfBanks words = wordsOf(group, laneBytes);
    for (size_t lane = 0; lane != group.size(); ++lane)
      if (std::optional<int64_t> byte = group[lane])
        for (int64_t word = wordOf(*byte); word <= wordOf(*byte + laneBytes - 1); ++word)
          conflicts[begin + lane] = conflicts[begin + lane] || countAt(words, word) > 1;
  }
  return conflicts;
}

std::vector<int64_t> packLanes(LaneElements elements) {
  std::vector<int64_t> runs;
  for (size_t lane = 0; lane < elements.size();) {
    if (!elements[lane]) {
      ++lane;
      continue;
    }
    size_t end = lane + 1;
    int64_t step = end < elements.size() && elements[end] ? *elements[end] - *elements[lane] : 0;
    while (end < elements.size() && elements[end] && *elements[end] == *elements[end - 1] + step)
      ++end;
    for (int64_t number : {static_cast<int64_t>(lane), static_cast<int64_t>(end - lane),
                           *elements[lane], end - lane > 1 ? step : 0})
      runs.push_back(number);
    lane = end;
  }
  return runs;
}

std::vector<std::optional<int64_t>> unpackLanes(llvm::ArrayRef<int64_t> runs) {
  std::vector<std::optional<int64_t>> elements(static_cast<size_t>(WarpLanes));
  for (; runs.size() >= NumbersOfRun; runs = runs.drop_front(NumbersOfRun))
    for (int64_t i = 0; i != runs[1]; ++i)
      elements[static_cast<size_t>(runs[0] + i)] = runs[2] + i * runs[3];
  return elements;
}

bool areLaneRuns(llvm::ArrayRef<int64_t> runs) {
  if (runs.size() % NumbersOfRun != 0)
    return false;
  for (; !runs.empty(); runs = runs.drop_front(NumbersOfRun)) {
    bool isOfWarp = 0 <= runs[0] && 1 <= runs[1] && runs[0] < WarpLanes && runs[1] <= WarpLanes &&
                    runs[0] + runs[1] <= WarpLanes;
    bool isFigure = -MostElements < runs[2] && runs[2] < MostElements && -MostElements < runs[3] &&
                    runs[3] < MostElements;
    if (!isOfWarp || !isFigure)
      return false;
  }
  return true;
}

} // namespace tilescope
