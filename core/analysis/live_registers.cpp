#include "core/analysis/live_registers.h"

#include "core/ir/visit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr int64_t RegisterBits = 32;

int64_t registersOf(const Buffer &buffer) {
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer);
  bool isSpread = buffer.scope == Scope::Fragment;
  if (!shape || isMemory(buffer.scope) || (isSpread && !buffer.layout))
    return 0;
  int64_t elements = isSpread ? buffer.layout->registerCount() : buffer.versions;
  for (int64_t extent : isSpread ? llvm::ArrayRef<int64_t>() : llvm::ArrayRef<int64_t>(*shape))
    if (__builtin_mul_overflow(elements, extent, &elements))
      return 0;
  int64_t bits = 0;
  return __builtin_mul_overflow(elements, int64_t{buffer.dtype.bits}, &bits)
             ? 0
             : (bits + RegisterBits - 1) / RegisterBits;
}

// Statements in the order of the text, by number.
struct RegisterTouch {
  size_t at = 0;
  bool isRead = false;
};

// Statements [begin, end) are inside.
struct TouchedLoop {
  size_t begin = 0;
  size_t end = 0;
};

class LifeFinder {
public:
  LifeFinder(Context &context, const Function &function) : context_(context) {
    number(function.body);
  }

  std::optional<std::pair<const Stmt *, const Stmt *>> lifeOf(BufferId buffer) const {
    auto found = touches_.find(buffer.value);
    if (found == touches_.end())
      return std::nullopt;
    const std::vector<RegisterTouch> &touches = found->second;
    size_t first = touches.front().at, last = touches.back().at;
    for (const TouchedLoop &loop : loops_) { // inner ones first
      auto inside = [&](const RegisterTouch &touch) {
        return loop.begin <= touch.at && touch.at < loop.end;
      };
      auto begin = llvm::find_if(touches, inside);
      if (begin == touches.end())
        continue;
      bool isBefore = first < loop.begin;
      bool isCarried = begin->isRead;
      if (isBefore || isCarried)
        last = std::max(last, loop.end - 1);
      if (!isBefore && isCarried)
        first = std::min(first, loop.begin);
    }
    while (llvm::isa<Seq>(stmts_[first])) // which has no line
      ++first;
    return std::pair(stmts_[first], stmts_[last]);
  }

private:
  void number(const Stmt *stmt) {
    size_t at = stmts_.size();
    stmts_.push_back(stmt);
    for (const BufferAccess &access : accessesOf(context_, stmt))
      touches_[access.buffer.value].push_back({at, access.effect != Effect::Write});
    forEachChild(stmt, [&](const Stmt *child) { number(child); });
    if (llvm::isa<For>(stmt) && stmts_.size() > at + 1)
      loops_.push_back({at + 1, stmts_.size()});
  }

  Context &context_;
  std::vector<const Stmt *> stmts_;
  std::vector<TouchedLoop> loops_;
  llvm::DenseMap<uint32_t, std::vector<RegisterTouch>> touches_;
};

} // namespace

std::vector<RegisterLife> computeRegisterLives(Context &context, const Function &function) {
  LifeFinder finder(context, function);
  std::vector<RegisterLife> lives;
  for (const Buffer *buffer : function.buffers) {
    int64_t registers = registersOf(*buffer);
    if (registers == 0)
      continue;
    if (auto life = finder.lifeOf(buffer->id))
      lives.push_back({buffer->id, registers, life->first, life->second});
  }
  return lives;
}

} // namespace tilescope
