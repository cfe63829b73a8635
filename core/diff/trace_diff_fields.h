// The differences of two traces as JSON.
#pragma once

#include "core/diff/trace_diff.h"
#include "core/json/archive.h"
#include "core/trace/trace_fields.h"

namespace tilescope {

template <> struct EnumNames<BufferChange> {
  static constexpr const char *Names[] = {
      "new",          "gone",           "resized",         "versions-changed",
      "type-changed", "layout-changed", "moved",           "lifetime-changed",
      "renamed",      "now-shares",     "no-longer-shares"};
};

template <typename Archive> void fields(Archive &archive, BufferState &state) {
  archive.always("name", state.name);
  archive("key", state.key);
  archive("type", state.type);
  archive("scope", state.scope);
  archive("sourceLine", state.sourceLine);
  archive.always("sizeBytes", state.sizeBytes);
  archive.always("offsetBytes", state.offsetBytes);
  archive.always("versions", state.versions);
  archive("live", state.live);
}

template <typename Archive> void fields(Archive &archive, BufferDiff &diff) {
  archive.always("changes", diff.changes);
  archive("nowSharesWith", diff.nowSharesWith);
  archive("noLongerSharesWith", diff.noLongerSharesWith);
  archive.always("before", diff.before);
  archive.always("after", diff.after);
}

template <typename Archive> void fields(Archive &archive, KernelState &state) {
  archive.always("function", state.function);
  archive("preview", state.isPreview);
  archive.always("peakBytes", state.peakBytes);
  archive("capacityBytes", state.capacityBytes);
  archive.always("paddingBytes", state.paddingBytes);
  archive.always("blocksPerSm", state.blocksPerSm);
  fields(archive, state.registers);
}

} // namespace tilescope
