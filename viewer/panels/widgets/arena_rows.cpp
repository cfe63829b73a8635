// The rows of an arena_plot.h: heading, program points, and what lies outside of the plan.
#include "viewer/panels/widgets/arena_plot.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

// ----------------------------------------------------------------------------------------

void ArenaPlot::drawHeading(const Box &gutterBox, const Box &plot) const {
  const Picture &p = picture_;
  Box heading{ImVec2(gutterBox.min.x, zoom_.pixelY(first_)),
              ImVec2(plot.max.x, zoom_.pixelY(pointRow()))};
  heading.max.y = std::max(heading.max.y, heading.min.y + p.line);
  bool isOver = function_.capacityBytes > 0 && function_.peakBytes > function_.capacityBytes;
  std::string text =
      llvm::formatv("{0}: {1} of {2} bytes{3}; {4}", function_.function,
                    groupedNumber(function_.peakBytes), groupedNumber(function_.capacityBytes),
                    function_.preview ? ", preview" : "", function_.certificate);
  if (function_.occupancy)
    text += "; " + toText(*function_.occupancy);
  if (function_.preview && !function_.unknown.empty())
    text += "; may still change: " + llvm::join(function_.unknown, ", ");
  p.fill(heading, p.color(Meaning::Background));
  heading.min.x += p.character / 2;
  p.hoverLabel(heading, text, p.color(isOver ? Meaning::Bad : Meaning::Quiet));
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
  drawOutside(plot);
}

std::vector<std::string> ArenaPlot::outside() const {
  std::vector<std::string> lines;
  for (const StaticArray &array : function_.statics)
    lines.push_back("static: " + array.name + " " + array.type + ", " +
                    groupedNumber(array.sizeBytes) + " bytes, placed by the CUDA compiler");
  for (const LaunchSizedRow &row : function_.launchSized)
    lines.push_back(llvm::formatv("above these, region {0}: {1} {2}, sized at launch, live {3}",
                                  row.region, row.name, row.type, livesText(row.live))
                        .str());
  return lines;
}

void ArenaPlot::drawOutside(const Box &plot) const {
  double row = pointRow() + function_.pointCount;
  for (const std::string &text : outside()) {
    Box box{ImVec2(plot.min.x + 4 * picture_.scale, zoom_.pixelY(row)),
            ImVec2(plot.max.x, zoom_.pixelY(row + 1))};
    picture_.label(box, text, picture_.color(Meaning::Quiet));
    row += 1;
  }
}

} // namespace tilescope
