// Where shared buffers lie whose size is known at launch, and whether two share bytes:
// `tilescope why TRACE W`, `tilescope why TRACE W U`. See core/plan/launch_regions.h.
#pragma once

#include "core/views/why_facts.h"

namespace tilescope {

struct WhyLaunchBuffer {
  std::string name;
  std::optional<int64_t> region; // nullopt: of constant size, in the plan below all regions
  int64_t versions = 1;
  std::vector<LiveInterval> live;
  std::vector<std::string> sharesWith;
};

struct WhyLaunchView {
  WhyContext context;
  // As of two buffers in the plan: "share", "conflict", "apart"; "" of one buffer.
  std::string relation;
  WhyLaunchBuffer first;
  std::optional<WhyLaunchBuffer> second;
  std::vector<LiveInterval> together; // points at which both are live
};

// Whether a shared buffer of this name or key is sized at launch.
bool isSizedAtLaunch(const PassState &state, llvm::StringRef name);

// `names` are one or two, and at least one is sized at launch. The error says which is no shared
// buffer, or that they are of different kernels.
llvm::Expected<WhyLaunchView> buildWhyLaunch(const PassState &state,
                                             const std::vector<std::string> &names);
void print(const WhyLaunchView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, WhyLaunchBuffer &buffer) {
  archive("name", buffer.name);
  archive.always("region", buffer.region);
  archive("versions", buffer.versions);
  archive.always("live", buffer.live);
  archive("sharesWith", buffer.sharesWith);
}

template <typename Archive> void fields(Archive &archive, WhyLaunchView &view) {
  archive("context", view.context);
  archive("relation", view.relation);
  archive("first", view.first);
  archive("second", view.second);
  archive("together", view.together);
}

} // namespace tilescope
