// Greedy placements: always right, never proven.
//
// On a skyline, which holds the end of what is placed in each section, the box that can lie lowest
// is placed next, again and again.
//
//   bytes  ^        ____         B could lie at 2, C at 3: B is placed next
//          |  ____ |    |
//          | |    ||____|  <- skyline
//          +-+----++----+--> sections
#pragma once

#include "core/plan/search_problem.h"

namespace tilescope {

enum class BoxOrder : uint8_t {
  TotalWidthArea, // largest section total, then most sections, then largest area
  TotalAreaWidth,
  WidthAreaTotal,
  WidthTotalArea,
  Size,
  Area,
  Allocation,
};
// Allocation first: of equal plans it gives the one with the lowest offsets in that order.
constexpr BoxOrder AllBoxOrders[] = {
    BoxOrder::Allocation,     BoxOrder::Size, BoxOrder::TotalWidthArea, BoxOrder::WidthAreaTotal,
    BoxOrder::TotalAreaWidth, BoxOrder::Area, BoxOrder::WidthTotalArea};

// All boxes, ties in the order of the problem.
std::vector<int32_t> sortBoxes(const SearchProblem &problem, BoxOrder order);

// Ties of the lowest address go to the box that comes first in `order`. Nothing if a box is pinned.
std::optional<Offsets> placeOnSkyline(const SearchProblem &problem,
                                      const std::vector<int32_t> &order);

// Each box at the lowest address where it fits, pinned ones first. Quadratic.
Offsets placeFirstFit(const SearchProblem &problem, const std::vector<int32_t> &order);

} // namespace tilescope
