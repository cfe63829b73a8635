// Runs tile-level code of one block on integers and sees which reads find an element that nobody
// wrote. Threads take a statement together, all reads before all writes; a T.Parallel runs one
// iteration after the other, upwards or downwards; what lies outside of a buffer is not there.
#pragma once

#include "core/ir/visit.h"
#include "integer_operators.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>
#include <vector>

namespace tilescope::test {

class TileInterpreter {
public:
  using Values = std::map<const Var *, int64_t>;
  using Place = std::pair<StmtId, uint32_t>; // a statement, and a buffer that it reads

  // `argument`: what global memory holds, over and over.
  TileInterpreter(const Function &function, std::vector<int64_t> argument, bool isUpwards)
      : function_(function), argument_(std::move(argument)), isUpwards_(isUpwards) {}

  void run(const Launch &launch, const Values &values) {
    launch_ = &launch;
    std::vector<Lane> lanes;
    for (int64_t thread = 0; thread != launch.threads; ++thread) {
      lanes.push_back({thread, values});
      lanes.back().values[launch.threadVar] = thread;
    }
    execute(launch.body, lanes);
  }

  // Reads that happened, that met an element without a value, that left the buffer.
  std::set<Place> read;
  std::set<Place> unwritten;
  std::set<Place> outside;

private:
  struct Lane {
    int64_t thread = 0;
    Values values;
  };
  using Coordinates = std::vector<int64_t>;
  using Cell = std::tuple<uint32_t, int64_t, Coordinates>; // of a buffer; its thread or -1

  void execute(const Stmt *stmt, std::vector<Lane> &lanes) {
    if (lanes.empty())
      return;
    at_ = stmt->id();
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
      for (const Stmt *child : seq->stmts)
        execute(child, lanes);
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      for (Lane &lane : lanes)
        lane.values[bind->var] = evaluate(bind->value, lane);
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      executeLoop(*loop, lanes);
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt))
      executeNest(*nest, lanes[0]);
    if (const auto *branch = llvm::dyn_cast<If>(stmt))
      executeBranch(*branch, lanes);
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      executeStore(*store, lanes);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      executeFill(*op, lanes[0]);
  }

  void executeLoop(const For &loop, const std::vector<Lane> &lanes) {
    std::vector<int64_t> trips;
    trips.reserve(lanes.size());
    for (const Lane &lane : lanes)
      trips.push_back(evaluate(loop.extent, lane));
    for (int64_t step = 0; step < *llvm::max_element(trips); ++step) {
      std::vector<Lane> running;
      for (auto [lane, count] : llvm::zip_equal(lanes, trips))
        if (step < count) {
          running.push_back(lane);
          running.back().values[loop.var] = evaluate(loop.min, lane) + step;
        }
      execute(loop.body, running);
    }
  }

  void executeNest(const Parallel &nest, const Lane &around) {
    int64_t count = 1;
    for (const Expr *extent : nest.extents)
      count *= evaluate(extent, around);
    for (int64_t step = 0; step != count; ++step) {
      int64_t rest = isUpwards_ ? step : count - 1 - step;
      std::vector<Lane> lane = {{rest % launch_->threads, around.values}};
      lane[0].values[launch_->threadVar] = lane[0].thread;
      for (size_t axis = nest.vars.size(); axis-- != 0;) {
        int64_t extent = evaluate(nest.extents[axis], around);
        lane[0].values[nest.vars[axis]] = rest % extent;
        rest /= extent;
      }
      execute(nest.body, lane);
    }
  }

  void executeBranch(const If &branch, const std::vector<Lane> &lanes) {
    std::vector<Lane> sides[2];
    for (const Lane &lane : lanes)
      sides[evaluate(branch.condition, lane) == 0].push_back(lane);
    execute(branch.thenBody, sides[0]);
    if (branch.elseBody)
      execute(branch.elseBody, sides[1]);
  }

  void executeStore(const Store &store, const std::vector<Lane> &lanes) {
    std::vector<std::pair<Cell, int64_t>> writes;
    for (const Lane &lane : lanes) {
      Cell cell = cellOf(store.buffer, store.indices, lane);
      writes.push_back({cell, evaluate(store.value, lane)});
    }
    for (auto &[cell, value] : writes)
      if (isInside(cell))
        memory_[cell] = value;
  }

  // The one operation of these programs.
  void executeFill(const OpStmt &op, const Lane &lane) {
    const BufferRegion &region = op.regions[0];
    Coordinates first, extents;
    int64_t count = 1;
    for (const Range &range : region.ranges) {
      first.push_back(evaluate(range.min, lane));
      extents.push_back(evaluate(range.extent, lane));
      count *= extents.back();
    }
    for (int64_t number = 0; number < count; ++number) {
      Coordinates coordinates = first;
      for (size_t axis = first.size(), rest = static_cast<size_t>(number); axis-- != 0;) {
        coordinates[axis] += static_cast<int64_t>(rest) % extents[axis];
        rest /= static_cast<size_t>(extents[axis]);
      }
      Cell cell{region.buffer.value, -1, coordinates};
      if (isInside(cell))
        memory_[cell] = 0;
    }
  }

  Cell cellOf(BufferId id, ExprList indices, const Lane &lane) {
    Coordinates coordinates;
    for (const Expr *index : indices)
      coordinates.push_back(evaluate(index, lane));
    bool isOwn = function_.buffer(id).scope == Scope::Local;
    return {id.value, isOwn ? lane.thread : -1, coordinates};
  }

  bool isInside(const Cell &cell) const {
    const auto &[id, thread, coordinates] = cell;
    return llvm::all_of(llvm::zip_equal(coordinates, function_.buffer(BufferId(id)).shape),
                        [](auto pair) {
                          auto [index, extent] = pair;
                          return index >= 0 && index < *constantValue(extent);
                        });
  }

  int64_t load(const Load &load, const Lane &lane) {
    Cell cell = cellOf(load.buffer, load.indices, lane);
    if (function_.buffer(load.buffer).scope == Scope::Global)
      return argument_[static_cast<size_t>(std::get<2>(cell)[0]) % argument_.size()];
    Place place{at_, load.buffer.value};
    if (!isInside(cell)) {
      outside.insert(place);
      return 0;
    }
    read.insert(place);
    auto found = memory_.find(cell);
    if (found == memory_.end())
      unwritten.insert(place);
    return found == memory_.end() ? 1 : found->second;
  }

  static int64_t wrapped(int64_t value, DType dtype) {
    int64_t count = int64_t(1) << dtype.bits;
    int64_t rest = (value % count + count) % count;
    return !dtype.isUnsigned() && rest >= count / 2 ? rest - count : rest;
  }

  int64_t evaluate(const Expr *expr, const Lane &lane) {
    if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
      return imm->value;
    if (const auto *var = llvm::dyn_cast<Var>(expr))
      return lane.values.at(var);
    if (const auto *select = llvm::dyn_cast<Select>(expr))
      return evaluate(evaluate(select->condition, lane) ? select->whenTrue : select->whenFalse,
                      lane);
    if (const auto *one = llvm::dyn_cast<Load>(expr))
      return load(*one, lane);
    if (const auto *cast = llvm::dyn_cast<Cast>(expr))
      return wrapped(evaluate(cast->operand, lane), cast->dtype());
    if (const auto *unary = llvm::dyn_cast<Unary>(expr); unary && unary->op == UnaryOp::Not)
      return evaluate(unary->operand, lane) == 0;
    const auto &binary = *llvm::cast<Binary>(expr);
    return computeInteger(binary.op, evaluate(binary.lhs, lane), evaluate(binary.rhs, lane));
  }

  const Function &function_;
  const Launch *launch_ = nullptr;
  std::vector<int64_t> argument_;
  bool isUpwards_;
  StmtId at_;
  std::map<Cell, int64_t> memory_; // what was written
};

} // namespace tilescope::test
