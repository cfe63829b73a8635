#include "core/analysis/nest_dependences.h"

#include "core/analysis/iterations_meet.h"
#include "core/analysis/path_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Whether the nest reads and writes one buffer that iterations share.
bool mayDepend(Context &context, const Function &function, const Parallel &nest) {
  llvm::DenseSet<uint32_t> read, written;
  walk(nest.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      if (access.effect != Effect::Write && !access.isAtomic())
        read.insert(access.buffer.value);
      if (access.effect != Effect::Read)
        written.insert(access.buffer.value);
    }
    return true;
  });
  return llvm::any_of(written, [&](uint32_t id) {
    Scope scope = function.buffer(BufferId(id)).scope;
    return read.contains(id) && (isMemory(scope) || scope == Scope::Fragment);
  });
}

class NestFinder {
public:
  NestFinder(Context &context, const Function &function)
      : context_(context), function_(function), facts_(context, function) {}

  std::vector<NestDependence> run() {
    visit(function_.body);
    return std::move(found_);
  }

private:
  void visit(const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      launch_ = launch;
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt)) {
      if (mayDepend(context_, function_, *nest))
        judge(*nest);
      return;
    }
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt); bind && !readsMemory(bind->value))
      values_[bind->var] = substitute(context_, bind->value, values_);
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (loop)
      loops_.push_back(loop);
    forEachChild(stmt, [&](const Stmt *child) {
      facts_.enter(stmt, child);
      visit(child);
      facts_.leave();
    });
    if (loop)
      loops_.pop_back();
  }

  void judge(const Parallel &nest) {
    IrAffine &affine = facts_.affine();
    NestAccesses body = computeNestAccesses(affine, function_, nest, values_);
    NestPlace place{&nest, loops_, std::move(body.loadedNames)};
    addOuterUnknowns(place.unknowns);
    for (const NestAccess &read : body.accesses)
      for (const NestAccess &write : body.accesses)
        if (!read.isWrite && write.isWrite && read.buffer == write.buffer && isAsked(read, write))
          add(nest, read, write, computeIterationsMeet(affine, place, read, write));
  }

  // Threads disagree on these.
  void addOuterUnknowns(llvm::SmallVector<const Var *> &unknowns) {
    if (launch_)
      unknowns.push_back(launch_->threadVar);
    walk(function_.body, [&](const Stmt *stmt) {
      const auto *bind = llvm::dyn_cast<Bind>(stmt);
      if (bind && !facts_.affine().isStable(bind->value) &&
          !llvm::is_contained(unknowns, bind->var))
        unknowns.push_back(bind->var);
      return true;
    });
  }

  bool isAsked(const NestAccess &read, const NestAccess &write) const {
    return read.stmt != write.stmt || !isMemory(function_.buffer(read.buffer).scope);
  }

  void add(const Parallel &nest, const NestAccess &read, const NestAccess &write,
           IterationsMeet meet) {
    if (meet == IterationsMeet::No)
      return;
    NestDependence made{&nest, read.stmt, write.stmt, read.buffer, meet == IterationsMeet::Yes};
    auto known = llvm::find_if(found_, [&](const NestDependence &one) {
      return one.nest == &nest && one.buffer == read.buffer;
    });
    if (known == found_.end())
      found_.push_back(made);
    else if (made.isCertain && !known->isCertain)
      *known = made;
  }

  Context &context_;
  const Function &function_;
  PathFacts facts_;
  const Launch *launch_ = nullptr;
  Substitution values_; // of names so far
  llvm::SmallVector<const For *> loops_;
  std::vector<NestDependence> found_;
};

} // namespace

std::vector<NestDependence> findNestDependences(Context &context, const Function &function) {
  return NestFinder(context, function).run();
}

} // namespace tilescope
