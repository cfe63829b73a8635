// Methods of T.GemmWarpPolicy: the warps that a policy gives the rows and the columns of a gemm,
// and back.
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"

#include <cmath>

namespace tilescope::frontend {

namespace {

constexpr llvm::StringRef Policy = "T.GemmWarpPolicy";
// The smallest tile of a warp.
constexpr int64_t TileRows = 16;
constexpr int64_t TileColumns = 8;

struct Partition {
  int64_t rows = 1;
  int64_t columns = 1;
};

// All warps along one axis; those that it has no whole tiles for go along the other.
Partition along(int64_t extent, int64_t tile, int64_t warps) {
  int64_t first = extent % (warps * tile) == 0 ? warps : std::max<int64_t>(extent / tile, 1);
  return {first, std::max<int64_t>(warps / first, 1)};
}

// The tile of a warp, counted in smallest tiles, is as close as can be to the shape of the whole.
Partition square(int64_t m, int64_t n, int64_t warps) {
  Partition best;
  double least = HUGE_VAL;
  for (int64_t rows = 1; rows <= std::min(m / TileRows, warps); ++rows) {
    int64_t columns = warps / rows;
    if (columns > n / TileColumns || columns * rows != warps)
      continue;
    double tileRows = static_cast<double>(m) / static_cast<double>(rows * TileRows);
    double tileColumns = static_cast<double>(n) / static_cast<double>(columns * TileColumns);
    double distance =
        std::abs(tileRows / tileColumns - static_cast<double>(m) / static_cast<double>(n));
    if (distance < least) {
      least = distance;
      best = {rows, columns};
    }
  }
  return best;
}

} // namespace

// `policy.compute_warp_partition(M, N, num_warps)`
Value policyPartition(Args &args) {
  std::optional<int64_t> m = args.integer("M");
  std::optional<int64_t> n = m ? args.integer("N") : std::nullopt;
  std::optional<int64_t> warps = n ? args.integer("num_warps") : std::nullopt;
  if (!warps)
    return Value();
  // A block has 32 of them.
  constexpr int64_t MostWarps = 32;
  if (*warps < 1 || *warps > MostWarps)
    return args.wrongType("num_warps", "a number of warps from 1 to 32");
  if (*m < 1 || *n < 1)
    return args.wrongType(*m < 1 ? "M" : "N", "a positive number");
  llvm::StringRef policy = args.self.as<EnumObject>()->name;
  Partition found;
  if (policy == "FullRow") {
    found = along(*m, TileRows, *warps);
  } else if (policy == "FullCol") {
    Partition columnsFirst = along(*n, TileColumns, *warps);
    found = {columnsFirst.columns, columnsFirst.rows};
  } else {
    found = square(*m, *n, *warps);
  }
  return args.evaluation.heap.tuple({Value::integer(found.rows), Value::integer(found.columns)});
}

// `T.GemmWarpPolicy.from_warp_partition(m_warp, n_warp)`
Value policyFromPartition(Args &args) {
  std::optional<int64_t> rows = args.integer("m_warp");
  std::optional<int64_t> columns = rows ? args.integer("n_warp") : std::nullopt;
  if (!columns)
    return Value();
  llvm::StringRef name = *columns == 1 && *rows > 1   ? "FullRow"
                         : *rows == 1 && *columns > 1 ? "FullCol"
                                                      : "Square";
  return args.evaluation.heap.make<EnumObject>(Policy, name);
}

// `policy.is_full_row()`
Value policyIs(Args &args) {
  llvm::StringRef asked = args.info.name == "is_square"     ? "Square"
                          : args.info.name == "is_full_row" ? "FullRow"
                                                            : "FullCol";
  return Value::boolean(args.self.as<EnumObject>()->name == asked);
}

} // namespace tilescope::frontend
