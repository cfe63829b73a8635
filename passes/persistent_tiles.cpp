#include "passes/persistent_tiles.h"

#include "core/analysis/divisor.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace tilescope {

namespace {

// Nothing: the launch decides.
std::optional<int64_t> tilesOf(const Launch &launch) {
  int64_t tiles = 1;
  for (const Expr *extent : launch.gridExtents) {
    int64_t known = constantValue(extent).value_or(0);
    if (known < 1 || known > INT32_MAX / tiles)
      return std::nullopt;
    tiles *= known;
  }
  return tiles;
}

bool touches(Context &context, const Stmt *stmt, BufferId buffer) {
  return llvm::any_of(accessesOf(context, stmt),
                      [&](const BufferAccess &access) { return access.buffer == buffer; });
}

size_t countTouches(Context &context, const Stmt *body, BufferId buffer) {
  size_t count = 0;
  walk(body, [&](const Stmt *stmt) {
    count += static_cast<size_t>(touches(context, stmt, buffer));
    return true;
  });
  return count;
}

// Outside of its loop the slot would be that of a tile.
std::optional<BufferId> touchedElsewhere(Context &context, const Launch &launch, const For &loop) {
  for (const VersionCount &count : loop.pipeline->versions)
    if (countTouches(context, launch.body, count.buffer) !=
        countTouches(context, &loop, count.buffer))
      return count.buffer;
  return std::nullopt;
}

// The largest divisor that is not above `most`.
int64_t divisorUpTo(int64_t number, int64_t most) {
  int64_t divisor = std::max<int64_t>(std::min(number, most), 1);
  while (number % divisor != 0)
    --divisor;
  return divisor;
}

// By what names in it are bound to.
const Expr *expanded(Context &context, const Expr *expr, const Substitution &names) {
  for (const Expr *before = nullptr; expr != before;) {
    before = expr;
    expr = substitute(context, expr, names);
  }
  return expr;
}

// Of the block variables the one that decides how long pipelined loops are.
struct UnevenAxis {
  std::optional<size_t> axis; // nothing: they are as long in all tiles
  bool isOnly = true;         // that nothing else does
};

UnevenAxis unevenAxisOf(Context &context, const Function &function, const Launch &launch) {
  UnevenAxis found;
  const Substitution names = boundValuesOf(function);
  auto visit = [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    if (!var) {
      found.isOnly &= !llvm::isa<Load>(part);
      return;
    }
    const auto *axis = llvm::find(launch.blockVars, var);
    size_t number = axis - launch.blockVars.begin();
    found.isOnly &= axis != launch.blockVars.end() && found.axis.value_or(number) == number;
    found.axis = number;
  };
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (loop && loop->pipeline && !constantValue(loop->extent))
      walk(expanded(context, loop->extent, names), visit);
    return true;
  });
  return found;
}

class TileOrder {
public:
  TileOrder(Builder &builder, const Launch &launch) : builder_(builder), launch_(launch) {}

  // Of each block variable.
  llvm::SmallVector<const Expr *> coordinatesOf(const Expr *tile) {
    if (launch_.blockVars.size() == 1)
      return {tile};
    constexpr int64_t Neighbours = 8; // as many as fit the L2 of any target several times over
    int64_t wished = launch_.raster.panelSize > 0 ? launch_.raster.panelSize : Neighbours;
    size_t panelAxis = launch_.raster.columnMajor ? 0 : 1, otherAxis = 1 - panelAxis;
    int64_t panel = divisorUpTo(extent(panelAxis), wished), other = extent(otherAxis);
    const Expr *inPlane = launch_.blockVars.size() == 2
                              ? tile
                              : builder_.floorMod(tile, number(extent(0) * extent(1)));
    llvm::SmallVector<const Expr *> coordinates(launch_.blockVars.size());
    coordinates[panelAxis] =
        builder_.add(builder_.mul(builder_.floorDiv(inPlane, number(panel * other)), number(panel)),
                     builder_.floorMod(inPlane, number(panel)));
    coordinates[otherAxis] =
        builder_.floorMod(builder_.floorDiv(inPlane, number(panel)), number(other));
    if (launch_.blockVars.size() > 2)
      coordinates[2] = builder_.floorDiv(tile, number(extent(0) * extent(1)));
    return coordinates;
  }

  // Those along `uneven` side by side, of so many blocks.
  llvm::SmallVector<const Expr *> rowsOf(const Expr *wave, const Expr *block, size_t uneven,
                                         int64_t blocks) {
    int64_t row = extent(uneven);
    llvm::SmallVector<const Expr *> coordinates(launch_.blockVars.size());
    const Expr *isEven =
        builder_.binary(BinaryOp::Equal, builder_.floorMod(wave, number(2)), number(0));
    coordinates[uneven] =
        builder_.select(isEven, inRow(block, uneven, false), inRow(block, uneven, true));
    const Expr *rest = builder_.add(builder_.mul(wave, number(blocks / row)),
                                    builder_.floorDiv(block, number(row)));
    for (size_t axis = 0; axis != coordinates.size(); ++axis) {
      if (axis == uneven)
        continue;
      coordinates[axis] = builder_.floorMod(rest, number(extent(axis)));
      rest = builder_.floorDiv(rest, number(extent(axis)));
    }
    return coordinates;
  }
  // From one end or from the other.
  const Expr *inRow(const Expr *block, size_t uneven, bool isMirrored) {
    const Expr *place = builder_.floorMod(block, number(extent(uneven)));
    return isMirrored ? builder_.sub(number(extent(uneven) - 1), place) : place;
  }

private:
  int64_t extent(size_t axis) const { return *constantValue(launch_.gridExtents[axis]); }
  const Expr *number(int64_t value) {
    return builder_.integer(value, launch_.blockVars[0]->dtype());
  }

  Builder &builder_;
  const Launch &launch_;
};

} // namespace

std::string whyNotPersistent(PassContext &pass, const Function &function, const Launch &launch,
                             int64_t blocks) {
  std::optional<int64_t> tiles = tilesOf(launch);
  if (!tiles)
    return "the launch decides how many tiles there are";
  if (*tiles <= blocks)
    return llvm::formatv("{0} blocks have one of {1} tiles each", *tiles, *tiles);
  int64_t waves = static_cast<int64_t>(llvm::divideCeil(*tiles, blocks));
  if (*tiles % waves != 0)
    return llvm::formatv("{0} tiles are not {1} for each of so many blocks", *tiles, waves);
  if (meetsBlocks(launch))
    return "its blocks wait for each other";
  if (!launch.cluster.empty())
    return "its blocks run in clusters";
  UnevenAxis uneven = unevenAxisOf(pass.context, function, launch);
  if (!uneven.isOnly)
    return "a pipelined loop has a length that no single block variable decides";
  if (uneven.axis) {
    int64_t row = *constantValue(launch.gridExtents[*uneven.axis]);
    if (*tiles / waves % row != 0)
      return llvm::formatv("its tiles differ, and {0} of a row are no part of {1}", row,
                           *tiles / waves);
  }
  std::string reason;
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (loop && loop->forKind == ForKind::Endless)
      reason = "it has a loop without end";
    if (!loop || !loop->pipeline || !reason.empty())
      return reason.empty();
    if (std::optional<BufferId> buffer = touchedElsewhere(pass.context, launch, *loop))
      reason = llvm::formatv("'{0}' is used outside of its pipeline, too",
                             function.buffer(*buffer).name);
    return reason.empty();
  });
  return reason;
}

TileWaves withTiles(Context &context, const Function &function, const Launch &launch,
                    int64_t blocks) {
  Builder builder(context);
  DType dtype = launch.blockVars[0]->dtype();
  int64_t tiles = *tilesOf(launch);
  int64_t waves = static_cast<int64_t>(llvm::divideCeil(tiles, blocks)), together = tiles / waves;
  auto number = [&](int64_t value) { return builder.integer(value, dtype); };
  const Var *block = builder.var("block", dtype), *wave = builder.var("wave", dtype);
  llvm::SmallVector<const Stmt *> body;
  auto bind = [&](const Var *var, const Expr *value) {
    body.push_back(context.make<Bind>(builder.fresh(launch.span()), var, value));
  };
  TileWaves result;
  result.names = boundValuesOf(function);
  TileOrder order(builder, launch);
  llvm::SmallVector<const Expr *> coordinates;
  if (std::optional<size_t> uneven = unevenAxisOf(context, function, launch).axis) {
    const Var *var = launch.blockVars[*uneven];
    coordinates = order.rowsOf(wave, block, *uneven, together);
    result.even[var] = order.inRow(block, *uneven, false);
    result.odd[var] = order.inRow(block, *uneven, true);
  } else {
    const Var *tile = builder.var("tile", dtype);
    bind(tile, builder.add(builder.mul(wave, number(together)), block));
    coordinates = order.coordinatesOf(tile);
  }
  for (auto [var, coordinate] : llvm::zip_equal(launch.blockVars, coordinates))
    bind(var, coordinate);
  body.push_back(launch.body);
  result.loop = context.make<For>(builder.fresh(launch.span()), wave, number(0), number(waves),
                                  ForKind::Serial, builder.seq(builder.fresh(launch.span()), body));
  const Var *blockVars[] = {block};
  const Expr *extents[] = {number(together)};
  result.launch = context.make<Launch>(
      launch.info(), context.copy<const Var *>(blockVars), context.copy<const Expr *>(extents),
      launch.threadVar, launch.threads, result.loop, BlockRaster(), launch.minBlocks);
  return result;
}

const Expr *countBefore(Context &context, const TileWaves &waves, const For &loop) {
  Builder builder(context);
  DType dtype = loop.var->dtype();
  const Expr *wave = builder.cast(dtype, waves.loop->var);
  if (constantValue(loop.extent))
    return builder.mul(wave, builder.cast(dtype, loop.extent));
  const Expr *two = builder.integer(2, dtype), *none = builder.integer(0, dtype);
  const Expr *extent = expanded(context, loop.extent, waves.names);
  auto lengthIn = [&](const Substitution &tile) {
    const Expr *length = builder.cast(dtype, substitute(context, extent, tile));
    return builder.binary(BinaryOp::Max, length, none);
  };
  const Expr *even = lengthIn(waves.even);
  const Expr *pairs =
      builder.mul(builder.floorDiv(wave, two), builder.add(even, lengthIn(waves.odd)));
  return builder.add(pairs, builder.mul(builder.floorMod(wave, two), even));
}

} // namespace tilescope
