// Attributes that atomic operations have in common.
#pragma once

#include "core/ir/op.h"

namespace tilescope {

// Names of AtomicKind and MemoryOrder, by value.
inline constexpr llvm::StringRef AtomicKindNames[] = {"add", "max", "min", "or", "and", "xor"};
inline constexpr llvm::StringRef MemoryOrderNames[] = {"relaxed", "consume", "acquire",
                                                       "release", "acq_rel", "seq_cst"};

inline constexpr AttrInfo AtomicKindAttr = {Attr::Kind, AttrType::Name,
                                            static_cast<int64_t>(AtomicKind::Add), AtomicKindNames};
inline constexpr AttrInfo MemoryOrderAttr = {
    Attr::Order, AttrType::Name, static_cast<int64_t>(MemoryOrder::Relaxed), MemoryOrderNames};

// What comes before it is seen by who acquires; what comes behind sees what was released.
inline bool releasesBefore(MemoryOrder order) { return order >= MemoryOrder::Release; }
inline bool acquiresBehind(MemoryOrder order) {
  return order != MemoryOrder::Relaxed && order != MemoryOrder::Release;
}

inline AtomicKind atomicKindOf(int64_t value) { return static_cast<AtomicKind>(value); }

} // namespace tilescope
