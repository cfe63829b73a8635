// Which buffer of one snapshot is which buffer of another, of two compiles.
//
// First by key: function, source name, ordinal and role; then by key without the function, whose
// name changes when host and device are split. What is left over is paired by scope, dtype, shape,
// role and accesses, and was renamed:
//
//   before: A_shared  B_shared  C_shared          left over: B_shared, C_shared
//   after:  A_shared  right     C_local           left over: right (read and written like B_shared)
//
// Shared buffers of one key each may have exchanged names: where each is of the type and the use of
// the next, in a ring of two or more, and no other is, they are paired by that. Those of one type
// must be declared in each other's place, too: where the declarations stay as they were, it is the
// uses that were exchanged.
//
// A buffer whose accesses the trace does not know (a parameter, a fragment) is paired by the rest
// only where both sides have equally many that are alike.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

enum class MatchedBy : uint8_t { Nothing, Key, Traits };

// Indices into TraceSnapshot::buffers of the two sides.
struct BufferPair {
  std::optional<size_t> before; // nullopt: it is new
  std::optional<size_t> after;  // nullopt: it is gone
  MatchedBy matchedBy = MatchedBy::Nothing;

  friend bool operator==(const BufferPair &, const BufferPair &) = default;
};

// Every buffer of both sides once: in the order of `after`, then those that are gone in the order
// of `before`.
std::vector<BufferPair> matchBuffers(const TraceSnapshot &before, const TraceSnapshot &after);

} // namespace tilescope
