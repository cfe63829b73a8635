#include "core/plan/launch_regions.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool areLiveTogether(const LaunchSizedBuffer &a, const LaunchSizedBuffer &b) {
  return llvm::any_of(a.live, [&](const LiveInterval &left) {
    return llvm::any_of(b.live, [&](const LiveInterval &right) {
      return left.begin < right.end && right.begin < left.end;
    });
  });
}

bool mayShare(const LaunchSizedBuffer &a, const LaunchSizedBuffer &b) {
  return a.versions == 1 && b.versions == 1 && !areLiveTogether(a, b);
}

} // namespace

void planLaunchRegions(std::vector<LaunchSizedBuffer> &buffers) {
  std::vector<std::vector<const LaunchSizedBuffer *>> regions;
  for (LaunchSizedBuffer &buffer : buffers) {
    auto isFree = [&](const std::vector<const LaunchSizedBuffer *> &members) {
      return llvm::all_of(members, [&](const auto *member) { return mayShare(*member, buffer); });
    };
    size_t region = llvm::find_if(regions, isFree) - regions.begin();
    if (region == regions.size())
      regions.emplace_back();
    regions[region].push_back(&buffer);
    buffer.region = static_cast<int64_t>(region);
  }
}

} // namespace tilescope
