#include "core/exec/thread_code.h"
#include "core/exec/execution_limits.h"
#include "core/exec/strands.h"

#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cassert>
#include <numeric>

namespace tilescope {

namespace {

using Threads = llvm::ArrayRef<int64_t>;

bool mentions(const Stmt *stmt, const Var *var) {
  bool found = false;
  forEachExpr(
      stmt, [&](const Expr *root) { walk(root, [&](const Expr *part) { found |= part == var; }); });
  return found;
}

bool isWait(const Stmt &stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  return op &&
         (op->opInfo().sync == OpSync::WaitPhase || op->opInfo().sync == OpSync::NamedBarrier);
}

bool touchesOwnMemory(const Function &function, const OpStmt &op) {
  return llvm::any_of(op.regions, [&](const BufferRegion &region) {
    return isOwnMemory(function.buffer(region.buffer));
  });
}

// A loop that fills nothing but arrays of a thread's own is no work to share out.
bool writesOnlyOwnArrays(const Function &function, const Parallel &parallel) {
  bool writesOwn = false;
  bool writesOther = false;
  Context scratch;
  walk(parallel.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(scratch, stmt))
      if (access.effect != Effect::Read)
        (function.buffer(access.buffer).scope == Scope::Local ? writesOwn : writesOther) = true;
    return true;
  });
  return writesOwn && !writesOther;
}

// One block. `active` are the threads that get to a statement.
class ThreadRun {
public:
  ThreadRun(const ThreadCode &code, BlockFrame &frame) : code_(code), frame_(frame) {}
  // Inside of a role, null: of none, and of a loop, of which `ended` gets the threads that end it.
  ThreadRun(const ThreadCode &code, BlockFrame &frame, const Role *role,
            llvm::SmallVector<int64_t> &ended)
      : code_(code), frame_(frame), role_(role), ended_(&ended) {}

  void run(const Stmt *stmt, Threads active);

private:
  void runFor(const For &loop, Threads active);
  void runIf(const If &branch, Threads active);
  void runRole(const Role &role, Threads active);
  void runBind(const Bind &bind, Threads active);
  void runStore(const Store &store, Threads active);
  void runEach(const Stmt &stmt, Threads active);
  void runTogether(const Stmt &stmt, Threads active);
  void runExchange(const Stmt &stmt, Threads active);

  // Of bounds and conditions.
  llvm::SmallVector<Number> evaluateEach(const Expr *expr, Threads active) {
    llvm::SmallVector<Number> values;
    for (int64_t thread : active) {
      frame_.setThread(thread);
      values.push_back(Number{.i = frame_.evaluateInt(expr)});
    }
    return values;
  }

  const ThreadCode &code_;
  BlockFrame &frame_;
  const Role *role_ = nullptr;                  // around what is run
  llvm::SmallVector<int64_t> *ended_ = nullptr; // threads that have ended the innermost loop
};

void ThreadRun::run(const Stmt *stmt, Threads active) {
  if (frame_.hasFailed() || active.empty())
    return;
  frame_.setStatement(*stmt);
  switch (stmt->kind()) {
  case StmtKind::Seq:
    for (const Stmt *child : llvm::cast<Seq>(stmt)->stmts)
      run(child, active);
    return;
  case StmtKind::For:
    return runFor(*llvm::cast<For>(stmt), active);
  case StmtKind::If:
    return runIf(*llvm::cast<If>(stmt), active);
  case StmtKind::Role:
    return runRole(*llvm::cast<Role>(stmt), active);
  case StmtKind::Break:
    assert(ended_ && "the verifier refuses what breaks no loop");
    ended_->append(active.begin(), active.end());
    return;
  case StmtKind::Bind:
    return runBind(*llvm::cast<Bind>(stmt), active);
  case StmtKind::Store:
    return runStore(*llvm::cast<Store>(stmt), active);
  case StmtKind::Parallel:
  case StmtKind::Op:
  case StmtKind::Launch:
    if (ThreadCode::isExchange(*stmt) || isForOne(*stmt))
      return runExchange(*stmt, active);
    return code_.isDoneByEach(*stmt) ? runEach(*stmt, active) : runTogether(*stmt, active);
  }
}

// Threads whose loop is over wait for the others.
void ThreadRun::runFor(const For &loop, Threads active) {
  llvm::SmallVector<Number> first = evaluateEach(loop.min, active);
  llvm::SmallVector<Number> count = evaluateEach(loop.extent, active);
  llvm::SmallVector<int64_t> ended;
  llvm::SaveAndRestore outer(ended_, &ended);
  for (int64_t i = 0; !frame_.hasFailed(); ++i) {
    if (loop.forKind == ForKind::Endless && i == MostEndlessTrips)
      return frame_.fail(loop, endlessText(), FindingKind::EndlessLoop);
    llvm::SmallVector<int64_t> left;
    llvm::SmallVector<Number> values;
    for (auto [thread, min, trips] : llvm::zip_equal(active, first, count)) {
      if (i >= trips.i || llvm::is_contained(ended, thread))
        continue;
      left.push_back(thread);
      values.push_back(Number{.i = min.i + i});
    }
    if (left.empty())
      return;
    frame_.bindEach(loop.var, left, values);
    run(loop.body, left);
  }
}

void ThreadRun::runIf(const If &branch, Threads active) {
  llvm::SmallVector<int64_t> yes;
  llvm::SmallVector<int64_t> no;
  for (auto [thread, value] : llvm::zip_equal(active, evaluateEach(branch.condition, active)))
    (value.i ? yes : no).push_back(thread);
  run(branch.thenBody, yes);
  if (branch.elseBody)
    run(branch.elseBody, no);
}

// What its threads do together they do without the others.
void ThreadRun::runRole(const Role &role, Threads active) {
  llvm::SaveAndRestore<const Role *> inside(role_, &role);
  llvm::SmallVector<int64_t> own;
  llvm::copy_if(active, std::back_inserter(own), [&](int64_t thread) {
    return role.firstThread <= thread && thread < role.endThread();
  });
  run(role.thenBody, own);
}

void ThreadRun::runBind(const Bind &bind, Threads active) {
  llvm::SmallVector<Number> values;
  llvm::BitVector unwritten(static_cast<unsigned>(frame_.threads()));
  for (int64_t thread : active) {
    frame_.setThread(thread);
    values.push_back(frame_.evaluateIndex(bind.value));
    if (!frame_.reads().take().empty())
      unwritten.set(static_cast<unsigned>(thread));
  }
  frame_.bindEach(bind.var, active, values);
  frame_.reads().bindEach(*bind.var, unwritten);
}

// All threads read before one of them writes. Two threads that write different values to one place
// leave there what nobody can say.
void ThreadRun::runStore(const Store &store, Threads active) {
  bool isOwn = isOwnMemory(frame_.function().buffer(store.buffer));
  llvm::SmallVector<int64_t> places;
  llvm::SmallVector<Number> values;
  llvm::SmallVector<llvm::StringRef> unwritten; // what each value is made of (TileReads)
  llvm::DenseMap<int64_t, size_t> writers;      // by place, an index into both
  for (int64_t thread : active) {
    frame_.setThread(thread);
    places.push_back(frame_.placeToStore(store));
    values.push_back(places.back() < 0 ? Number{.i = 0} : frame_.evaluate(store.value));
    unwritten.push_back(frame_.reads().take());
    if (isOwn || places.back() < 0)
      continue;
    auto [writer, isFirst] = writers.try_emplace(places.back(), places.size() - 1);
    DType dtype = frame_.function().buffer(store.buffer).dtype;
    if (!isFirst && !isSameNumber(dtype, values[writer->second], values.back()))
      return frame_.fail(
          store,
          "threads " + std::to_string(active[writer->second]) + " and " + std::to_string(thread) +
              " write different values to " + frame_.function().buffer(store.buffer).name.str() +
              indexText(frame_.tensor(store.buffer, store.slot).coordinatesOf(places.back())),
          FindingKind::Race);
  }
  for (auto [thread, place, value, of] : llvm::zip_equal(active, places, values, unwritten)) {
    frame_.setThread(thread);
    frame_.reads().putBack(of);
    if (place >= 0)
      frame_.store(store, place, value);
  }
}

void ThreadRun::runEach(const Stmt &stmt, Threads active) {
  frame_.activeThreads = active;
  for (int64_t thread : active) {
    frame_.setThread(thread);
    execute(&stmt, frame_);
  }
}

void ThreadRun::runTogether(const Stmt &stmt, Threads active) {
  int64_t needed = role_ ? role_->threads : frame_.threads();
  setTogether(frame_, role_ ? role_->firstThread : 0, needed);
  if (static_cast<int64_t>(active.size()) != needed)
    return frame_.fail(stmt,
                       llvm::formatv("only {0} of {1} threads get here, where all are needed",
                                     active.size(), needed),
                       isSynchronisation(stmt) ? FindingKind::DivergentBarrier
                                               : FindingKind::DivergentOperation);
  execute(&stmt, frame_);
}

void ThreadRun::runExchange(const Stmt &stmt, Threads active) {
  frame_.setThread(active.front());
  frame_.activeThreads = active;
  execute(&stmt, frame_);
}

} // namespace

bool ThreadCode::isExchange(const Stmt &stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  // Operands of a warp's operation are those of its lanes together.
  bool isOfWarp = op && !isSynchronisation(*op) &&
                  (scopeOf(*op) == OpScope::Warp || scopeOf(*op) == OpScope::WarpGroup);
  return op && (op->opInfo().isExchange || isOfWarp);
}

ThreadCode::ThreadCode(const Function &function, const Launch &launch) : launch_(launch) {
  walk(launch.body, [&](const Stmt *stmt) {
    tellsThreadsApart_ |= mentions(stmt, launch.threadVar);
    return true;
  });
  // What stands inside of a parallel loop is done with it.
  walk(launch.body, [&](const Stmt *stmt) {
    classify(function, *stmt);
    return !llvm::isa<Parallel>(stmt);
  });
  findWaits();
}

bool ThreadCode::isDoneTogether(const Stmt &stmt) const {
  return (llvm::isa<Parallel>(stmt) || llvm::isa<OpStmt>(stmt)) && !isExchange(stmt) &&
         !isForOne(stmt) && !isDoneByEach(stmt);
}

void ThreadCode::findWaits() {
  auto isInside = [](const Stmt *stmt, llvm::function_ref<bool(const Stmt &)> isOne) {
    bool isFound = false;
    walk(stmt, [&](const Stmt *part) {
      isFound |= isOne(*part);
      return !isFound && !llvm::isa<Parallel>(part);
    });
    return isFound;
  };
  if (!isInside(launch_.body, isWait))
    return;
  walk(launch_.body, [&](const Stmt *stmt) {
    if (isInside(stmt, isWait))
      waits_.insert(stmt);
    if (isInside(stmt, [this](const Stmt &part) { return isDoneTogether(part); }))
      ofAll_.insert(stmt);
    return !llvm::isa<Parallel>(stmt);
  });
}

// An addition is the one effect that counts how many threads do it.
void ThreadCode::classify(const Function &function, const Stmt &stmt) {
  const auto *parallel = llvm::dyn_cast<Parallel>(&stmt);
  if (parallel && writesOnlyOwnArrays(function, *parallel))
    doneByEach_.insert(parallel);
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  tellsThreadsApart_ |= isExchange(stmt) || (op && op->opInfo().sync == OpSync::Arrive);
  tellsThreadsApart_ |= op && op->opInfo().sync == OpSync::NamedBarrier;
  bool isRoleThatWaits = false;
  if (const auto *role = llvm::dyn_cast<Role>(&stmt))
    walk(role->thenBody, [&](const Stmt *part) { return !(isRoleThatWaits |= isWait(*part)); });
  tellsThreadsApart_ |= isRoleThatWaits;
  if (!op || (scopeOf(*op) == OpScope::Block && !touchesOwnMemory(function, *op)))
    return;
  doneByEach_.insert(op);
  tellsThreadsApart_ |= llvm::any_of(op->opInfo().operands,
                                     [](const OperandInfo &operand) { return operand.isAtomic; });
}

void ThreadCode::run(BlockFrame &frame) const {
  if (!tellsThreadsApart_)
    return execute(launch_.body, frame);
  llvm::SmallVector<int64_t> all(static_cast<size_t>(launch_.threads));
  std::iota(all.begin(), all.end(), 0);
  llvm::SmallVector<Number> numbers;
  for (int64_t thread : all)
    numbers.push_back(Number{.i = thread});
  frame.bindEach(launch_.threadVar, all, numbers);
  if (!hasWaits(*launch_.body))
    return ThreadRun(*this, frame).run(launch_.body, all);
  auto runStmt = [&](const Stmt &stmt, Threads active, const Role *role,
                     llvm::SmallVector<int64_t> &ended) {
    ThreadRun(*this, frame, role, ended).run(&stmt, active);
  };
  StrandRun(*this, frame, runStmt).run(launch_.body, all);
}

} // namespace tilescope
