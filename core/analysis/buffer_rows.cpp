#include "core/analysis/buffer_rows.h"

#include "core/analysis/access_slots.h"
#include "core/analysis/shared_bytes.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr int64_t MostRows = 8;

class RowFinder {
public:
  RowFinder(Context &context, const Function &function, IrAffine &affine)
      : context_(context), affine_(affine) {
    for (const Buffer *buffer : function.buffers) {
      std::optional<int64_t> rows =
          buffer->shape.empty() ? std::nullopt : constantValue(buffer->shape.front());
      bool mayBe = isShared(buffer->scope) && buffer->versions <= 1 && versionBytes(*buffer) &&
                   buffer->dtype.bits >= 8;
      if (mayBe && rows && *rows > 1 && *rows <= MostRows)
        rows_[buffer->id.value] = *rows;
    }
  }

  llvm::DenseMap<uint32_t, int64_t> run(const Stmt *body) {
    if (!rows_.empty())
      visit(body);
    llvm::DenseMap<uint32_t, int64_t> found;
    for (auto [buffer, rows] : rows_)
      if (inTurns_.contains(buffer))
        found[buffer] = rows;
    return found;
  }

private:
  void visit(const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context_, stmt))
      if (auto known = rows_.find(access.buffer.value);
          known != rows_.end() && !isOfRow(access, known->second, isAsynchronous(*stmt)))
        rows_.erase(known);
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (loop)
      loops_.push_back(loop);
    forEachChild(stmt, [&](const Stmt *child) { visit(child); });
    if (loop)
      loops_.pop_back();
  }

  bool isOfRow(const BufferAccess &access, int64_t rows, bool isAsync) {
    if (access.slot || constantValue(access.ranges.front().extent) != 1)
      return false;
    Slot slot = recogniseSlot(affine_, access.ranges.front().min, rows, loops_);
    if (slot.kind == Slot::Kind::Constant) {
      bool isRow = slot.offset >= 0 && slot.offset < rows;
      if (isRow && isAsync)
        inTurns_.insert(access.buffer.value);
      return isRow;
    }
    if (slot.kind != Slot::Kind::Loop || !meetsIn(slot.loop))
      return false;
    inTurns_.insert(access.buffer.value);
    return true;
  }

  bool meetsIn(StmtId id) const {
    const auto *loop = llvm::find_if(loops_, [&](const For *one) { return one->id() == id; });
    bool meets = false;
    walk((*loop)->body, [&](const Stmt *stmt) {
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      meets |= op && (op->opInfo().sync == OpSync::WaitPhase ||
                      (op->opInfo().sync == OpSync::Barrier && scopeOf(*op) == OpScope::Block));
      return !meets;
    });
    return meets;
  }

  Context &context_;
  IrAffine &affine_;
  llvm::DenseMap<uint32_t, int64_t> rows_; // by buffer, as long as nothing speaks against it
  llvm::DenseSet<uint32_t> inTurns_;
  llvm::SmallVector<const For *> loops_; // enclosing, outermost first
};

} // namespace

llvm::DenseMap<uint32_t, int64_t> findRowsByTurns(Context &context, const Function &function,
                                                  IrAffine &affine) {
  return RowFinder(context, function, affine).run(function.body);
}

} // namespace tilescope
