#include "passes/warp_roles.h"

#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>
#include <set>

namespace tilescope {

namespace {

constexpr int64_t MostThreads = 1024; // of a block
constexpr int64_t WarpThreads = 32;

class RoleDivider {
public:
  RoleDivider(Context &context, const Launch &launch,
              llvm::function_ref<bool(const OpStmt &)> isCopying)
      : builder_(context), context_(context), launch_(launch), isCopying_(isCopying) {}

  const Stmt *divide(const Stmt *body) {
    StmtList stmts = body;
    if (const auto *seq = llvm::dyn_cast<Seq>(body))
      stmts = seq->stmts;
    llvm::SmallVector<const Stmt *> divided;
    divideList(stmts, divided);
    return builder_.seq(builder_.fresh(body->span()), divided);
  }

private:
  void divideList(StmtList stmts, llvm::SmallVectorImpl<const Stmt *> &out) {
    for (size_t begin = 0; begin != stmts.size();) {
      const Stmt *stmt = stmts[begin];
      size_t end = begin + 1;
      if (const auto *seq = llvm::dyn_cast<Seq>(stmt)) {
        divideList(seq->stmts, out);
      } else if (isOfAll(*stmt)) {
        const auto *loop = llvm::dyn_cast<For>(stmt);
        out.push_back(
            loop ? mapChildren(context_, loop, [&](const Stmt *body) { return divide(body); })
                 : stmt);
      } else {
        bool copies = copiesOnly(*stmt);
        while (end != stmts.size() && !isOfAll(*stmts[end]) && !llvm::isa<Seq>(stmts[end]) &&
               copiesOnly(*stmts[end]) == copies)
          ++end;
        out.push_back(roleOf(copies, stmts.slice(begin, end - begin)));
      }
      begin = end;
    }
  }

  const Stmt *roleOf(bool copies, StmtList stmts) {
    StmtInfo info = builder_.fresh(stmts.front()->span());
    const Stmt *body = builder_.seq(builder_.fresh(stmts.front()->span()), stmts);
    if (copies)
      return builder_.role(info, launch_.threadVar, launch_.threads, WarpThreads, body, 0, "copy");
    return builder_.role(info, launch_.threadVar, 0, launch_.threads, body, 0, "compute");
  }

  // A name, the init of an mbarrier, which a barrier of all follows, or a loop with copies in it.
  bool isOfAll(const Stmt &stmt) const {
    const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
    bool isInit = op && isForOne(*op) && op->opInfo().sync == OpSync::None &&
                  op->opInfo().work != OpWork::Move;
    return isInit || llvm::isa<Bind>(stmt) || (llvm::isa<For>(stmt) && holdsCopies(stmt));
  }

  bool holdsCopies(const Stmt &stmt) const {
    bool isFound = false;
    walk(&stmt, [&](const Stmt *part) {
      const auto *op = llvm::dyn_cast<OpStmt>(part);
      isFound |= op && isCopying_(*op);
      return !isFound;
    });
    return isFound;
  }

  bool copiesOnly(const Stmt &stmt) const {
    bool isOnly = holdsCopies(stmt);
    walk(&stmt, [&](const Stmt *part) {
      const auto *op = llvm::dyn_cast<OpStmt>(part);
      isOnly &= op ? isCopying_(*op) : llvm::isa<If, Seq>(part);
      return isOnly;
    });
    return isOnly;
  }

  Builder builder_;
  Context &context_;
  const Launch &launch_;
  llvm::function_ref<bool(const OpStmt &)> isCopying_;
};

// What threads compute is not known to the warp that copies.
bool bindsWhatThreadsCompute(Context &context, const Function &function, const Stmt &stmt) {
  return llvm::isa<Bind>(stmt) &&
         llvm::any_of(accessesOf(context, &stmt), [&](const BufferAccess &access) {
           return function.buffer(access.buffer).scope != Scope::Global;
         });
}

// The buffer that two pipelines fill: each counts its own slots, so the warp that copies for the
// second would not wait for those that still read in the first.
std::optional<BufferId> filledByTwoPipelines(const Launch &launch) {
  std::set<BufferId> filled;
  std::optional<BufferId> found;
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (loop && loop->pipeline)
      for (const VersionCount &count : loop->pipeline->versions)
        if (!filled.insert(count.buffer).second && !found)
          found = count.buffer;
    return !found;
  });
  return found;
}

} // namespace

std::string whyNotDivided(PassContext &pass, const Function &function, const Launch &launch) {
  if (!pass.target.hasRoles())
    return llvm::formatv("{0} has no roles", pass.target.name);
  if (launch.threads % WarpGroupThreads != 0 || launch.threads + WarpThreads > MostThreads)
    return llvm::formatv(
        "{0} threads are no whole warp groups, or leave no room for one that copies",
        launch.threads);
  if (std::optional<BufferId> buffer = filledByTwoPipelines(launch))
    return llvm::formatv("two pipelines fill '{0}'", function.buffer(*buffer).name);
  std::string reason;
  walk(launch.body, [&](const Stmt *stmt) {
    if (llvm::isa<Role>(stmt))
      reason = "the kernel has roles of its own";
    else if (isSynchronisation(*stmt))
      reason = "the kernel has barriers of its own";
    else if (bindsWhatThreadsCompute(pass.context, function, *stmt))
      reason = "a name is bound to what threads compute";
    return reason.empty();
  });
  return reason;
}

const Launch *divideIntoRoles(Context &context, const Launch &launch,
                              llvm::function_ref<bool(const OpStmt &)> isCopying) {
  const Stmt *body = RoleDivider(context, launch, isCopying).divide(launch.body);
  return context.make<Launch>(launch.info(), launch.blockVars, launch.gridExtents, launch.threadVar,
                              launch.threads + WarpThreads, body, launch.raster);
}

} // namespace tilescope
