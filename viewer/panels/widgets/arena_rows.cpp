// The rows of an arena_plot.h: headline, heading and program points.
#include "viewer/panels/widgets/arena_plot.h"

#include "core/views/capacity_text.h"
#include "core/views/placement_words.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

std::vector<std::string> ArenaPlot::headline(llvm::StringRef caption, float width) const {
  std::string text = headlineOf(function_);
  if (!caption.empty()) // one of two: what they are of is said above them
    text = (caption + kibText(function_.peakBytes)).str();
  return linesOfHeadline(text, width - picture_.character);
}

void ArenaPlot::drawHeadline(const Box &box, llvm::StringRef caption) const {
  const Picture &p = picture_;
  bool isOver = function_.capacityBytes > 0 && function_.peakBytes > function_.capacityBytes;
  Box lines = box;
  lines.min.x += p.character / 2;
  p.lines(lines, headline(caption, box.width()), p.color(isOver ? Meaning::Bad : Meaning::Quiet));
  if (ImGui::IsWindowHovered() && box.contains(ImGui::GetIO().MousePos))
    showDetails(p.theme, headingDetails());
}

void ArenaPlot::drawHeading(const Box &area) const {
  if (!hasHeading_)
    return;
  const Picture &p = picture_;
  Box heading{ImVec2(area.min.x, zoom_.pixelY(first_)),
              ImVec2(area.max.x, zoom_.pixelY(pointRow()))};
  heading.max.y = std::max(heading.max.y, heading.min.y + p.line);
  p.fill(heading, p.color(Meaning::Background));
  heading.min.x += p.character / 2;
  p.listing(heading, function_.function + ": " + kibText(function_.peakBytes),
            p.color(Meaning::Quiet));
  if (ImGui::IsWindowHovered() && heading.contains(ImGui::GetIO().MousePos))
    showDetails(p.theme, headingDetails());
}

std::vector<std::string> ArenaPlot::headingDetails() const {
  std::vector<std::string> lines{function_.function};
  lines.push_back(capacityText(function_.peakBytes, function_.capacityBytes) + ", " +
                  groupedNumber(function_.sumBytes) + " without sharing");
  lines.push_back(function_.certificate);
  if (function_.occupancy)
    lines.push_back(toText(*function_.occupancy));
  if (std::string open = unknownText(function_.preview, function_.unknown); !open.empty())
    lines.push_back(std::move(open));
  return lines;
}

void ArenaPlot::drawRows(const Box &gutterBox, const Box &plot, const ShownPick &shown) const {
  const Picture &p = picture_;
  gutter().draw(gutterBox, shown.stmt(), plot.max.x);
  // Where most is live.
  if (function_.pointCount > 0) {
    float y = zoom_.pixelY(pointRow() + function_.peakPoint);
    float bottom = std::max(zoom_.pixelY(pointRow() + function_.peakPoint + 1), y + 2 * p.scale);
    p.fill({ImVec2(plot.min.x - 3 * p.scale, y), ImVec2(plot.min.x, bottom)},
           p.color(Meaning::HighWater));
  }
}

} // namespace tilescope
