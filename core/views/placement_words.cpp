#include "core/views/placement_words.h"

#include "core/facets/buffers.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

// The first few.
std::string namesText(const std::vector<BufferId> &ids,
                      llvm::function_ref<std::string(BufferId)> nameOf) {
  constexpr size_t Most = 4;
  std::string text;
  for (size_t i = 0; i != std::min(ids.size(), Most); ++i)
    text += (i ? ", " : "") + nameOf(ids[i]);
  return ids.size() > Most ? text + " and " + std::to_string(ids.size() - Most) + " more" : text;
}

} // namespace

std::string placementText(const Placement &placement,
                          llvm::function_ref<std::string(BufferId)> nameOf) {
  if (placement.sizeBytes == 0)
    return "nobody touches it, so it takes no bytes";
  if (placement.reason == PlacementReason::Pinned)
    return "pinned to this offset";
  if (placement.reason == PlacementReason::OnlyBuffer)
    return "nothing else is live with it";
  std::string text = "above " + namesText(placement.below, nameOf);
  if (placement.below.empty())
    text = placement.offsetBytes == 0 ? "at the bottom"
                                      : "nothing that is live with it lies directly below";
  if (placement.reason == PlacementReason::ReusesBytes)
    text += ", reuses bytes of " + namesText(placement.sharesWith, nameOf);
  return text;
}

std::string memoryText(llvm::StringRef scope) {
  bool isOfThread = scope == nameOf(BufferScope::Local) || scope == nameOf(BufferScope::Fragment);
  return isOfThread ? ("registers (" + scope + ")").str() : scope.str() + " memory";
}

std::string unknownText(bool isPreview, const std::vector<std::string> &unknown) {
  if (unknown.empty())
    return "";
  return (isPreview ? "may still change: " : "lives may be shorter than shown: it is not known ") +
         llvm::join(unknown, ", ");
}

} // namespace tilescope
