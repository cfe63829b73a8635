// What is selected: one value that drives every view.
#pragma once

#include "core/facets/buffers.h"
#include "core/support/ids.h"

#include <optional>

namespace tilescope {

struct Selection {
  size_t pass = 0; // index into Trace::passes
  std::optional<BufferKey> buffer;
  StmtId stmt;
  uint32_t line = 0;     // of the view that set it, from 1; 0: none
  uint64_t revision = 0; // changes with every selection
};

} // namespace tilescope
