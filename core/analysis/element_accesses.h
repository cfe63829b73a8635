// The accesses of a walk over sets of elements: writes are noted, reads are judged.
#pragma once

#include "core/analysis/guarded_writes.h"
#include "core/analysis/role_writes.h"
#include "core/analysis/uninitialised_elements.h"
#include "core/analysis/written_elements.h"

namespace tilescope {

// Where the walk is.
struct AccessPlace {
  const Parallel *nest = nullptr;
  const Role *role = nullptr;
  const For *unsureLoop = nullptr; // a statement's first run may be in any iteration of it
  bool isLaterIteration = false;   // no run is the first
  int unknownConditions = 0;       // around it, on which lanes may disagree
  // What other lanes run meanwhile: the other sides of conditions around it, which may be null.
  llvm::SmallVector<const Stmt *> beside;
};

class ElementAccesses {
public:
  // `place` is kept up to date by the walk.
  ElementAccesses(PathFacts &facts, WrittenElements &written, LaneFrame &frame,
                  GuardedWrites &guarded, AccessPlace &place)
      : facts_(facts), written_(written), frame_(frame), guarded_(guarded), place_(place) {}

  // What the statement itself does, not its children: reads, each under the conditions on which it
  // is evaluated, then writes.
  void visit(const Stmt *stmt);
  // Each lane at hand does.
  void write(BufferId id, llvm::ArrayRef<Range> ranges);

  // A place in the order of findings, for what is asked or done about the doubts behind it.
  size_t mark() const { return found_.size(); }
  bool hasDoubtSince(size_t mark) const;
  void dropDoubts(size_t mark);
  std::vector<UninitialisedElement> takeFound() { return std::move(found_); }

private:
  void visitLoads(const Expr *expr);
  void visitOldValue(const OpStmt &op, const BufferRegion &region, const OperandInfo &operand);
  void readAsFarAsWritten(const OpStmt &op, const BufferRegion &region);
  llvm::SmallVector<Range> cut(llvm::ArrayRef<Range> from, const Buffer &to,
                               llvm::ArrayRef<Range> wanted);
  void visitUnder(WriteGuard guard, llvm::function_ref<void()> action);
  void writeSome(BufferId id, llvm::ArrayRef<Range> ranges);
  void read(BufferId id, llvm::ArrayRef<Range> ranges);
  bool canBeCertain(size_t index, llvm::ArrayRef<Range> ranges) const;
  bool isWrittenByRoles(size_t index);
  bool isWrittenElsewhere(size_t index, llvm::ArrayRef<Range> ranges) const;
  void report(BufferId id, bool isCertain, llvm::SmallVector<int64_t> element);
  llvm::SmallVector<Range> rangesOf(ExprList indices);

  PathFacts &facts_;
  WrittenElements &written_;
  LaneFrame &frame_;
  GuardedWrites &guarded_;
  AccessPlace &place_;
  const Stmt *stmt_ = nullptr; // at hand
  std::optional<RoleWrites> roleWrites_;
  std::vector<UninitialisedElement> found_;
};

} // namespace tilescope
