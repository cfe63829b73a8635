// Runs a tile-level function on values that say where they come from, asynchronous copies included.
//
// A buffer has one cell a slot. What a statement writes is a hash of what it reads, of where, and
// of what it is; so two programs agree if each statement reads the same values in the same order.
// An asynchronous copy arrives at the wait that covers its group; touching its cell before is a
// fault.
#pragma once

#include "core/ir/visit.h"

#include "llvm/ADT/Hashing.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilescope {

class PipelineInterpreter {
public:
  // `scalars`: values of the scalar parameters, by name.
  PipelineInterpreter(const Function &function, std::map<std::string, int64_t> scalars)
      : function_(function) {
    for (const Param &param : function.params)
      if (param.var)
        env_[param.var] = scalars.at(param.var->name.str());
  }

  void run() {
    execute(function_.body);
    if (!inFlight_.empty())
      fault("copies are in flight at the end");
  }

  // What each statement read, in order, by the statement it stands for in the original program.
  std::map<StmtId, std::vector<uint64_t>> reads;
  std::string firstFault;
  // Commit groups that held a copy, and copies that were in flight at some wait: for coverage.
  int64_t asyncCopies = 0;

  uint64_t valueOf(BufferId buffer) { return cell({buffer, 0}); }

private:
  using Place = std::pair<BufferId, int64_t>;
  struct Pending {
    int64_t group;
    Place place;
    uint64_t value;
  };

  void fault(const std::string &text) {
    if (firstFault.empty())
      firstFault = text;
  }

  int64_t evaluate(const Expr *expr) {
    if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
      return imm->value;
    if (const auto *var = llvm::dyn_cast<Var>(expr)) {
      auto found = env_.find(var);
      if (found == env_.end())
        fault("variable " + var->name.str() + " is not bound");
      return found == env_.end() ? 0 : found->second;
    }
    if (const auto *cast = llvm::dyn_cast<Cast>(expr))
      return evaluate(cast->operand);
    if (const auto *select = llvm::dyn_cast<Select>(expr))
      return evaluate(evaluate(select->condition) ? select->whenTrue : select->whenFalse);
    if (const auto *load = llvm::dyn_cast<Load>(expr))
      return static_cast<int64_t>(loadValue(load) % 4);
    if (llvm::isa<FloatImm>(expr))
      return 0;
    const auto *binary = llvm::cast<Binary>(expr);
    return apply(binary->op, evaluate(binary->lhs), evaluate(binary->rhs));
  }

  int64_t apply(BinaryOp op, int64_t a, int64_t b) {
    bool divides = op == BinaryOp::FloorDiv || op == BinaryOp::FloorMod;
    if (divides && b == 0) {
      ADD_FAILURE() << "division by zero";
      return 0;
    }
    switch (op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Sub:
      return a - b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::FloorDiv:
      return (a - ((a % b) + b) % b) / b;
    case BinaryOp::FloorMod:
      return ((a % b) + b) % b;
    case BinaryOp::Less:
      return a < b;
    case BinaryOp::Equal:
      return a == b;
    case BinaryOp::And:
      return a && b;
    default:
      fault("unknown operator");
      return 0;
    }
  }

  uint64_t &cell(Place place) {
    auto [found, isNew] = cells_.try_emplace(place, 0);
    if (isNew)
      found->second = llvm::hash_combine(place.first.value, 7);
    return found->second;
  }

  int64_t slotOf(const Buffer &buffer, const Expr *slot) {
    if ((buffer.versions > 1) != (slot != nullptr))
      fault("a slot is missing or superfluous for " + buffer.name.str());
    int64_t value = slot ? evaluate(slot) : 0;
    if (value < 0 || value >= buffer.versions)
      fault("slot out of range for " + buffer.name.str());
    return value;
  }

  void touch(Place place) {
    for (const Pending &pending : inFlight_)
      if (pending.place == place)
        fault(function_.buffer(place.first).name.str() + " is touched before it arrived");
  }

  uint64_t loadValue(const Load *load) {
    Place place{load->buffer, slotOf(function_.buffer(load->buffer), load->slot)};
    touch(place);
    uint64_t value = cell(place);
    for (const Expr *index : load->indices)
      value = llvm::hash_combine(value, evaluate(index));
    return value;
  }

  uint64_t hashOf(llvm::ArrayRef<Range> ranges) {
    uint64_t hash = 0;
    for (const Range &range : ranges)
      hash = llvm::hash_combine(hash, evaluate(range.min), evaluate(range.extent));
    return hash;
  }

  bool isWhole(const Buffer &buffer, llvm::ArrayRef<Range> ranges) {
    for (auto [range, shape] : llvm::zip_equal(ranges, buffer.shape))
      if (evaluate(range.min) != 0 || evaluate(range.extent) != evaluate(shape))
        return false;
    return true;
  }

  StmtId originalOf(const Stmt *stmt) const {
    return stmt->origin().isValid() ? stmt->origin() : stmt->id();
  }

  void executeOp(const OpStmt *op) {
    uint64_t value = llvm::hash_combine(static_cast<int>(op->op));
    for (auto [region, operand] : llvm::zip(op->regions, op->opInfo().operands)) {
      const Buffer &buffer = function_.buffer(region.buffer);
      Place place{region.buffer, slotOf(buffer, region.slot)};
      touch(place);
      value = llvm::hash_combine(value, hashOf(region.ranges));
      if (operand.effect != Effect::Write)
        value = llvm::hash_combine(value, cell(place));
    }
    for (const Expr *arg : op->args)
      value = llvm::hash_combine(value, arg ? evaluate(arg) : -1);
    reads[originalOf(op)].push_back(value);
    for (auto [region, operand] : llvm::zip(op->regions, op->opInfo().operands))
      if (operand.effect != Effect::Read)
        write(op, region, value);
  }

  void write(const OpStmt *op, const BufferRegion &region, uint64_t value) {
    const Buffer &buffer = function_.buffer(region.buffer);
    Place place{region.buffer, slotOf(buffer, region.slot)};
    if (!isWhole(buffer, region.ranges))
      value = llvm::hash_combine(cell(place), value);
    if (op->op == Op::Copy && op->attr(Attr::Async)) {
      inFlight_.push_back({committed_, place, value});
      ++asyncCopies;
    } else {
      cell(place) = value;
    }
  }

  void wait(int64_t pending) {
    auto arrived = [&](const Pending &copy) { return copy.group < committed_ - pending; };
    for (const Pending &copy : inFlight_)
      if (arrived(copy))
        cell(copy.place) = copy.value;
    llvm::erase_if(inFlight_, arrived);
  }

  void execute(const Stmt *stmt) {
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt)) {
      for (const Stmt *child : seq->stmts)
        execute(child);
    } else if (const auto *loop = llvm::dyn_cast<For>(stmt)) {
      int64_t min = evaluate(loop->min);
      int64_t extent = evaluate(loop->extent);
      for (int64_t i = 0; i < extent; ++i) {
        env_[loop->var] = min + i;
        execute(loop->body);
      }
      env_.erase(loop->var);
    } else if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
      if (evaluate(branch->condition))
        execute(branch->thenBody);
      else if (branch->elseBody)
        execute(branch->elseBody);
    } else if (const auto *bind = llvm::dyn_cast<Bind>(stmt)) {
      env_[bind->var] = evaluate(bind->value);
    } else if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
      for (const Var *var : launch->blockVars)
        env_[var] = 1;
      env_[launch->threadVar] = 0;
      execute(launch->body);
    } else {
      executeLeaf(llvm::cast<OpStmt>(stmt));
    }
  }

  void executeLeaf(const OpStmt *op) {
    if (op->op == Op::CommitGroup)
      ++committed_;
    else if (op->op == Op::WaitGroup)
      wait(op->attr(Attr::Pending));
    else
      executeOp(op);
  }

  const Function &function_;
  std::map<const Var *, int64_t> env_;
  std::map<Place, uint64_t> cells_;
  std::vector<Pending> inFlight_;
  int64_t committed_ = 0; // groups closed so far; the open one has this number
};

} // namespace tilescope
