// Statements of the reference: what the kernel means, tile by tile, in program order. Pipelining
// and layouts do not exist here; what single threads do is in thread_code.h.
#include "core/exec/block_frame.h"
#include "core/exec/execution_limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

// One function an operation that a kernel author writes, in core/ops/<op>/execute.cpp.
#define OP_Tile(Name) void execute##Name(const OpStmt &op, BlockFrame &frame);
#define OP_Device(Name)
#define OP_Both(Name) OP_Tile(Name)
#define OP(Name, printed, level) OP_##level(Name)
#include "core/ops/ops.def"
#undef OP_Tile

namespace {

// Operations take for granted that their regions lie inside of tiles.
void executeOp(const OpStmt &op, BlockFrame &frame) {
  for (const BufferRegion &region : op.regions)
    frame.evaluate(region);
  if (frame.hasFailed())
    return;
  switch (op.op) {
#define OP_Tile(Name)                                                                              \
  case Op::Name:                                                                                   \
    return execute##Name(op, frame);
#define OP(Name, printed, level) OP_##level(Name)
#include "core/ops/ops.def"
#undef OP_Tile
#undef OP_Device
#undef OP_Both
  default:
    frame.fail(op, "the reference runs kernels as written, not '" + nameOf(op.op).str() + "'");
  }
}

void bindInt(BlockFrame &frame, const Var *var, int64_t value) {
  Number number;
  number.i = value;
  frame.bind(var, number);
}

void executeFor(const For &loop, BlockFrame &frame) {
  int64_t first = frame.evaluateInt(loop.min);
  int64_t count = frame.evaluateInt(loop.extent);
  llvm::SaveAndRestore outer(frame.endsLoop, false);
  for (int64_t i = 0; i < count && !frame.hasFailed() && !frame.endsLoop; ++i) {
    if (loop.forKind == ForKind::Endless && i == MostEndlessTrips)
      return frame.fail(loop, endlessText(), FindingKind::EndlessLoop);
    bindInt(frame, loop.var, first + i);
    execute(loop.body, frame);
  }
}

// What lies behind the end of a tile the loop leaves out.
void checkTileExtents(const Parallel &parallel, BlockFrame &frame) {
  if (parallel.written.empty())
    return;
  for (auto [var, extent, written] :
       llvm::zip_equal(parallel.vars, parallel.extents, parallel.written)) {
    int64_t end = frame.evaluateInt(extent);
    int64_t wanted = frame.evaluateInt(written);
    if (wanted > end)
      frame.fail(parallel,
                 llvm::formatv("'{0}' runs to {1}, where its tile has {2}", var->name, wanted, end),
                 FindingKind::OutOfBounds);
  }
}

void executeParallel(const Parallel &parallel, BlockFrame &frame) {
  checkTileExtents(parallel, frame);
  llvm::SmallVector<int64_t> extents;
  for (const Expr *extent : parallel.extents)
    extents.push_back(frame.evaluateInt(extent));
  forEachCoordinate(extents, [&](llvm::ArrayRef<int64_t> coordinates) {
    if (frame.hasFailed())
      return;
    for (size_t dim = 0; dim < coordinates.size(); ++dim)
      bindInt(frame, parallel.vars[dim], coordinates[dim]);
    execute(parallel.body, frame);
  });
}

} // namespace

void execute(const Stmt *stmt, BlockFrame &frame) {
  if (frame.hasFailed())
    return;
  frame.setStatement(*stmt);
  switch (stmt->kind()) {
  case StmtKind::Seq:
    for (const Stmt *child : llvm::cast<Seq>(stmt)->stmts)
      execute(child, frame);
    return;
  case StmtKind::For:
    return executeFor(*llvm::cast<For>(stmt), frame);
  case StmtKind::Parallel:
    return executeParallel(*llvm::cast<Parallel>(stmt), frame);
  case StmtKind::If:
  case StmtKind::Role: {
    const auto *choice = llvm::cast<If>(stmt);
    if (frame.evaluateInt(choice->condition))
      execute(choice->thenBody, frame);
    else if (choice->elseBody)
      execute(choice->elseBody, frame);
    return;
  }
  case StmtKind::Break:
    frame.endsLoop = true;
    return;
  case StmtKind::Bind: {
    const auto *bind = llvm::cast<Bind>(stmt);
    frame.bind(bind->var, frame.evaluateIndex(bind->value));
    return frame.reads().bind(*bind->var);
  }
  case StmtKind::Store: {
    const auto *store = llvm::cast<Store>(stmt);
    if (int64_t place = frame.placeToStore(*store); place >= 0)
      frame.store(*store, place, frame.evaluate(store->value));
    return;
  }
  case StmtKind::Op:
    return executeOp(*llvm::cast<OpStmt>(stmt), frame);
  case StmtKind::Launch:
    return frame.fail(*stmt, "a launch inside a launch");
  }
}

} // namespace tilescope
