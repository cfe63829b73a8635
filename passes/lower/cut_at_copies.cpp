// A parallel loop whose iterations run on several threads each: what it does to memory the first of
// them does, what it does to fragments all do. Where they read what the first has written in the
// same loop, or before it has, the loop is cut in two, and a barrier has a place.
//
//     for i in T.Parallel(48):             48 iterations, each on 4 of 192 threads
//       X[i] = i                           one of them
//       f[i] = X[i]                        all
//   becomes
//     for i in T.Parallel(48):
//       X[i] = i
//     for i in T.Parallel(48):
//       f[i] = X[i]
//
// Iterations depend on themselves alone, so each may wait for the others between two statements.
#include "passes/lower/parallel.h"

#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilescope {

namespace {

// What one statement of the body does, with those inside of it.
struct BodyStmt {
  const Stmt *stmt = nullptr;
  llvm::SmallVector<BufferAccess> ofFirst; // to memory, in statements that write some
  llvm::SmallVector<BufferAccess> ofAll;
};

class LoopCutter {
public:
  LoopCutter(LowerContext &lower, const Parallel &loop) : lower_(lower), loop_(loop) {}

  const Stmt *run() {
    collect();
    if (std::optional<BufferId> result = resultOfFirst())
      return lower_.fail(*result, "several threads run each iteration, and all need what an "
                                  "operation gives to the one that does it");
    for (const BodyStmt &one : body_)
      if (std::optional<BufferId> buffer = conflict(one, one))
        return refuse(*buffer, "in one statement");
    if (!cut())
      return nullptr;
    if (parts_.size() == 1)
      return &loop_;
    return keepsValues() ? makeLoops() : nullptr;
  }

private:
  void collect() {
    StmtList stmts(loop_.body);
    if (const auto *seq = llvm::dyn_cast<Seq>(loop_.body))
      stmts = seq->stmts;
    for (const Stmt *stmt : stmts) {
      BodyStmt one{stmt, {}, {}};
      walk(stmt, [&](const Stmt *inside) {
        llvm::SmallVector<BufferAccess> accesses = accessesOf(lower_.context(), inside);
        bool isOfFirst = llvm::any_of(accesses, [&](const BufferAccess &access) {
          return access.effect != Effect::Read && isMemory(lower_.buffer(access.buffer).scope);
        });
        llvm::append_range(isOfFirst ? one.ofFirst : one.ofAll, accesses);
        return true;
      });
      body_.push_back(std::move(one));
    }
  }

  // Registers that the first copy writes on its way, and all read.
  std::optional<BufferId> resultOfFirst() const {
    for (const BodyStmt &one : body_)
      for (const BufferAccess &write : one.ofFirst)
        if (write.effect != Effect::Read && !isMemory(lower_.buffer(write.buffer).scope) &&
            llvm::any_of(body_, [&](const BodyStmt &other) {
              return llvm::any_of(other.ofAll, [&](const BufferAccess &access) {
                return access.buffer == write.buffer && access.effect != Effect::Write;
              });
            }))
          return write.buffer;
    return std::nullopt;
  }

  // A buffer that the first copy writes in one statement and all read in the other.
  std::optional<BufferId> conflict(const BodyStmt &a, const BodyStmt &b) const {
    for (const BodyStmt *writer : {&a, &b})
      for (const BufferAccess &write : writer->ofFirst)
        for (const BufferAccess &read : (writer == &a ? b : a).ofAll)
          if (write.effect != Effect::Read && write.buffer == read.buffer && !areApart(write, read))
            return write.buffer;
    return std::nullopt;
  }

  static bool areApart(const BufferAccess &a, const BufferAccess &b) {
    return llvm::any_of(llvm::zip_equal(a.ranges, b.ranges), [](auto ranges) {
      auto &[one, other] = ranges;
      std::optional<int64_t> first = constantValue(one.min);
      std::optional<int64_t> second = constantValue(other.min);
      bool areElements = constantValue(one.extent) == 1 && constantValue(other.extent) == 1;
      return areElements && first && second && *first != *second;
    });
  }

  // As late as possible. What is bound stands in every part that uses it.
  bool cut() {
    parts_.emplace_back();
    for (const BodyStmt &one : body_) {
      bool conflicts = llvm::any_of(parts_.back(), [&](const BodyStmt *before) {
        return conflict(*before, one).has_value();
      });
      if (conflicts && !startPart())
        return false;
      parts_.back().push_back(&one);
    }
    return true;
  }

  bool startPart() {
    llvm::SmallVector<const BodyStmt *> names;
    for (const BodyStmt *before : parts_.back())
      if (llvm::isa<Bind>(before->stmt))
        names.push_back(before);
    for (const BodyStmt *name : names)
      for (const BufferAccess &read : name->ofAll)
        if (isWritten(read.buffer)) {
          refuse(read.buffer, "by a name that is used later");
          return false;
        }
    parts_.push_back(std::move(names));
    return true;
  }

  bool isWritten(BufferId buffer) const {
    auto writes = [&](const BufferAccess &access) {
      return access.buffer == buffer && access.effect != Effect::Read;
    };
    return llvm::any_of(body_, [&](const BodyStmt &one) {
      return llvm::any_of(one.ofFirst, writes) || llvm::any_of(one.ofAll, writes);
    });
  }

  // Registers that one part writes and another one touches are those of the same iteration: of a
  // fragment, at the element that is the iteration's own.
  bool keepsValues() {
    for (const auto &[number, part] : llvm::enumerate(parts_))
      for (const BodyStmt *one : part)
        for (const BufferAccess &write : one->ofAll)
          if (write.effect != Effect::Read && !isOfIteration(write.buffer) &&
              isTouchedBeside(number, write.buffer)) {
            refuse(write.buffer, "and a value in registers is to last beyond");
            return false;
          }
    return true;
  }

  bool isTouchedBeside(size_t part, BufferId buffer) const {
    auto touches = [&](const BodyStmt *one) {
      return llvm::any_of(llvm::concat<const BufferAccess>(one->ofFirst, one->ofAll),
                          [&](const BufferAccess &access) { return access.buffer == buffer; });
    };
    for (const auto &[number, other] : llvm::enumerate(parts_))
      if (number != part && llvm::any_of(other, touches))
        return true;
    return false;
  }

  std::vector<const BufferAccess *> accessesTo(BufferId buffer) const {
    std::vector<const BufferAccess *> found;
    for (const BodyStmt &one : body_)
      for (const BufferAccess &access : llvm::concat<const BufferAccess>(one.ofFirst, one.ofAll))
        if (access.buffer == buffer)
          found.push_back(&access);
    return found;
  }

  // All accesses are to one element, which no other iteration touches.
  bool isOfIteration(BufferId buffer) const {
    if (lower_.buffer(buffer).scope != Scope::Fragment)
      return false;
    std::vector<const BufferAccess *> accesses = accessesTo(buffer);
    const BufferAccess *first = accesses.front();
    if (!llvm::all_of(accesses,
                      [&](const auto *access) { return haveSameIndices(*first, *access); }))
      return false;
    return llvm::all_of(llvm::zip_equal(loop_.vars, loop_.extents), [&](auto axis) {
      const Var *var = std::get<0>(axis);
      return constantValue(std::get<1>(axis)) == 1 ||
             llvm::any_of(first->ranges, [&](const Range &range) { return range.min == var; });
    });
  }

  static bool haveSameIndices(const BufferAccess &a, const BufferAccess &b) {
    return llvm::all_of(llvm::zip_equal(a.ranges, b.ranges), [](auto ranges) {
      auto &[one, other] = ranges;
      return isSameExpr(one.min, other.min) && isSameExpr(one.extent, other.extent);
    });
  }

  const Stmt *makeLoops() {
    Builder &builder = lower_.builder();
    llvm::SmallVector<const Stmt *> loops;
    for (const auto &part : parts_) {
      llvm::SmallVector<const Stmt *> stmts;
      for (const BodyStmt *one : part)
        stmts.push_back(one->stmt);
      const Stmt *loop = lower_.context().make<Parallel>(
          loop_.info(), loop_.vars, loop_.extents, builder.seq(builder.cloned(*loop_.body), stmts),
          loop_.coalescedWidth, loop_.layout, false);
      // Each has its own variables.
      loops.push_back(cloneStmt(lower_.context(), loop));
    }
    return builder.seq(builder.cloned(loop_), loops);
  }

  const Stmt *refuse(BufferId buffer, llvm::StringRef where) {
    std::string reason = ("several threads run each iteration; the first of them writes it and all "
                          "read it, " +
                          where +
                          ": two loops, one that writes and one that reads, have a place "
                          "for the barrier between")
                             .str();
    return lower_.fail(buffer, reason);
  }

  LowerContext &lower_;
  const Parallel &loop_;
  std::vector<BodyStmt> body_;
  std::vector<llvm::SmallVector<const BodyStmt *>> parts_;
};

} // namespace

const Stmt *cutAtCopies(LowerContext &lower, const Parallel &loop) {
  if (!loop.layout || loop.layout->replicas.empty())
    return &loop;
  return LoopCutter(lower, loop).run();
}

} // namespace tilescope
