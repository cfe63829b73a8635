// What `find --format json` prints of one of many.
#pragma once

#include "core/find/finder.h"

namespace tilescope {

struct FoundInstance {
  std::string trace = {}; // its file; "": it was compiled
  std::string file = {};  // of the kernel
  std::string instance = {};
  std::string error = {}; // why it was not asked; "": it was
  std::optional<FindResult> found = std::nullopt;
};

template <typename Archive> void fields(Archive &archive, FoundInstance &one) {
  archive("trace", one.trace);
  archive.always("file", one.file);
  archive.always("instance", one.instance);
  archive("error", one.error);
  archive.always("found", one.found);
}

} // namespace tilescope
