#include "core/analysis/named_barriers.h"

#include "core/analysis/thread_uniform.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <map>

namespace tilescope {

namespace {

using Meeting = NamedBarrierPlace::Meeting;

constexpr size_t WarpThreads = 32;

class BarrierWalk {
public:
  explicit BarrierWalk(const Function &function)
      : uniform_(function), lanes_(function, OpScope::Warp) {}

  std::vector<NamedBarrierPlace> run(const Function &function) {
    visit(function.body);
    for (auto [place, who] : llvm::zip(places_, who_))
      judge(place, who);
    return std::move(places_);
  }

private:
  void visit(const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      active_ = std::vector<bool>(static_cast<size_t>(launch->threads), true);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt);
        op && op->opInfo().sync == OpSync::NamedBarrier)
      add(*op);
    bool divides = !uniform_.isUniform(*stmt);
    const auto *branch = llvm::dyn_cast<If>(stmt);
    llvm::SaveAndRestore<const Stmt *> outer(dividedBy_, divides ? stmt : dividedBy_);
    // Which threads run an iteration is not known where they disagree on how many there are.
    llvm::SaveAndRestore<bool> known(isKnown_, isKnown_ && (!divides || branch));
    if (!branch || !divides)
      return forEachChild(stmt, [this](const Stmt *child) { visit(child); });
    enter(*branch, branch->thenBody, /*holds=*/true);
    if (branch->elseBody)
      enter(*branch, branch->elseBody, /*holds=*/false);
  }

  void enter(const If &branch, const Stmt *body, bool holds) {
    Lanes values = lanes_.valuesOf(branch.condition);
    llvm::SaveAndRestore<bool> known(isKnown_, isKnown_ && !values.empty());
    std::vector<bool> before = active_;
    for (size_t thread = 0; thread < active_.size() && !values.empty(); ++thread)
      active_[thread] = active_[thread] && (laneOf(values, thread) != 0) == holds;
    visit(body);
    active_ = std::move(before);
  }

  void add(const OpStmt &op) {
    NamedBarrierPlace place{.op = &op, .dividedBy = dividedBy_};
    if (isKnown_)
      place.threads = llvm::count(active_, true);
    place.hasParts = isKnown_ && hasPartsOfWarps();
    place.isOfAll = !dividedBy_ && place.threads == op.attr(Attr::Threads);
    placesOf_[op.attr(Attr::Number)].push_back(places_.size());
    places_.push_back(place);
    who_.push_back(active_);
  }

  bool hasPartsOfWarps() const {
    for (size_t thread = 0; thread != active_.size(); ++thread)
      if (active_[thread] != active_[thread - thread % WarpThreads])
        return true;
    return false;
  }

  // Who meets, all places of one number decide.
  void judge(NamedBarrierPlace &place, const std::vector<bool> &who) const {
    int64_t wanted = place.op->attr(Attr::Threads);
    std::vector<bool> any(who.size(), false);
    bool isKnown = true, areAlike = true;
    for (size_t at : placesOf_.at(place.op->attr(Attr::Number))) {
      const NamedBarrierPlace &other = places_[at];
      isKnown &= other.threads.has_value();
      areAlike &= who_[at] == who && other.op->attr(Attr::Waits) != 0 &&
                  other.op->attr(Attr::Threads) == wanted;
      for (size_t thread = 0; thread != any.size() && thread < who_[at].size(); ++thread)
        any[thread] = any[thread] || who_[at][thread];
    }
    bool isTooMany = place.threads && *place.threads > wanted;
    bool isTooFew = isKnown && place.threads != 0 && llvm::count(any, true) < wanted;
    if (place.hasParts || (isKnown && areAlike && isTooMany) || isTooFew)
      place.meeting = Meeting::Wrong;
    else if (isKnown && areAlike && place.threads == wanted)
      place.meeting = Meeting::Fixed;
    place.isOfAll &= place.meeting == Meeting::Fixed;
  }

  ThreadUniform uniform_, lanes_; // of the block, and of warps, which knows of each thread
  std::vector<bool> active_;      // threads that get here, as far as they decide
  bool isKnown_ = true;           // they decide alone
  const Stmt *dividedBy_ = nullptr;
  std::vector<NamedBarrierPlace> places_;
  std::vector<std::vector<bool>> who_; // of each place
  std::map<int64_t, std::vector<size_t>> placesOf_;
};

} // namespace

std::vector<NamedBarrierPlace> findNamedBarriers(const Function &function) {
  return BarrierWalk(function).run(function);
}

} // namespace tilescope
