// The bytes that a function's buffers take in shared memory.
#pragma once

#include "core/access/buffer_bytes.h"
#include "core/ir/shared_alignment.h"

namespace tilescope {

// From one version of a shared buffer to the next, each aligned. nullopt: symbolic.
std::optional<int64_t> versionStrideBytes(const Buffer &buffer);
// Of BufferBytes: 0 without versions, so that rows that count as slots (`buffer_rows.h`) stand for
// all of the buffer where it is held against others.
int64_t slotStrideBytes(const Buffer &buffer);

// Of static buffers of constant size, which take from the same capacity.
int64_t staticSharedBytes(const Function &function);

// Where the function's buffers lie: those that have a place.
std::vector<BufferBytes> bufferBytesOf(const Function &function);

// What the checkers take instead of unknown bytes: one byte a version, beyond every offset that
// the verifier admits; the same bytes for the buffers of one region.
BufferBytes standInBytes(BufferId buffer, int64_t region);

} // namespace tilescope
