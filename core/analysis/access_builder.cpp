#include "core/analysis/access_builder.h"

#include "core/analysis/access_group.h"
#include "core/analysis/buffer_rows.h"
#include "core/analysis/role_lanes.h"
#include "core/ir/content_key.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class TreeBuilder {
public:
  TreeBuilder(Context &context, const Function &function, AccessDetail detail, RoleView view)
      : function_(function), view_(view), affine_(context, function),
        uniform_(computeStmtPlaces(context, function).uniform()), ownership_(context, function),
        query_{context, function, nullptr, nullptr, detail, false, {}},
        syncs_(function, affine_, loops_), numbers_(context, function, affine_, syncs_, loops_) {
    if (detail == AccessDetail::Statements) {
      query_.ownership = &ownership_;
      query_.tokens = &tokens_;
      query_.affine = &affine_;
      query_.rows = findRowsByTurns(context, function, affine_);
      // What a launch only reads needs no order, and launches come one after the other.
      if (hasOneLaunch(function))
        query_.globals = ownership_.globalsOfSeveralThreads();
    }
    query_.slotOf = [this](const Expr *slot, int64_t versions) {
      return recogniseSlot(affine_, slot, versions, loops_);
    };
    query_.mbarrierOf = [this](const BufferRegion &region) { return syncs_.mbarrierOf(region); };
  }

  AccessTree build() {
    for (const Buffer *buffer : function_.buffers)
      if (isShared(buffer->scope))
        tree_.program.buffers.push_back({buffer->id, buffer->name.str(), query_.slotsOf(*buffer)});
    for (const Buffer *buffer : function_.buffers)
      if (query_.globals.contains(buffer->id.value))
        tree_.program.buffers.push_back({buffer->id, buffer->name.str(), buffer->versions});
    tree_.program.root = buildBody(function_.body);
    if (syncs_.lastInit()) {
      uint32_t leaf = add(AccessNode::Kind::Leaf, syncs_.lastInit());
      node(leaf).accesses = syncs_.lastReads();
      node(leaf).oneThread = true; // that began them: it needs to wait for nobody
      node(tree_.program.root).children.push_back(leaf);
    }
    tree_.program.mbarriers = syncs_.mbarriers();
    tree_.numbers = numbers_.take();
    return std::move(tree_);
  }

private:
  uint32_t add(AccessNode::Kind kind, StmtList stmts, std::vector<uint32_t> children = {}) {
    AccessNode node;
    node.kind = kind;
    node.children = std::move(children);
    node.isOfAllLanes = lane_ && !query_.role;
    if (!stmts.empty()) {
      node.stmt = stmts.front()->id();
      node.anchor = stmts.front()->anchor();
    }
    tree_.sources.push_back(stmts.empty() ? AccessSource()
                                          : AccessSource{stmts.front(), stmts.back()});
    return tree_.program.add(std::move(node));
  }

  AccessNode &node(uint32_t index) { return tree_.program.nodes[index]; }

  // Whether nothing is in these bodies, which were added last; they are taken back then.
  bool dropEmpty(llvm::ArrayRef<uint32_t> bodies) {
    if (llvm::any_of(bodies, [&](uint32_t body) { return !node(body).children.empty(); }))
      return false;
    tree_.program.nodes.resize(bodies.front());
    tree_.sources.resize(bodies.front());
    numbers_.dropFrom(bodies.front());
    return true;
  }

  uint32_t buildBody(const Stmt *body) {
    std::vector<uint32_t> children;
    if (const auto *seq = llvm::dyn_cast<Seq>(body))
      buildList(seq->stmts, children);
    else
      buildList(body, children);
    return add(AccessNode::Kind::Seq, {}, std::move(children));
  }

  // Runs of statements with one anchor become one leaf where they can. What synchronises is none.
  void buildList(StmtList stmts, std::vector<uint32_t> &children) {
    for (size_t begin = 0; begin != stmts.size();) {
      size_t end = begin + 1;
      while (end != stmts.size() && stmts[end]->anchor() == stmts[begin]->anchor() &&
             !isSynchronisation(*stmts[end - 1]) && !isSynchronisation(*stmts[end]))
        ++end;
      ahead_.push_back(stmts.drop_front(end));
      StmtList run = stmts.slice(begin, end - begin);
      if (mayBeLeaf(run) && addLeaf(run, children))
        begin = end;
      else
        buildOne(stmts[begin++], children);
      ahead_.pop_back();
    }
  }

  // An `if` that all threads agree on is a branch of the program, and may be a guard.
  bool mayBeLeaf(StmtList run) const {
    return run.size() > 1 || !llvm::isa<If>(run[0]) || !uniform_.isUniform(*run[0]);
  }

  // All threads evaluate a condition, or the bounds of a loop, before what is inside.
  void addHead(const Stmt &stmt, std::vector<uint32_t> &children) {
    GroupAccesses head = accessesOfHead(query_, stmt);
    if (head.accesses.empty())
      return;
    children.push_back(add(AccessNode::Kind::Leaf, &stmt));
    node(children.back()).accesses = std::move(head.accesses);
  }

  bool addLeaf(StmtList run, std::vector<uint32_t> &children) {
    std::optional<GroupAccesses> group = accessesOfGroup(query_, run);
    if (!group)
      return false;
    if (group->accesses.empty())
      return true;
    children.push_back(add(AccessNode::Kind::Leaf, run));
    node(children.back()).stmt = group->firstAccessing->id();
    node(children.back()).oneThread = group->isOfOneThread;
    node(children.back()).accesses = std::move(group->accesses);
    numbers_.addLeaf(children.back(), node(children.back()), run);
    return true;
  }

  void buildOne(const Stmt *stmt, std::vector<uint32_t> &children) {
    switch (stmt->kind()) {
    case StmtKind::Seq:
      return buildList(llvm::cast<Seq>(stmt)->stmts, children);
    case StmtKind::Launch:
      return buildLaunch(*llvm::cast<Launch>(stmt), children);
    case StmtKind::For:
      return buildLoop(*llvm::cast<For>(stmt), children);
    case StmtKind::Role:
      return buildRole(*llvm::cast<Role>(stmt), children);
    case StmtKind::If:
      return buildBranch(*llvm::cast<If>(stmt), children);
    case StmtKind::Op:
      return buildOp(*llvm::cast<OpStmt>(stmt), children);
    case StmtKind::Break:
      return;
    case StmtKind::Bind:
    case StmtKind::Store:
    case StmtKind::Parallel:
      addLeaf(stmt, children);
    }
  }

  // What stands between the first role and the last, those included, each lane has for itself.
  void buildLaunch(const Launch &launch, std::vector<uint32_t> &children) {
    query_.launch = &launch;
    tree_.program.threads = syncs_.lastInit() ? launch.threads : tree_.program.threads;
    if (syncs_.lastInit() && hasOneLaunch(function_))
      numbers_.begin();
    StmtList stmts = launch.body;
    if (const auto *seq = llvm::dyn_cast<Seq>(launch.body))
      stmts = seq->stmts;
    RoleLanes lanes = roleLanesOf(launch, stmts);
    if (lanes.lanes.empty() || view_ == RoleView::Flat)
      buildList(launch.body, children);
    else
      buildLanes(lanes, stmts, children);
    query_.launch = nullptr;
  }

  void buildLanes(const RoleLanes &lanes, StmtList stmts, std::vector<uint32_t> &children) {
    buildList(stmts.take_front(lanes.begin), children);
    StmtList shared = stmts.slice(lanes.begin, lanes.end - lanes.begin);
    std::vector<uint32_t> bodies;
    std::vector<int64_t> threads;
    for (const RoleLane &lane : lanes.lanes) {
      std::vector<uint32_t> steps;
      lane_ = &lane;
      buildList(shared, steps);
      bodies.push_back(add(AccessNode::Kind::Seq, {}, std::move(steps)));
      threads.push_back(lane.threads);
    }
    lane_ = nullptr;
    children.push_back(add(AccessNode::Kind::Roles, shared, std::move(bodies)));
    node(children.back()).laneThreads = std::move(threads);
    tree_.program.threads = query_.launch->threads;
    buildList(stmts.drop_front(lanes.end), children);
  }

  void buildRole(const Role &role, std::vector<uint32_t> &children) {
    if (view_ == RoleView::Lanes && lane_ && !lane_->isOf(role))
      return;
    query_.role = &role;
    if (lane_) {
      ScopedFacts facts(affine_, &role, role.thenBody);
      buildOne(role.thenBody, children);
    } else {
      buildBranch(role, children);
    }
    query_.role = nullptr;
  }

  void buildOp(const OpStmt &op, std::vector<uint32_t> &children) {
    if (op.opInfo().sync == OpSync::None)
      return void(addLeaf(&op, children));
    addHead(op, children);
    for (AccessNode &sync : syncs_.of(op, query_.isDivergent)) {
      sync.isOfAllLanes = lane_ && !query_.role;
      children.push_back(add(sync.kind, &op));
      numbers_.addSync(children.back(), sync, op);
      node(children.back()) = std::move(sync);
    }
  }

  void buildLoop(const For &loop, std::vector<uint32_t> &children) {
    addHead(loop, children);
    bool isDivergent = !uniform_.isUniform(loop);
    loops_.push_back(&loop);
    uint32_t body = buildInside(&loop, loop.body, isDivergent);
    loops_.pop_back();
    if (dropEmpty(body))
      return;
    AffineBounds trips = affine_.bounds(loop.extent);
    children.push_back(add(AccessNode::Kind::Loop, &loop, {body}));
    AccessNode &made = node(children.back());
    made.isDivergent = isDivergent;
    made.minTrips = leastTrips(query_.context, affine_, loop);
    if (mayEndEarly(loop))
      made.minTrips = std::min<int64_t>(made.minTrips, 1);
    if (trips.upper && loop.forKind != ForKind::Endless)
      made.maxTrips = std::max<int64_t>(*trips.upper, made.minTrips);
    numbers_.addLoop(children.back(), made, loop);
  }

  uint32_t buildInside(const Stmt *parent, const Stmt *body, bool isDivergent) {
    ScopedFacts facts(affine_, parent, body);
    bool outer = query_.isDivergent;
    query_.isDivergent |= isDivergent;
    uint32_t index = buildBody(body);
    query_.isDivergent = outer;
    return index;
  }

  void buildBranch(const If &branch, std::vector<uint32_t> &children) {
    addHead(branch, children);
    bool isDivergent = !uniform_.isUniform(branch);
    std::vector<uint32_t> bodies = {buildInside(&branch, branch.thenBody, isDivergent)};
    if (branch.elseBody)
      bodies.push_back(buildInside(&branch, branch.elseBody, isDivergent));
    if (dropEmpty(bodies))
      return;
    // Threads that disagree run both sides, in no order: one after the other, either left out.
    if (isDivergent) {
      for (uint32_t body : bodies) {
        children.push_back(add(AccessNode::Kind::If, &branch, {body}));
        node(children.back()).isDivergent = true;
      }
      return;
    }
    children.push_back(add(AccessNode::Kind::If, &branch, std::move(bodies)));
    AccessNode &made = node(children.back());
    if (auto guard = recogniseGuard(affine_, branch.condition, loops_, loopsIn(ahead_)))
      std::tie(made.guardLoop, made.guardDistance) = std::pair(guard->loop->id(), guard->distance);
    else if (auto range = recogniseRange(affine_, branch.condition, loops_); range && lane_)
      std::tie(made.rangeLoop, made.rangeBegin, made.rangeEnd) =
          std::tuple(range->loop->id(), range->begin, range->end);
    numbers_.addCondition(children.back(), made, branch.condition);
  }

  const Function &function_;
  RoleView view_;
  const RoleLane *lane_ = nullptr; // of which statements are added; null: of all
  IrAffine affine_;
  const ThreadUniform &uniform_;
  ThreadOwnership ownership_;
  OwnerTokens tokens_;
  GroupQuery query_;
  AccessTree tree_;
  llvm::SmallVector<const For *> loops_; // enclosing, outermost first
  std::vector<StmtList> ahead_;          // what follows in each enclosing list
  SyncNodes syncs_;
  BlockNumbers numbers_;
};

} // namespace

const AccessTree &computeAccessTree(Context &context, const Function &function, AccessDetail detail,
                                    RoleView view) {
  std::vector<CacheKeyPart> key = contentKey(function);
  llvm::append_values(key, static_cast<uint64_t>(detail), static_cast<uint64_t>(view));
  return context.cached<AccessTree>(
      key, [&] { return TreeBuilder(context, function, detail, view).build(); });
}

} // namespace tilescope
