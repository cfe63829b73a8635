// Exact search for a placement below a capacity.
//
// Of all placements below the capacity take one with the least sum of offsets. In it every box
// rests on 0, on a box or on a pin, or it could slide down. The search asks for one box at a time:
// does it lie at the lowest address that the boxes placed so far leave it? If not, it rests on a
// box that is not placed yet, and its lowest address rises to the least end of those.
//
//   bytes  ^       +-----+        "B at its lowest?"  yes: placed, C rises to the end of B
//          |       |  B? |                            no:  B rests on C: its lowest address rises
//          to | +-----+-+---+                                 the end of C | |  A  | |C? A is
//          placed: a floor for both
//          +-+-----+-+---+--> sections
//
// Each answer is followed by what it implies, section by section (`lowest` and `total` are over the
// boxes not yet placed there): lowest + total may not exceed the capacity, and a box that could not
// be the lowest one of its section without breaking that rises to the least end of the others. When
// the boxes left fall apart in time, the parts are solved one by one.
#pragma once

#include "core/plan/search_problem.h"

#include "llvm/ADT/ArrayRef.h"

#include <functional>
#include <memory>

namespace tilescope {

enum class SearchOutcome : uint8_t { Found, Impossible, OutOfNodes };

// Which box is asked for next: the one of least lowest address plus delay, ties by order. Whom a
// box of lower address conflicts with waits for that one.
struct SearchGuide {
  std::vector<int32_t> order; // all boxes
  std::vector<int32_t> delay; // of a box, units; may be empty
};

// One problem, searched again and again under other orders and capacities.
class CanonicalSearch {
public:
  // Quadratic tables and deep recursion: larger problems keep a greedy placement. Offsets must fit
  // 31 bits.
  static bool canSearch(const SearchProblem &problem);

  explicit CanonicalSearch(const SearchProblem &problem);
  ~CanonicalSearch();

  // Impossible is a proof. `stop` is polled now and then; true is OutOfNodes.
  SearchOutcome run(const SearchGuide &guide, int64_t capacity, int64_t nodeBudget,
                    const std::function<bool()> &stop);

  const Offsets &offsets() const; // of the last run that found some
  int64_t nodes() const;          // of all runs
  // Per section: how often it could not hold the boxes left in it, in the last run.
  llvm::ArrayRef<int32_t> failures() const;

private:
  class State;
  std::unique_ptr<State> state_;
};

} // namespace tilescope
