#include "viewer/panels/widgets/arena_pointer.h"

#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/point_gutter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

std::string rangeText(int64_t begin, int64_t end) {
  return "[" + groupedNumber(begin) + ", " + groupedNumber(end) + ")";
}

// Where the buffer begins to live.
KernelLine lineOf(const ArenaFunction &function, const ArenaBox &box) {
  auto point = static_cast<size_t>(box.begin);
  return point < function.points.size() ? function.points[point].sourceLine : KernelLine();
}

std::vector<std::string> detailsOf(const ArenaFunction &function, const ArenaBox &box,
                                   int64_t version, ProgramPoint point) {
  const ArenaRow &row = function.buffers[box.row];
  std::vector<std::string> lines{row.name + "  " + row.type};
  lines.push_back(rangeText(row.offsetBytes, row.offsetBytes + row.sizeBytes) + ", " +
                  groupedNumber(row.sizeBytes) + " bytes");
  if (version >= 0) {
    int64_t begin = row.offsetBytes + version * row.strideBytes;
    lines.push_back(llvm::formatv("version {0} of {1}: {2}", version, row.versions,
                                  rangeText(begin, begin + row.strideBytes)));
  }
  lines.push_back("live at points " + livesText(row.live) +
                  lineText(", from line ", lineOf(function, box)));
  for (const std::string &writer : writersAt(function, box.row, point))
    lines.push_back("written by IR line " + writer);
  lines.push_back("place: " + row.reason);
  if (row.paddingBytes > 0)
    lines.push_back(groupedNumber(row.paddingBytes) + " bytes of padding below, for its alignment");
  if (!row.sharesWith.empty())
    lines.push_back("shares bytes with " + llvm::join(row.sharesWith, ", "));
  if (!row.viewOf.empty())
    lines.push_back("made from " + row.viewOf);
  for (const ArenaConflict &conflict : function.conflicts)
    if (conflict.first == box.row || conflict.second == box.row) {
      uint32_t other = conflict.first == box.row ? conflict.second : conflict.first;
      lines.push_back("conflict: " + function.buffers[other].name + " also holds " +
                      rangeText(conflict.beginBytes, conflict.endBytes));
    }
  return lines;
}

std::vector<std::string> detailsOf(const ArenaFunction &function, const OutsideBox &outside) {
  std::vector<std::string> lines{outside.name};
  if (outside.sizeBytes > 0)
    lines.push_back("static: " + groupedNumber(outside.sizeBytes) +
                    " bytes, placed by the CUDA compiler");
  else
    lines.push_back("its size is known at launch: it lies above the arena");
  if (!outside.live.empty())
    lines.push_back("live at points " + livesText(outside.live));
  for (const OutsideBox &other : function.outside)
    if (other.column == outside.column && other.buffer != outside.buffer)
      lines.push_back("shares bytes with " + other.name);
  return lines;
}

} // namespace

Pick arenaBufferAt(const ArenaLayout &layout, const PanelContext &context, const Box &plot,
                   ImVec2 mouse) {
  const ArenaBox *box = plot.contains(mouse) ? layout.boxAt(mouse) : nullptr;
  if (!box)
    return {};
  const ArenaRow &row = layout.function().buffers[box->row];
  int64_t version = layout.versionAt(row, mouse.x);
  auto point = static_cast<ProgramPoint>(layout.zoom().y.unit(mouse.y) - layout.pointRow());
  showDetails(context.theme, detailsOf(layout.function(), *box, version, point),
              lineOf(layout.function(), *box));
  return pickOf(context, row.buffer, version);
}

Pick arenaOutsideAt(const ArenaLayout &layout, const PanelContext &context, const Picture &picture,
                    const Box &strip, ImVec2 mouse) {
  if (!strip.contains(mouse))
    return {};
  for (const OutsideBox &outside : layout.function().outside)
    for (const LiveInterval &interval : layout.livesOf(outside))
      if (layout.boxOf(picture, outside, interval, strip).contains(mouse)) {
        showDetails(context.theme, detailsOf(layout.function(), outside));
        return pickOf(context, outside.buffer);
      }
  return {};
}

void noteArenaPlaces(const ArenaLayout &layout, const Box &plot, Places &places) {
  constexpr size_t Most = 64;
  size_t count = 0;
  for (const ArenaBox &box : layout.function().boxes) {
    if (++count > Most)
      return;
    Box at = layout.boxOf(box);
    ImVec4 seen(std::max(at.min.x, plot.min.x), std::max(at.min.y, plot.min.y),
                std::min(at.max.x, plot.max.x), std::min(at.max.y, plot.max.y));
    if (seen.x < seen.z && seen.y < seen.w)
      places.note("arena " + layout.function().buffers[box.row].name, seen);
  }
}

} // namespace tilescope
