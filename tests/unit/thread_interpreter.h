// Runs lowered code of single threads on integers: bindings, loops, conditions, stores and vector
// copies. The threads of a team take each statement together: all read, then all write. So one
// thread at a time is a team of one, and all threads in step are a team of all.
//
// Every buffer starts with values of its own, registers too, and an access outside is a fault.
#pragma once

#include "core/ir/visit.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope {

class ThreadInterpreter {
public:
  using Team = std::vector<int64_t>;

  ThreadInterpreter(const Function &function, unsigned seed) : function_(function), seed_(seed) {}

  void run(const Team &team) {
    for (int64_t thread : team)
      env_[thread].clear();
    execute(function_.body, team);
  }

  std::string firstFault;
  int64_t vectorCopies = 0;

  // Contents of the buffers of a program, registers by thread.
  std::map<std::string, std::vector<int32_t>> memoryOf(const Function &program, int64_t threads) {
    std::map<std::string, std::vector<int32_t>> found;
    for (const Buffer *buffer : program.buffers)
      for (int64_t thread = 0; thread < threads; ++thread)
        found[buffer->name.str() + " of " + std::to_string(thread)] =
            elementsOf(buffer->id, thread);
    return found;
  }

private:
  // A buffer of one thread, or of all (thread -1).
  using Place = std::pair<BufferId, int64_t>;
  struct Write {
    int32_t *element;
    int32_t value;
  };

  void fault(const std::string &text) {
    if (firstFault.empty())
      firstFault = text;
  }

  std::vector<int32_t> &elementsOf(BufferId id, int64_t thread) {
    const Buffer &buffer = function_.buffer(id);
    bool isOwn = buffer.scope == Scope::Local || buffer.scope == Scope::LocalVar;
    Place place{id, isOwn ? thread : -1};
    auto [found, isNew] = memory_.try_emplace(place);
    if (isNew) {
      int64_t count = buffer.versions;
      for (const Expr *extent : buffer.shape)
        count *= *constantValue(extent);
      for (int64_t element = 0; element < count; ++element)
        found->second.push_back(static_cast<int32_t>(
            static_cast<size_t>(llvm::hash_combine(id.value, place.second, element, seed_)) % 64));
    }
    return found->second;
  }

  // The element `step` after the one with these indices; null: outside.
  int32_t *element(BufferId id, const Expr *slot, llvm::ArrayRef<int64_t> indices, int64_t thread,
                   int64_t step = 0) {
    const Buffer &buffer = function_.buffer(id);
    int64_t number = slot ? evaluate(slot, thread) : 0;
    bool isInside = number >= 0 && number < buffer.versions;
    for (auto [dim, extent] : llvm::enumerate(buffer.shape)) {
      int64_t index = indices[dim] + (dim + 1 == indices.size() ? step : 0);
      isInside &= index >= 0 && index < *constantValue(extent);
      number = number * *constantValue(extent) + index;
    }
    if (!isInside) {
      fault("an access outside of " + buffer.name.str());
      return nullptr;
    }
    return &elementsOf(id, thread)[number];
  }

  std::vector<int64_t> evaluateAll(ExprList exprs, int64_t thread) {
    std::vector<int64_t> values;
    for (const Expr *expr : exprs)
      values.push_back(evaluate(expr, thread));
    return values;
  }

  int64_t evaluate(const Expr *expr, int64_t thread) {
    if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
      return imm->value;
    if (const auto *var = llvm::dyn_cast<Var>(expr)) {
      auto found = env_[thread].find(var);
      if (found == env_[thread].end())
        fault("variable " + var->name.str() + " is not bound");
      return found == env_[thread].end() ? 0 : found->second;
    }
    if (const auto *select = llvm::dyn_cast<Select>(expr))
      return evaluate(evaluate(select->condition, thread) ? select->whenTrue : select->whenFalse,
                      thread);
    if (const auto *load = llvm::dyn_cast<Load>(expr)) {
      int32_t *from = element(load->buffer, load->slot, evaluateAll(load->indices, thread), thread);
      return from ? *from : 0;
    }
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (!binary) {
      fault("unknown expression");
      return 0;
    }
    int64_t lhs = evaluate(binary->lhs, thread);
    if (binary->op == BinaryOp::And && !lhs)
      return 0;
    return apply(binary->op, lhs, evaluate(binary->rhs, thread));
  }

  int64_t apply(BinaryOp op, int64_t a, int64_t b) {
    int64_t rest = b ? ((a % b) + b) % b : 0;
    switch (op) {
    case BinaryOp::Add:
      return static_cast<int32_t>(a + b);
    case BinaryOp::Sub:
      return static_cast<int32_t>(a - b);
    case BinaryOp::Mul:
      return static_cast<int32_t>(a * b);
    case BinaryOp::FloorDiv:
      return b ? (a - rest) / b : 0;
    case BinaryOp::FloorMod:
      return rest;
    case BinaryOp::And:
      return a && b;
    case BinaryOp::Less:
      return a < b;
    case BinaryOp::Greater:
      return a > b;
    case BinaryOp::Equal:
      return a == b;
    default:
      fault("unknown operator " + spellingOf(op).str());
      return 0;
    }
  }

  void execute(const Stmt *stmt, const Team &team) {
    if (team.empty())
      return;
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt)) {
      for (const Stmt *child : seq->stmts)
        execute(child, team);
    } else if (const auto *loop = llvm::dyn_cast<For>(stmt)) {
      for (int64_t i = 0; i < *constantValue(loop->extent); ++i) {
        for (int64_t thread : team)
          env_[thread][loop->var] = *constantValue(loop->min) + i;
        execute(loop->body, team);
      }
    } else if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
      Team taken, other;
      for (int64_t thread : team)
        (evaluate(branch->condition, thread) ? taken : other).push_back(thread);
      execute(branch->thenBody, taken);
      if (branch->elseBody)
        execute(branch->elseBody, other);
    } else if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
      for (int64_t thread : team) {
        for (const Var *var : launch->blockVars)
          env_[thread][var] = 0;
        env_[thread][launch->threadVar] = thread;
      }
      execute(launch->body, team);
    } else {
      executeLeaf(stmt, team);
    }
  }

  void executeLeaf(const Stmt *stmt, const Team &team) {
    std::vector<Write> writes;
    for (int64_t thread : team) {
      if (const auto *bind = llvm::dyn_cast<Bind>(stmt)) {
        env_[thread][bind->var] = evaluate(bind->value, thread);
      } else if (const auto *store = llvm::dyn_cast<Store>(stmt)) {
        auto value = static_cast<int32_t>(evaluate(store->value, thread));
        writes.push_back(
            {element(store->buffer, store->slot, evaluateAll(store->indices, thread), thread),
             value});
      } else {
        copyVector(*llvm::cast<OpStmt>(stmt), thread, writes);
      }
    }
    for (const Write &write : writes)
      if (write.element)
        *write.element = write.value;
  }

  void copyVector(const OpStmt &op, int64_t thread, std::vector<Write> &writes) {
    if (op.op != Op::VectorCopy)
      return fault("unknown operation");
    ++vectorCopies;
    const BufferRegion &from = op.regions[0];
    const BufferRegion &to = op.regions[1];
    bool isMoved = !op.args[0] || evaluate(op.args[0], thread);
    if (!isMoved && function_.buffer(to.buffer).scope == Scope::Global)
      return;
    std::vector<int64_t> source = startOf(from, thread);
    std::vector<int64_t> target = startOf(to, thread);
    int64_t count = op.attr(Attr::Bytes) / 4;
    if (target.back() % count != 0 || (isMoved && source.back() % count != 0))
      fault("a vector copy that is not aligned");
    for (int64_t step = 0; step < count; ++step) {
      int32_t *loaded = isMoved ? element(from.buffer, from.slot, source, thread, step) : nullptr;
      writes.push_back({element(to.buffer, to.slot, target, thread, step), loaded ? *loaded : 0});
    }
  }

  std::vector<int64_t> startOf(const BufferRegion &region, int64_t thread) {
    std::vector<int64_t> start;
    for (const Range &range : region.ranges)
      start.push_back(evaluate(range.min, thread));
    return start;
  }

  const Function &function_;
  unsigned seed_;
  std::map<int64_t, std::map<const Var *, int64_t>> env_; // by thread
  std::map<Place, std::vector<int32_t>> memory_;
};

} // namespace tilescope
