#include "passes/persistent_tiles.h"

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
  std::string reason;
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (loop && loop->forKind == ForKind::Endless)
      reason = "it has a loop without end";
    if (!loop || !loop->pipeline || !reason.empty())
      return reason.empty();
    if (!constantValue(loop->extent))
      reason = "a pipelined loop has no constant length";
    else if (std::optional<BufferId> buffer = touchedElsewhere(pass.context, launch, *loop))
      reason = llvm::formatv("'{0}' is used outside of its pipeline, too",
                             function.buffer(*buffer).name);
    return reason.empty();
  });
  return reason;
}

const Launch *withTiles(Context &context, const Launch &launch, int64_t blocks) {
  Builder builder(context);
  DType dtype = launch.blockVars[0]->dtype();
  int64_t tiles = *tilesOf(launch);
  int64_t waves = static_cast<int64_t>(llvm::divideCeil(tiles, blocks));
  auto number = [&](int64_t value) { return builder.integer(value, dtype); };
  const Var *block = builder.var("block", dtype), *wave = builder.var("wave", dtype);
  const Var *tile = builder.var("tile", dtype);
  llvm::SmallVector<const Stmt *> body;
  auto bind = [&](const Var *var, const Expr *value) {
    body.push_back(context.make<Bind>(builder.fresh(launch.span()), var, value));
  };
  bind(tile, builder.add(builder.mul(wave, number(tiles / waves)), block));
  llvm::SmallVector<const Expr *> coordinates = TileOrder(builder, launch).coordinatesOf(tile);
  for (auto [var, coordinate] : llvm::zip_equal(launch.blockVars, coordinates))
    bind(var, coordinate);
  body.push_back(launch.body);
  const Stmt *loop =
      context.make<For>(builder.fresh(launch.span()), wave, number(0), number(waves),
                        ForKind::Serial, builder.seq(builder.fresh(launch.span()), body));
  const Var *blockVars[] = {block};
  const Expr *extents[] = {number(tiles / waves)};
  return context.make<Launch>(launch.info(), context.copy<const Var *>(blockVars),
                              context.copy<const Expr *>(extents), launch.threadVar, launch.threads,
                              loop, BlockRaster(), launch.minBlocks);
}

} // namespace tilescope
