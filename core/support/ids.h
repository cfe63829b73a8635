// Typed ids. An id is an index that cannot be mixed with an index of another kind.
//
// Ids come from counters in `Context` (core/ir/context.h). They are unique within one compile and
// keep their meaning across passes: a buffer that is resized or a statement that is rebuilt keeps
// its id; a clone gets a fresh one.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace tilescope {

template <typename Tag> struct Id {
  static constexpr uint32_t None = std::numeric_limits<uint32_t>::max();

  uint32_t value = None;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t value) : value(value) {}

  constexpr bool isValid() const { return value != None; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

// A logical buffer. All versions of a multi-buffered tile are one buffer.
using BufferId = Id<struct BufferTag>;
// A statement. See `Stmt::anchor` for how statements are matched across lowering.
using StmtId = Id<struct StmtTag>;
// A scalar variable: loop, thread, block, let-bound, or a symbolic dimension.
using VarId = Id<struct VarTag>;
// A source file known to `SourceFiles`.
using FileId = Id<struct FileTag>;

} // namespace tilescope

template <typename Tag> struct std::hash<tilescope::Id<Tag>> {
  size_t operator()(tilescope::Id<Tag> id) const noexcept {
    return std::hash<uint32_t>{}(id.value);
  }
};
