#include "core/exec/group_run.h"
#include "core/exec/execution_limits.h"

#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// What an operation does for the threads `lanes` of a group, in core/ops/<op>/execute.cpp. Of those
// that a warp makes together all threads of their warps are among them.
#define OP_Tile(Name)
#define OP_Device(Name) void execute##Name(const OpStmt &op, ThreadGroup &group, Lanes lanes);
#define OP_Both(Name) OP_Device(Name)
#define OP(Name, printed, level) OP_##level(Name)
#include "core/ops/ops.def"
#undef OP_Device

namespace {

void executeOp(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  switch (op.op) {
#define OP_Device(Name)                                                                            \
  case Op::Name:                                                                                   \
    return execute##Name(op, group, lanes);
#define OP(Name, printed, level) OP_##level(Name)
#include "core/ops/ops.def"
#undef OP_Tile
#undef OP_Device
#undef OP_Both
  default:
    llvm_unreachable("a tile operation is lowered first");
  }
}

} // namespace

bool GroupRun::run(OnLaunch onLaunch) {
  bool hasGoneOn = body_ != nullptr;
  if (body_)
    enter(std::exchange(body_, nullptr), group_.all(), onLaunch);
  do
    for (; !stack_.empty() && group_.awaited() == Awaited::Nobody; hasGoneOn = true)
      advance(onLaunch);
  while (changeRole(onLaunch));
  return hasGoneOn;
}

// Names have one value a thread, whoever binds them; those of loops around roles would be lost.
bool GroupRun::beginRoles(Entry &entry) {
  if (group_.block().launch.hasBarriers)
    return false;
  StmtList stmts = llvm::cast<Seq>(entry.stmt)->stmts.drop_front(entry.next);
  StmtList roles = stmts.take_while([](const Stmt *stmt) { return llvm::isa<Role>(stmt); });
  bool isInLoop = llvm::any_of(stack_, [](const Entry &one) { return llvm::isa<For>(one.stmt); });
  if (roles.size() < 2 || isInLoop)
    return false;
  for (const Stmt *role : roles)
    roles_.push_back({role, {}, nullptr});
  entry.next += roles.size();
  around_ = std::exchange(stack_, {});
  return true;
}

// When one waits or is over. False: there is no other that can go on.
bool GroupRun::changeRole(OnLaunch onLaunch) {
  bool isElsewhere = group_.awaited() != Awaited::Nobody && group_.awaited() != Awaited::Phase;
  if (around_.empty() || isElsewhere)
    return false;
  if (std::function<bool()> hasPhaseEnded = takePhase(group_))
    roles_.push_back({&statementOf(group_), std::exchange(stack_, {}), std::move(hasPhaseEnded)});
  auto next = llvm::find_if(
      roles_, [](const RoleRun &role) { return !role.hasPhaseEnded || role.hasPhaseEnded(); });
  bool isFound = next != roles_.end();
  if (roles_.empty()) {
    stack_ = std::exchange(around_, {});
    return true;
  }
  RoleRun role = std::move(isFound ? *next : roles_.front());
  roles_.erase(isFound ? next : roles_.begin());
  stack_ = std::move(role.stack);
  if (!role.hasPhaseEnded) {
    llvm::SmallVector<uint32_t, 32> lanes = around_.back().lanes;
    enter(role.stmt, lanes, onLaunch);
    return true;
  }
  group_.setStatement(*role.stmt);
  if (!isFound)
    awaitPhase(group_, std::move(role.hasPhaseEnded));
  return isFound;
}

void GroupRun::enter(const Stmt *stmt, Lanes lanes, OnLaunch onLaunch) {
  if (lanes.empty())
    return;
  group_.setStatement(*stmt);
  if (StepRecorder *steps = group_.block().steps)
    steps->begin(*stmt, loopsAround(lanes.front()));
  Entry entry{stmt, {lanes.begin(), lanes.end()}, 0, {}, {}, {}};
  if (const auto *loop = llvm::dyn_cast<For>(stmt)) {
    entry.first = group_.evaluateIndex(loop->min, lanes);
    entry.trips = group_.evaluateIndex(loop->extent, lanes);
  } else if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
    entry.lanes = group_.where(branch->condition, lanes);
    std::set_difference(lanes.begin(), lanes.end(), entry.lanes.begin(), entry.lanes.end(),
                        std::back_inserter(entry.other));
  } else if (!llvm::isa<Seq>(stmt)) {
    return runLeaf(*stmt, lanes, onLaunch);
  }
  if (!llvm::isa<Seq>(stmt))
    meetBehindStatement();
  stack_.push_back(std::move(entry));
}

// What an entry holds is copied before `enter` may put others on top and so move it.
void GroupRun::advance(OnLaunch onLaunch) {
  Entry &entry = stack_.back();
  if (const auto *loop = llvm::dyn_cast<For>(entry.stmt))
    return advanceFor(entry, *loop, onLaunch);
  if (const auto *branch = llvm::dyn_cast<If>(entry.stmt))
    return advanceIf(entry, *branch, onLaunch);
  StmtList stmts = llvm::cast<Seq>(entry.stmt)->stmts;
  if (entry.next == stmts.size())
    return stack_.pop_back();
  if (beginRoles(entry))
    return;
  const Stmt *child = stmts[entry.next++];
  llvm::SmallVector<uint32_t, 32> lanes = entry.lanes;
  enter(child, lanes, onLaunch);
}

// Threads whose loop is over wait for the others.
void GroupRun::advanceFor(Entry &entry, const For &loop, OnLaunch onLaunch) {
  auto iteration = static_cast<int64_t>(entry.next++);
  if (loop.forKind == ForKind::Endless && iteration == MostEndlessTrips) {
    group_.setStatement(loop);
    group_.find(FindingKind::EndlessLoop, entry.lanes.front(), "", std::to_string(iteration));
    return stack_.pop_back();
  }
  llvm::erase_if(entry.lanes, [&](uint32_t lane) { return iteration >= entry.trips[lane].i; });
  if (entry.lanes.empty())
    return stack_.pop_back();
  LaneValues values = entry.first;
  for (uint32_t lane : entry.lanes)
    values[lane].i += iteration;
  group_.bind(loop.var, std::move(values));
  llvm::SmallVector<uint32_t, 32> lanes = entry.lanes;
  enter(loop.body, lanes, onLaunch);
}

void GroupRun::advanceIf(Entry &entry, const If &branch, OnLaunch onLaunch) {
  size_t side = entry.next++;
  if (side == 2)
    return stack_.pop_back();
  llvm::SmallVector<uint32_t, 32> lanes = side == 0 ? entry.lanes : entry.other;
  if (const Stmt *body = side == 0 ? branch.thenBody : branch.elseBody)
    enter(body, lanes, onLaunch);
}

void GroupRun::runLeaf(const Stmt &stmt, Lanes lanes, OnLaunch onLaunch) {
  switch (stmt.kind()) {
  case StmtKind::Break:
    return endLoop(lanes);
  case StmtKind::Bind:
    runBind(llvm::cast<Bind>(stmt), lanes);
    break;
  case StmtKind::Store:
    runStore(llvm::cast<Store>(stmt), lanes);
    break;
  case StmtKind::Op:
    runOp(llvm::cast<OpStmt>(stmt), lanes);
    break;
  case StmtKind::Launch:
    return onLaunch(llvm::cast<Launch>(stmt));
  default:
    llvm_unreachable("a parallel loop is lowered first");
  }
  meetBehindStatement();
}

// With the values that a thread has, which is in them.
llvm::SmallVector<LoopValue> GroupRun::loopsAround(uint32_t lane) const {
  llvm::SmallVector<LoopValue> loops;
  for (const Entry &entry : stack_)
    if (const auto *loop = llvm::dyn_cast<For>(entry.stmt))
      loops.push_back({loop, entry.first[lane].i + static_cast<int64_t>(entry.next) - 1});
  return loops;
}

// Until barriers are placed: a condition and the bounds of a loop are statements too.
void GroupRun::meetBehindStatement() {
  bool isWaiting = group_.awaited() == Awaited::Grid || group_.awaited() == Awaited::Phase;
  if (!group_.block().launch.hasBarriers && !isWaiting)
    group_.meet(BarrierScope::Block);
}

// Of the role that it is in, else of the block.
uint32_t GroupRun::firstOfRole() const {
  for (const Entry &entry : llvm::reverse(stack_))
    if (const auto *role = llvm::dyn_cast<Role>(entry.stmt))
      return static_cast<uint32_t>(role->firstThread);
  return 0;
}

// They run the rest of their iteration.
void GroupRun::endLoop(Lanes lanes) {
  for (Entry &entry : llvm::reverse(stack_))
    if (llvm::isa<For>(entry.stmt)) {
      llvm::erase_if(entry.lanes, [&](uint32_t lane) { return llvm::is_contained(lanes, lane); });
      return;
    }
}

void GroupRun::runBind(const Bind &bind, Lanes lanes) {
  llvm::BitVector undefined;
  LaneValues values = group_.evaluate(bind.value, lanes, undefined, IntegerWidth::Index);
  group_.bind(bind.var, std::move(values), undefined);
}

void GroupRun::runStore(const Store &store, Lanes lanes) {
  LaneRegion target = group_.evaluate(store.buffer, store.slot, store.indices, lanes);
  llvm::BitVector undefined;
  LaneValues values = target.registers ? group_.evaluate(store.value, lanes, undefined)
                                       : group_.evaluate(store.value, lanes);
  for (uint32_t lane : lanes)
    group_.store(target, lane, 0, values[lane]);
  for (uint32_t lane : undefined.set_bits())
    group_.leaveUndefined(target, lane, 0);
}

void GroupRun::runOp(const OpStmt &op, Lanes lanes) {
  bool isOfWarps =
      (scopeOf(op) == OpScope::Warp && !isSynchronisation(op) && !op.opInfo().isExchange) ||
      scopeOf(op) == OpScope::WarpGroup;
  if (isOfWarps && !areWholeWarps(lanes, group_.size()))
    return group_.find(FindingKind::DivergentOperation, lanes.front(), "",
                       std::to_string(lanes.size()));
  if (scopeOf(op) == OpScope::Elected)
    lanes = electedOf(group_, lanes, firstOfRole());
  if (!lanes.empty())
    executeOp(op, group_, lanes);
}

} // namespace tilescope
