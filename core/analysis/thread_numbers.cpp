#include "core/analysis/thread_numbers.h"

#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <numeric>

namespace tilescope {

namespace {

constexpr int64_t MaxSteps = 1 << 20; // about 50 nanoseconds each
constexpr int64_t MaxTrips = 64;
constexpr int64_t MaxSerialTrips = 8;
constexpr int MaxTurns = 6;

bool isCommutative(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Mul:
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
    return true;
  default:
    return false;
  }
}

} // namespace

ThreadNumbers::ThreadNumbers(const StmtPlaces &places, const Launch &launch, const Stmt *asking,
                             const Expr *expr)
    : places_(places), asking_(asking), threads_(launch.threads) {
  for (const Stmt *stmt = asking; stmt; stmt = places.parentOf(stmt))
    around_.insert(stmt);
  Lanes threads(static_cast<size_t>(threads_));
  std::iota(threads.begin(), threads.end(), 0);
  lanes_.bind(launch.threadVar, std::move(threads));
  findNeeded(launch.body, expr);
  run(launch.body);
  asked_ = of(expr);
}

Lanes ThreadNumbers::of(const Expr *expr) {
  if (steps_ > MaxSteps)
    return {};
  if (expr->dtype().isInteger() || expr->dtype().isBool())
    if (Lanes values = lanes_.evaluate(expr); !values.empty())
      return number(nullptr, values, {0});
  switch (expr->kind()) {
  case ExprKind::Var: {
    auto found = names_.find(llvm::cast<Var>(expr));
    if (found != names_.end())
      return found->second;
    // What is bound around the launch.
    return places_.isVarying(llvm::cast<Var>(expr)) ? own() : number(expr, {0}, {0});
  }
  case ExprKind::Load: {
    const auto *load = llvm::cast<Load>(expr);
    if (places_.isRegister(load->buffer) && !load->slot)
      return read(load->buffer, placeOf(load->buffer, load->indices));
    return load->slot ? own() : loadMemory(load->buffer, load->indices);
  }
  case ExprKind::Binary:
    return ofBinary(*llvm::cast<Binary>(expr));
  default: {
    Lanes all = {0};
    forEachChild(expr, [&](const Expr *part) { all = number(expr, all, of(part)); });
    return number(expr, all, {-1});
  }
  }
}

Lanes ThreadNumbers::ofBinary(const Binary &binary) {
  Lanes lhs = of(binary.lhs), rhs = of(binary.rhs);
  if (!isCommutative(binary.op) || lhs.empty() || rhs.empty())
    return number(&binary, lhs, rhs);
  Lanes low(std::max(lhs.size(), rhs.size())), high(low.size());
  for (size_t lane = 0; lane != low.size(); ++lane)
    std::tie(low[lane], high[lane]) = std::minmax({laneOf(lhs, lane), laneOf(rhs, lane)});
  return number(&binary, low, high);
}

Lanes ThreadNumbers::number(const void *by, const Lanes &a, const Lanes &b) {
  if (a.empty() || b.empty())
    return {};
  Lanes result(std::max(a.size(), b.size()));
  steps_ += static_cast<int64_t>(result.size());
  for (size_t lane = 0; lane != result.size(); ++lane) {
    auto [found, isNew] = numbers_.try_emplace({by, {laneOf(a, lane), laneOf(b, lane)}}, next_);
    next_ += isNew;
    result[lane] = found->second;
  }
  if (llvm::all_equal(result))
    result.resize(1);
  return result;
}

Lanes ThreadNumbers::own() {
  Lanes result(static_cast<size_t>(threads_));
  std::iota(result.begin(), result.end(), next_);
  next_ += threads_;
  steps_ += threads_;
  return result;
}

// ---- Statements ----

bool ThreadNumbers::run(const Stmt *stmt) {
  if (stmt == asking_ && !isSettling_)
    return false;
  if (!stmt || steps_ > MaxSteps || !(needed_.contains(stmt) || isAround(stmt)))
    return true;
  switch (stmt->kind()) {
  case StmtKind::Seq:
    return llvm::all_of(llvm::cast<Seq>(stmt)->stmts,
                        [&](const Stmt *child) { return run(child); });
  case StmtKind::For:
    return runLoop(*llvm::cast<For>(stmt));
  case StmtKind::If:
  case StmtKind::Role:
    return runBranch(*llvm::cast<If>(stmt));
  case StmtKind::Bind: {
    const auto *bind = llvm::cast<Bind>(stmt);
    names_[bind->var] = of(bind->value);
    lanes_.bind(bind->var, lanes_.evaluate(bind->value));
    return true;
  }
  case StmtKind::Store:
    runStore(*llvm::cast<Store>(stmt));
    return true;
  case StmtKind::Op:
    runOp(*llvm::cast<OpStmt>(stmt));
    return true;
  case StmtKind::Parallel: // whose iterations are no threads yet
  case StmtKind::Launch:
    steps_ = MaxSteps + 1;
    return true;
  case StmtKind::Break:
    return true;
  }
  return true;
}

bool ThreadNumbers::runLoop(const For &loop) {
  Lanes min = lanes_.evaluate(loop.min), trips = lanes_.evaluate(loop.extent);
  // Others index registers by the iteration.
  int64_t most = loop.forKind == ForKind::Serial ? MaxSerialTrips : MaxTrips;
  bool isShort = min.size() == 1 && trips.size() == 1 && trips[0] <= most;
  if (!isShort || isAround(&loop) || mayEndEarly(loop))
    return runUntilSettled(loop);
  runTrips(loop, min[0], trips[0]);
  return true;
}

void ThreadNumbers::runTrips(const For &loop, int64_t first, int64_t trips) {
  names_.erase(loop.var);
  for (int64_t trip = 0; trip < trips; ++trip) {
    lanes_.bind(loop.var, {first + trip});
    run(loop.body);
  }
  lanes_.unbind(loop.var);
}

bool ThreadNumbers::runUntilSettled(const For &loop) {
  Lanes trips = number(&loop, of(loop.min), of(loop.extent));
  bool isUniform = trips.size() == 1 && !mayEndEarly(loop);
  llvm::SaveAndRestore divergent(isDivergent_, isDivergent_ || !isUniform);
  Elements classes = writtenIn(loop);
  Names names = names_;
  {
    llvm::SaveAndRestore settling(isSettling_, true);
    bool isSettled = false;
    for (int turn = 0; turn != MaxTurns && !isSettled; ++turn) {
      startIteration(loop, classes);
      run(loop.body);
      isSettled = refine(classes);
    }
    for (auto &[element, lanes] : classes)
      lanes = isSettled && !mayEndEarly(loop) ? std::move(lanes) : own();
  }
  if (isAround(&loop) && !isSettling_) {
    startIteration(loop, classes);
    return run(loop.body);
  }
  // How often it ran decides what a thread has then.
  for (const auto &[element, lanes] : classes)
    elements_[element] = number(loop.var, number(loop.var, lanes, trips), common());
  names_ = std::move(names);
  return true;
}

// Threads of one class have the same in the element.
void ThreadNumbers::startIteration(const For &loop, const Elements &classes) {
  for (const auto &[element, lanes] : classes)
    elements_[element] = number(loop.body, lanes, common());
  lanes_.unbind(loop.var);
  names_[loop.var] = number(loop.min, of(loop.min), common());
}

// Whether threads of one class still had the same at the end of the iteration; if not, there are
// more classes now.
bool ThreadNumbers::refine(Elements &classes) {
  bool isSettled = true;
  for (auto &[element, lanes] : classes) {
    Lanes end = read(BufferId(element.first), element.second);
    Lanes both = number(&elements_, lanes, end);
    if (both.empty())
      return false;
    std::map<int64_t, int64_t> ends; // by class
    for (size_t lane = 0; lane != std::max(lanes.size(), both.size()); ++lane)
      isSettled &= ends.try_emplace(laneOf(lanes, lane), laneOf(both, lane)).first->second ==
                   laneOf(both, lane);
    lanes = std::move(both);
  }
  return isSettled;
}

bool ThreadNumbers::runBranch(const If &branch) {
  Lanes condition = of(branch.condition), known = lanes_.evaluate(branch.condition);
  llvm::SaveAndRestore divergent(isDivergent_, isDivergent_ || condition.size() != 1);
  for (const Stmt *side : {branch.thenBody, branch.elseBody})
    if (side && isAround(side) && !isSettling_)
      return run(side);
  if (known.size() == 1)
    return run(known[0] != 0 ? branch.thenBody : branch.elseBody);
  Elements before = elements_;
  Names names = names_;
  run(branch.thenBody);
  Elements whenTrue = std::exchange(elements_, std::move(before));
  names_ = names;
  run(branch.elseBody);
  names_ = std::move(names);
  join(branch, condition, whenTrue);
  return true;
}

void ThreadNumbers::join(const If &branch, const Lanes &condition, const Elements &whenTrue) {
  Elements joined;
  for (const auto &[element, there] : whenTrue) {
    auto here = elements_.find(element);
    if (here == elements_.end())
      continue;
    bool isSame = here->second == there;
    joined[element] =
        isSame ? there : number(&branch, condition, number(branch.condition, there, here->second));
  }
  elements_ = std::move(joined);
}

void ThreadNumbers::runStore(const Store &store) {
  if (!places_.isRegister(store.buffer))
    return;
  Lanes value = of(store.value);
  write(store.buffer, store.slot ? std::nullopt : placeOf(store.buffer, store.indices),
        std::move(value));
}

void ThreadNumbers::runOp(const OpStmt &op) {
  if (runExchange(op) || runMove(op))
    return;
  for (auto [index, region] : llvm::enumerate(op.regions))
    if (op.operand(index).effect != Effect::Read && places_.isRegister(region.buffer))
      forget(region.buffer);
}

} // namespace tilescope
