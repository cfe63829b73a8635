// Facet `buffers`: the declarations of all buffers.
#pragma once

#include "core/support/buffer_key.h"
#include "core/support/source.h"

#include <optional>

namespace tilescope {

class Module;
struct Target;

struct BufferRecord {
  BufferId id;
  BufferKey key;
  std::string name;
  std::string dtype;
  std::vector<std::string> shape; // expressions as text; constants as digits
  std::string scope;
  int64_t versions = 1;
  std::string layout;                 // "" : not decided
  std::optional<int64_t> sizeBytes;   // all versions; nullopt: symbolic
  std::optional<int64_t> offsetBytes; // in the arena
  BufferId origin;
  Span span;

  friend bool operator==(const BufferRecord &, const BufferRecord &) = default;
};

void computeFacet(const Module &module, const Target &target, std::vector<BufferRecord> &records);

} // namespace tilescope
