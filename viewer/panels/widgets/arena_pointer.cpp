// What is under the pointer of an arena_plot.h.
#include "viewer/panels/widgets/arena_plot.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

std::string rangeText(int64_t begin, int64_t end) {
  return "[" + groupedNumber(begin) + ", " + groupedNumber(end) + ")";
}

} // namespace

void ArenaPlot::notePlaces(Places &places, const Box &plot) const {
  constexpr size_t Most = 64;
  size_t count = 0;
  for (const ArenaBox &box : function_.boxes) {
    if (++count > Most)
      return;
    Box at = boxOf(box);
    ImVec4 seen(std::max(at.min.x, plot.min.x), std::max(at.min.y, plot.min.y),
                std::min(at.max.x, plot.max.x), std::min(at.max.y, plot.max.y));
    if (seen.x < seen.z && seen.y < seen.w)
      places.note("arena " + function_.buffers[box.row].name, seen);
  }
}

Pick ArenaPlot::statementAt(const Box &gutterBox, ImVec2 mouse) const {
  return gutter().pickAt(gutterBox, mouse);
}

// The smallest box counts, so that one below a larger one in conflict can be reached.
Pick ArenaPlot::bufferAt(const PanelContext &context, const Box &plot, ImVec2 mouse) const {
  if (!plot.contains(mouse))
    return {};
  double byte = zoom_.x.unit(mouse.x), point = zoom_.y.unit(mouse.y) - pointRow();
  const ArenaBox *found = nullptr;
  for (const ArenaBox &box : function_.boxes) {
    const ByteRange &range = function_.ranges[box.row];
    if (box.begin > point)
      break;
    if (point < box.end && static_cast<double>(range.begin) <= byte &&
        byte < static_cast<double>(range.end) &&
        (!found || range.end - range.begin <
                       function_.ranges[found->row].end - function_.ranges[found->row].begin))
      found = &box;
  }
  if (!found)
    return {};
  const ArenaRow &row = function_.buffers[found->row];
  int64_t version = -1;
  if (row.versions > 1 && row.strideBytes > 0)
    version = std::min((static_cast<int64_t>(byte) - row.offsetBytes) / row.strideBytes,
                       row.versions - 1);
  showDetails(picture_.theme, detailsOf(row, *found, version));
  return pickOf(context, row.buffer, version);
}

std::vector<std::string> ArenaPlot::detailsOf(const ArenaRow &row, const ArenaBox &box,
                                              int64_t version) const {
  std::vector<std::string> lines{row.name + "  " + row.type};
  lines.push_back(rangeText(row.offsetBytes, row.offsetBytes + row.sizeBytes) + ", " +
                  groupedNumber(row.sizeBytes) + " bytes");
  if (version >= 0) {
    int64_t begin = row.offsetBytes + version * row.strideBytes;
    lines.push_back(llvm::formatv("version {0} of {1}: {2}", version, row.versions,
                                  rangeText(begin, begin + row.strideBytes)));
  }
  std::string live = "live at points " + livesText(row.live);
  if (static_cast<size_t>(box.begin) < function_.points.size())
    if (uint32_t line = function_.points[box.begin].sourceLine)
      live += ", from line " + std::to_string(line);
  lines.push_back(live);
  lines.push_back("place: " + row.reason);
  if (row.paddingBytes > 0)
    lines.push_back(groupedNumber(row.paddingBytes) + " bytes of padding below, for its alignment");
  if (!row.sharesWith.empty())
    lines.push_back("shares bytes with " + llvm::join(row.sharesWith, ", "));
  if (!row.viewOf.empty())
    lines.push_back("made from " + row.viewOf);
  for (const ArenaConflict &conflict : function_.conflicts)
    if (conflict.first == box.row || conflict.second == box.row) {
      uint32_t other = conflict.first == box.row ? conflict.second : conflict.first;
      lines.push_back("conflict: " + function_.buffers[other].name + " also holds " +
                      rangeText(conflict.beginBytes, conflict.endBytes));
    }
  return lines;
}

} // namespace tilescope
