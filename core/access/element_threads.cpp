#include "core/access/element_threads.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr int64_t MaxElements = 1 << 20;
constexpr int64_t MaxBits = 128; // of an element

bool isWhole(const ElementThreads &map) {
  bool isSized = map.elements > 0 && map.elements <= MaxElements && map.elementBits > 0 &&
                 map.elementBits <= MaxBits;
  return isSized && (map.elementBits % 8 == 0 || 8 % map.elementBits == 0) && !map.least.empty();
}

int64_t threadOf(llvm::ArrayRef<int64_t> numbers, int64_t element) {
  int64_t thread = numbers[0];
  for (size_t bit = 1; bit != numbers.size() && element != 0; ++bit, element >>= 1)
    if (element & 1)
      thread ^= numbers[bit];
  return thread;
}

struct Threads {
  int64_t least = 0, most = 0;
};

Threads threadsOfElement(const ElementThreads &map, int64_t element) {
  int64_t least = threadOf(map.least, element);
  return {least, map.most.empty() ? least : threadOf(map.most, element)};
}

// Of all elements that the byte is a part of, or that are in it.
Threads threadsOf(const ElementThreads &map, int64_t byte) {
  int64_t first = byte * 8 / map.elementBits, last = (byte * 8 + 7) / map.elementBits;
  Threads all = threadsOfElement(map, first);
  for (int64_t element = first + 1; element <= last && element < map.elements; ++element) {
    Threads more = threadsOfElement(map, element);
    all = {std::min(all.least, more.least), std::max(all.most, more.most)};
  }
  return all;
}

int64_t bytesOf(const ElementThreads &map) { return (map.elements * map.elementBits + 7) / 8; }

} // namespace

Meeting meetingOf(const ElementThreads &a, int64_t beginA, const ElementThreads &b, int64_t beginB,
                  int64_t &budget) {
  if (!isWhole(a) || !isWhole(b))
    return Meeting::Unknown;
  int64_t begin = std::max(beginA, beginB);
  int64_t end = std::min(beginA + bytesOf(a), beginB + bytesOf(b));
  budget -= std::max<int64_t>(end - begin, 0);
  if (budget < 0)
    return Meeting::Unknown;
  for (int64_t byte = begin; byte < end; ++byte) {
    Threads first = threadsOf(a, byte - beginA), second = threadsOf(b, byte - beginB);
    if (first.least != first.most || second.least != second.most || first.least != second.least)
      return Meeting::OtherThread;
  }
  return Meeting::SameThread;
}

} // namespace tilescope
