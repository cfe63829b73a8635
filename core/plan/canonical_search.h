// The search core of the planner: buffers as boxes (time x bytes), placed in canonical order.
//
// Push any placement down until each box rests on address 0 or on another box, and read it by
// rising offset: that reading is a sequence in which each box is placed exactly at the lowest
// address that the boxes already placed with it leave. Only such sequences are explored.
//
//   bytes  ^   +-----+          order: A, B, C
//          |   |  C  |          A rests on 0, B on 0 (they never meet in time), C on the higher
//          | +-+--+--+-+        of A and B
//          | | A  |  B |
//          +-+----+----+--> sections (stretches of time with a constant live set)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope {

struct SearchBox {
  int64_t size = 0;
  int64_t alignment = 1;
  std::vector<int32_t> sections; // sorted; two boxes conflict where they share one
  std::optional<int64_t> pinned; // offset
};

struct SearchProblem {
  std::vector<SearchBox> boxes;
  int32_t sectionCount = 0;
};

using Offsets = std::vector<int64_t>; // per box

// Places the reachable box of lowest address again and again, ties by `order`. Right whenever no
// box is pinned; nothing otherwise.
std::optional<Offsets> diveCanonically(const SearchProblem &problem,
                                       const std::vector<int32_t> &order);

// Places the boxes in `order`, pinned ones first, each at the lowest address where it fits.
Offsets placeFirstFit(const SearchProblem &problem, const std::vector<int32_t> &order);

enum class SearchOutcome : uint8_t { Found, Impossible, OutOfNodes };

struct SearchResult {
  SearchOutcome outcome = SearchOutcome::OutOfNodes;
  Offsets offsets; // Found
  int64_t nodes = 0;
};

// Depth-first search for a placement that ends at or below `capacity`. Impossible is a proof.
SearchResult searchCanonically(const SearchProblem &problem, const std::vector<int32_t> &order,
                               int64_t capacity, int64_t nodeBudget);

} // namespace tilescope
