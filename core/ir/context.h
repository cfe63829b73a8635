// Owns every node of one compile and hands out ids.
//
// Nodes are immutable, trivially destructible and live until the context dies, so snapshots share
// subtrees freely and a snapshot is one pointer.
#pragma once

#include "core/support/ids.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"

#include <initializer_list>
#include <map>
#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

namespace tilescope {

// One of the things that a cached value depends on: a node, by its address, or a number.
using CacheKeyPart = std::variant<const void *, uint64_t>;

class Context {
public:
  Context() = default;
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  template <typename T, typename... Args> const T *make(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (arena_.Allocate<T>()) T(std::forward<Args>(args)...);
  }

  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> values) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (values.empty())
      return {};
    T *storage = arena_.Allocate<T>(values.size());
    std::uninitialized_copy(values.begin(), values.end(), storage);
    return {storage, values.size()};
  }
  template <typename T> llvm::ArrayRef<T> copy(std::initializer_list<T> values) {
    return copy(llvm::ArrayRef<T>(values));
  }

  llvm::StringRef intern(llvm::StringRef text) { return strings_.save(text); }
  // A text without zero bytes as a number, for attributes; equal texts of one context have one
  // number, and none has 0.
  int64_t textNumber(llvm::StringRef text) {
    return text.empty() ? 0 : reinterpret_cast<intptr_t>(intern(text).data());
  }

  // Bytes of nodes and texts so far.
  size_t allocatedBytes() const { return arena_.getBytesAllocated(); }

  BufferId nextBufferId() { return BufferId(bufferCount_++); }
  StmtId nextStmtId() { return StmtId(stmtCount_++); }
  VarId nextVarId() { return VarId(varCount_++); }

  // Text with ids was read: later ids must not collide with them.
  void reserve(BufferId id) { bufferCount_ = std::max(bufferCount_, id.value + 1); }
  void reserve(StmtId id) { stmtCount_ = std::max(stmtCount_, id.value + 1); }
  void reserve(VarId id) { varCount_ = std::max(varCount_, id.value + 1); }

  // What `compute` says of immutable nodes, computed once: nodes never change and never die before
  // the context, so nothing is ever invalidated. `key` must name everything that the value depends
  // on. The reference is good for the life of the context.
  template <typename T, typename Compute>
  const T &cached(llvm::ArrayRef<CacheKeyPart> key, Compute compute) {
    std::shared_ptr<const void> &value = cache_[{&CacheTag<T>, key.vec()}];
    // `compute` may add other values meanwhile: references into a map stay good.
    if (!value)
      value = std::make_shared<const T>(compute());
    return *static_cast<const T *>(value.get());
  }

private:
  template <typename T> static inline const char CacheTag = 0;

  std::map<std::pair<const void *, std::vector<CacheKeyPart>>, std::shared_ptr<const void>> cache_;
  llvm::BumpPtrAllocator arena_;
  llvm::UniqueStringSaver strings_{arena_};
  uint32_t bufferCount_ = 0;
  uint32_t stmtCount_ = 0;
  uint32_t varCount_ = 0;
};

// The text that Context::textNumber gave the number for.
inline llvm::StringRef textOfNumber(int64_t number) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the number is a text of the context.
  return number ? llvm::StringRef(reinterpret_cast<const char *>(static_cast<intptr_t>(number)))
                : llvm::StringRef();
}

} // namespace tilescope
