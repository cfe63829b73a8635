#include "core/access/bank_passes.h"

#include <algorithm>
#include <array>
#include <set>

namespace tilescope {

namespace {

constexpr int64_t MostElements = int64_t{1} << 44;
constexpr size_t NumbersOfRun = 4;

int64_t wordOf(int64_t byte) {
  return byte >= 0 ? byte / BankBytes : -((BankBytes - 1 - byte) / BankBytes);
}

// The words that lanes want, by bank.
using WordsOfBanks = std::array<std::set<int64_t>, static_cast<size_t>(SharedBanks)>;

std::set<int64_t> &wordsAt(WordsOfBanks &words, int64_t word) {
  return words[static_cast<size_t>(bankOf(word * BankBytes))];
}

WordsOfBanks wordsOf(LaneBytes bytes, int64_t laneBytes) {
  WordsOfBanks words;
  for (const std::optional<int64_t> &byte : bytes)
    if (byte)
      for (int64_t word = wordOf(*byte); word <= wordOf(*byte + laneBytes - 1); ++word)
        wordsAt(words, word).insert(word);
  return words;
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
    int64_t needed = 0;
    for (const std::set<int64_t> &words :
         wordsOf(bytes.slice(begin, std::min(together, bytes.size() - begin)), laneBytes))
      needed = std::max(needed, static_cast<int64_t>(words.size()));
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
          conflicts[begin + lane] = conflicts[begin + lane] || wordsAt(words, word).size() > 1;
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
