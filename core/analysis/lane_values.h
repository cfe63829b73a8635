// Which threads have the same value of an expression, and which surely do not.
//
//     n + tx // 2      the same where tx // 2 is
//     A[tx] * 2.0      the same where tx is, since nobody writes A; surely another, for some A,
//                      where tx is another
//     r[0]             of each thread by itself, if the threads do not agree on the register
#pragma once

#include "core/analysis/lane_walk.h"

namespace tilescope {

struct LaneValue {
  // Lanes that agree on all of it have the same value.
  std::vector<Lanes> signature;
  // The value itself, or where in an argument of the kernel it comes from: lanes that disagree on
  // it have different values, for some arguments. Empty: not known.
  std::vector<Lanes> exact;
  bool isArgument = false; // what `exact` is
  bool isOwn = false;      // no two lanes are known to agree on some of it
  bool hasFixed = false;   // it is besides what is fixed of it in one iteration
};

// Of code that writes the buffers `written`, inside of a walk.
class LaneValues {
public:
  LaneValues(const StmtPlaces &places, LaneWalk &lanes, const llvm::DenseSet<uint32_t> &written)
      : places_(places), lanes_(lanes), written_(written) {}

  // `iteration` tells values of one iteration from those of another.
  LaneValue valueOf(const Expr *expr, int64_t iteration);
  LaneValue valueOf(const BufferRegion &source, const Expr *predicate, int64_t iteration);

private:
  void sign(const Expr *expr);
  void signAsOwn();
  bool isUnchanged(BufferId buffer) const;
  void findExact(const Expr *expr);

  const StmtPlaces &places_;
  LaneWalk &lanes_;
  const llvm::DenseSet<uint32_t> &written_;
  int64_t iteration_ = 0;
  LaneValue value_;
};

} // namespace tilescope
