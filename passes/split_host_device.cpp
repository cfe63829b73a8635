// Makes one device function of each kernel launch.
//
//     def main(A, B, C, n):             def main_kernel(A, n):      with T.Kernel(n): ...
//         with T.Kernel(n): ... A       def main_kernel_1(A, C):    with T.Kernel(8): ...
//         with T.Kernel(8): ... A, C
//
// A device function has the parameters that its launch uses, in their old order, and the buffers
// that it touches; host scalars are put in place of their names. The host function goes: how to
// launch follows from the device functions. Function properties stay as they are.
//
// Requires: nothing. Ensures: every function with a launch is a device function.
#include "core/ir/visit.h"
#include "core/pass/pass.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tilescope {

namespace {

// What a launch needs from its function.
struct Uses {
  std::set<BufferId> buffers;
  std::set<VarId> vars;

  void addVars(const Expr *root) {
    walk(root, [&](const Expr *expr) {
      if (const auto *var = llvm::dyn_cast<Var>(expr))
        vars.insert(var->id);
    });
  }
};

Uses computeUses(Context &context, const Function &function, const Launch &launch) {
  Uses uses;
  walk(&launch, [&](const Stmt *stmt) {
    forEachExpr(stmt, [&](const Expr *expr) { uses.addVars(expr); });
    for (const BufferAccess &access : accessesOf(context, stmt))
      uses.buffers.insert(access.buffer);
    return true;
  });
  for (BufferId buffer : uses.buffers) {
    llvm::for_each(function.buffer(buffer).shape, [&](const Expr *expr) { uses.addVars(expr); });
    llvm::for_each(function.buffer(buffer).strides, [&](const Expr *expr) { uses.addVars(expr); });
  }
  return uses;
}

const Function *makeDeviceFunction(Context &context, const Function &host, const Launch &launch,
                                   size_t number) {
  Uses uses = computeUses(context, host, launch);
  Function device = host;
  std::string name = (host.name + "_kernel").str();
  if (number > 0)
    name += "_" + std::to_string(number);
  device.name = context.intern(name);
  device.functionKind = FunctionKind::Device;
  llvm::SmallVector<Param> params;
  llvm::copy_if(host.params, std::back_inserter(params), [&](const Param &param) {
    return param.var ? uses.vars.count(param.var->id) : uses.buffers.count(param.buffer);
  });
  device.params = context.copy<Param>(params);
  llvm::SmallVector<const Buffer *> buffers;
  llvm::copy_if(host.buffers, std::back_inserter(buffers),
                [&](const Buffer *buffer) { return uses.buffers.count(buffer->id); });
  device.buffers = context.copy<const Buffer *>(buffers);
  device.body = &launch;
  device.span = launch.span();
  return context.make<Function>(device);
}

// Collects the launches of a host function with its scalars substituted.
class LaunchCollector {
public:
  LaunchCollector(PassContext &pass) : pass_(pass) {}

  // False: an error was reported.
  bool collect(const Stmt *body) {
    StmtList stmts = body;
    if (const auto *seq = llvm::dyn_cast<Seq>(body))
      stmts = seq->stmts;
    bool valid = true;
    for (const Stmt *stmt : stmts) {
      if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
        substitution_[bind->var] = substitute(pass_.context, bind->value, substitution_);
      else if (llvm::isa<Launch>(stmt))
        launches.push_back(llvm::cast<Launch>(substituted(stmt)));
      else if (checkNoLaunch(stmt))
        outside_.push_back(stmt);
      else
        valid = false;
    }
    return valid && (launches.empty() || checkNothingOutside());
  }

  llvm::SmallVector<const Launch *> launches;

private:
  const Stmt *substituted(const Stmt *launch) {
    if (substitution_.empty())
      return launch;
    return rewriteStmt(pass_.context, launch, [&](const Stmt *stmt) {
      return mapExprs(pass_.context, stmt, [&](const Expr *expr) {
        return substitute(pass_.context, expr, substitution_);
      });
    });
  }

  bool checkNoLaunch(const Stmt *root) {
    bool valid = true;
    walk(root, [&](const Stmt *stmt) {
      if (llvm::isa<Launch>(stmt)) {
        pass_.diagnostics.report(DiagId::LaunchUnderHostCode, stmt->span());
        valid = false;
      }
      return true;
    });
    return valid;
  }

  // The host function goes, and with it what it does besides.
  bool checkNothingOutside() {
    for (const Stmt *stmt : outside_)
      pass_.diagnostics.report(DiagId::OutsideEveryLaunch, stmt->span());
    return outside_.empty();
  }

  PassContext &pass_;
  Substitution substitution_;
  llvm::SmallVector<const Stmt *> outside_; // of every launch
};

class SplitHostDevice : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    llvm::SmallVector<const Function *> functions;
    for (const Function *function : module.functions) {
      LaunchCollector collector(context);
      bool isHost = function->functionKind == FunctionKind::Host;
      if (isHost && !collector.collect(function->body))
        return nullptr;
      if (collector.launches.empty())
        functions.push_back(function);
      for (auto [number, launch] : llvm::enumerate(collector.launches))
        functions.push_back(makeDeviceFunction(context.context, *function, *launch, number));
    }
    return withFunctions(module, functions);
  }
};

} // namespace

std::unique_ptr<Pass> createSplitHostDevice() { return std::make_unique<SplitHostDevice>(); }

} // namespace tilescope
