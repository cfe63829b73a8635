#include "core/run/value_origins.h"

#include "core/analysis/stmt_places.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>
#include <tuple>

namespace tilescope {

namespace {

// Between statements of one line of the kernel there is no step. Names, loops and conditions are
// the same for many values, so they come after what a value is made of.
constexpr unsigned StepOfValue = 1;
constexpr unsigned StepOutwards = 6;

class OriginSearch {
public:
  explicit OriginSearch(const Function &function) : places_(computeStmtPlaces(scratch_, function)) {
    walk(function.body, [&](const Stmt *stmt) {
      order_.try_emplace(stmt, order_.size());
      forEachWritten(*stmt, [&](BufferId buffer) { writers_[buffer].push_back(stmt); });
      return true;
    });
  }

  std::vector<const Stmt *> run(llvm::ArrayRef<StmtId> writers) {
    for (const auto &[stmt, at] : order_)
      if (llvm::is_contained(writers, stmt->id()))
        open_.insert({0, at, stmt});
    while (!open_.empty()) {
      auto [steps, at, stmt] = open_.extract(open_.begin()).value();
      if (!known_.insert(stmt).second)
        continue;
      found_.push_back(stmt);
      addOriginsOf(*stmt, steps);
    }
    return std::move(found_);
  }

private:
  // Where to go on from; of those that are equally near the last one first.
  struct Place {
    unsigned steps;
    size_t at;
    const Stmt *stmt;

    bool operator<(const Place &other) const {
      return std::tuple(steps, other.at) < std::tuple(other.steps, at);
    }
  };

  void addOriginsOf(const Stmt &stmt, unsigned steps) {
    auto add = [&](const Stmt *origin, unsigned cost) {
      bool isSameLine = origin->span().isValid() && origin->span().line == stmt.span().line;
      open_.insert({steps + (isSameLine ? 0 : cost), order_.at(origin), origin});
    };
    forEachExpr(&stmt, [&](const Expr *expr) {
      walk(expr, [&](const Expr *part) {
        if (const auto *var = llvm::dyn_cast<Var>(part))
          if (const Bind *bind = places_.bindOf(var))
            add(bind, StepOutwards);
      });
    });
    for (const BufferAccess &access : accessesOf(scratch_, &stmt))
      if (access.effect != Effect::Write)
        addWriters(access.buffer, order_.at(&stmt), add);
    if (const Stmt *around = places_.parentOf(&stmt))
      add(around, llvm::isa<Seq>(around) ? 0 : StepOutwards);
  }

  // The last one before the reader is nearest, and those that come round in a loop are farthest.
  void addWriters(BufferId buffer, size_t reader,
                  llvm::function_ref<void(const Stmt *writer, unsigned cost)> add) {
    std::vector<const Stmt *> writers = writers_[buffer];
    auto behind = llvm::partition_point(
        writers, [&](const Stmt *writer) { return order_.at(writer) < reader; });
    std::rotate(writers.begin(), behind, writers.end());
    unsigned cost = StepOfValue;
    for (const Stmt *writer : llvm::reverse(writers))
      add(writer, cost++);
  }

  Context scratch_;
  const StmtPlaces &places_;
  std::map<const Stmt *, size_t> order_; // as printed
  std::map<BufferId, std::vector<const Stmt *>> writers_;
  std::set<Place> open_;
  std::vector<const Stmt *> found_;
  llvm::DenseSet<const Stmt *> known_;
};

} // namespace

std::vector<const Stmt *> originsOf(const Function &function, llvm::ArrayRef<StmtId> writers) {
  return OriginSearch(function).run(writers);
}

std::vector<const Stmt *> writersOf(const Function &function, BufferId buffer) {
  std::vector<const Stmt *> writers;
  walk(function.body, [&](const Stmt *stmt) {
    forEachWritten(*stmt, [&](BufferId written) {
      if (written == buffer)
        writers.push_back(stmt);
    });
    return true;
  });
  return writers;
}

} // namespace tilescope
