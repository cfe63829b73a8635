#include "viewer/panels/widgets/arena_heading.h"

#include "core/views/capacity_text.h"
#include "core/views/placement_words.h"
#include "viewer/panels/widgets/buffer_pick.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr size_t MostOccupancies = 4;

std::vector<std::string> detailsOf(const ArenaFunction &function) {
  std::vector<std::string> lines{function.function};
  lines.push_back(capacityText(function.peakBytes, function.capacityBytes) + ", " +
                  groupedNumber(function.sumBytes) + " without sharing");
  lines.push_back(function.certificate);
  if (function.occupancy)
    lines.push_back(toText(*function.occupancy));
  if (std::string open = unknownText(function.preview, function.unknown); !open.empty())
    lines.push_back(std::move(open));
  return lines;
}

void showDetailsOf(const ArenaFunction &function, const Picture &picture, const Box &box) {
  if (ImGui::IsWindowHovered() && box.contains(ImGui::GetIO().MousePos))
    showDetails(picture.theme, detailsOf(function));
}

} // namespace

// Of a small arena there are dozens of steps: those next to its height.
std::vector<ByteRule> arenaRules(const ArenaFunction &function) {
  std::vector<ByteRule> rules;
  bool isOver = function.capacityBytes > 0 && function.peakBytes > function.capacityBytes;
  rules.push_back({function.peakBytes, "peak " + kibText(function.peakBytes),
                   "most that is used: " + groupedNumber(function.peakBytes) + " bytes",
                   isOver ? Meaning::Bad : Meaning::HighWater, true});
  if (function.capacityBytes > 0)
    rules.push_back({function.capacityBytes, "capacity " + kibText(function.capacityBytes),
                     "a block may use " + groupedNumber(function.capacityBytes) + " bytes",
                     Meaning::Capacity, true});
  std::vector<OccupancyStep> steps = function.steps;
  auto distance = [&](const OccupancyStep &step) {
    return std::abs(step.dynamicBytes - function.peakBytes);
  };
  llvm::stable_sort(steps, [&](const OccupancyStep &a, const OccupancyStep &b) {
    return distance(a) < distance(b);
  });
  for (const OccupancyStep &step : llvm::ArrayRef(steps).take_front(MostOccupancies))
    if (step.dynamicBytes != function.capacityBytes) {
      std::string blocks =
          llvm::formatv("{0} block{1}/SM", step.blocks, step.blocks == 1 ? "" : "s");
      rules.push_back({step.dynamicBytes, blocks,
                       blocks + " up to " + groupedNumber(step.dynamicBytes) + " bytes",
                       Meaning::Occupancy, false});
    }
  return rules;
}

std::vector<std::string> arenaHeadline(const ArenaFunction &function, const Picture &picture,
                                       llvm::StringRef caption, float width) {
  std::string text = headlineOf(function);
  if (!caption.empty()) // one of two: what they are of is said above them
    text = (caption + kibText(function.peakBytes)).str();
  return linesOfHeadline(text, width - picture.character);
}

void drawArenaHeadline(const ArenaFunction &function, const Picture &picture, const Box &box,
                       llvm::StringRef caption) {
  const Picture &p = picture;
  bool isOver = function.capacityBytes > 0 && function.peakBytes > function.capacityBytes;
  Box lines = box;
  lines.min.x += p.character / 2;
  p.lines(lines, arenaHeadline(function, p, caption, box.width()),
          p.color(isOver ? Meaning::Bad : Meaning::Quiet));
  showDetailsOf(function, p, box);
}

void drawArenaHeading(const ArenaFunction &function, const Picture &picture, const Box &box) {
  const Picture &p = picture;
  p.fill(box, p.color(Meaning::Background));
  Box text = box;
  text.min.x += p.character / 2;
  p.listing(text, function.function + ": " + kibText(function.peakBytes), p.color(Meaning::Quiet));
  showDetailsOf(function, p, text);
}

} // namespace tilescope
