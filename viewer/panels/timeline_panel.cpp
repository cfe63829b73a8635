// Panel `timeline`: the time of each pass as a bar, and shared bytes as a line of steps.
#include "core/views/timeline_model.h"
#include "viewer/panels/widgets/picture.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

std::string timeText(int64_t microseconds) {
  return llvm::formatv("{0:f3} ms", static_cast<double>(microseconds) / 1000).str();
}

//     | pass             | bars of time       ms | bytes after it     |
//     | inject-pipeline  | ##              0.067 | ....|              |
//     | infer-layouts    | ####            0.092 | ........|          |
class TimelinePanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const TimelineView &view = view_.get(context.document.revision, [&] {
      return buildTimeline(*context.document.trace, context.selection);
    });
    Picture picture(context.theme);
    ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    place(view, picture, min, room);
    std::string title = timeText(view.totalMicroseconds) + " in all";
    if (std::string peak = peakText(view); !peak.empty())
      title += "; " + peak;
    std::vector<std::string> lines = linesOfHeadline(title, room.x - picture.character);
    Box heading{ImVec2(min.x + picture.character / 2, min.y),
                ImVec2(min.x + room.x, min.y + picture.line * static_cast<float>(lines.size()) +
                                           4 * picture.scale)};
    picture.lines(heading, lines, picture.color(Meaning::Quiet));
    Box area{ImVec2(min.x, heading.max.y), ImVec2(min.x + room.x, min.y + room.y)};
    auto count = static_cast<double>(view.rows.size());
    double pass = static_cast<double>(context.selection.pass);
    zoom_.update(context, "timeline", area, area, {{0, 1}, {0, count}},
                 picture.line + 4 * picture.scale, Region{{0, 1}, {pass - 3, pass + 4}});
    zoom_.x.reset(); // only rows scroll and zoom
    if (lastPass_ != context.selection.pass)
      zoom_.y.reveal({pass, pass + 1});
    lastPass_ = context.selection.pass;
    picture.clip(area);
    drawRows(context, view, picture);
    picture.unclip();
    pick(context, view);
  }

private:
  // Columns: [left, bars) names, [bars, bytes) time, [bytes, right) shared bytes.
  void place(const TimelineView &view, const Picture &picture, ImVec2 min, ImVec2 room) {
    size_t longest = 4;
    for (const TimelineRow &row : view.rows)
      longest = std::max(longest, row.name.size() + 2 * static_cast<size_t>(row.depth));
    left_ = min.x;
    right_ = min.x + room.x;
    float name = static_cast<float>(longest + 2) * picture.character;
    bars_ = left_ + std::min(name, room.x * 0.4F);
    bool hasRoom = room.x > 44 * picture.character; // else the times alone
    bytes_ = view.mostBytes > 0 && hasRoom ? bars_ + (right_ - bars_) * 0.55F : right_;
  }

  float byteX(const TimelineView &view, int64_t bytes) const {
    double scale = static_cast<double>(std::max<int64_t>(view.mostBytes, 1)) * 1.02;
    if (view.capacityBytes > 0 && view.capacityBytes / 4 <= view.mostBytes)
      scale = std::max(scale, static_cast<double>(view.capacityBytes) * 1.02);
    float begin = bytes_ + 8, width = std::max(right_ - begin - 4, 1.0F);
    return begin + width * static_cast<float>(static_cast<double>(bytes) / scale);
  }

  void drawRows(PanelContext &context, const TimelineView &view, const Picture &p) const {
    Stretch seen = zoom_.y.shown();
    auto count = static_cast<double>(view.rows.size());
    auto begin = static_cast<size_t>(std::clamp(std::floor(seen.begin), 0.0, count));
    auto end = static_cast<size_t>(std::clamp(std::ceil(seen.end), 0.0, count));
    for (size_t i = begin; i < end; ++i) {
      const TimelineRow &row = view.rows[i];
      Box box{ImVec2(left_, zoom_.pixelY(static_cast<double>(i))),
              ImVec2(right_, zoom_.pixelY(static_cast<double>(i + 1)))};
      if (row.index == context.selection.pass)
        p.fill(box, p.color(Meaning::Selected));
      drawName(row, box, p);
      drawBar(view, row, box, p);
      if (bytes_ < right_)
        drawBytes(view, i, box, p);
    }
    if (view.capacityBytes <= 0 || bytes_ >= right_)
      return;
    float x = byteX(view, view.capacityBytes), bottom = zoom_.pixelY(count);
    if (x < right_)
      p.vertical(x, zoom_.pixelY(0), bottom, p.color(Meaning::Capacity), 2);
  }

  void drawName(const TimelineRow &row, const Box &box, const Picture &p) const {
    Meaning meaning = row.failed ? Meaning::Bad : row.changed ? Meaning::Text : Meaning::Quiet;
    Box name = box;
    name.min.x += p.character * (0.5F + 2 * static_cast<float>(row.depth));
    name.max.x = bars_ - p.character / 2;
    p.listing(name, row.name, p.color(meaning));
  }

  // A group is an outline over the time of its passes.
  void drawBar(const TimelineView &view, const TimelineRow &row, const Box &box,
               const Picture &p) const {
    std::string text = timeText(row.wallMicroseconds);
    float textWidth = p.widthOf(text), end = bytes_ - textWidth - p.character;
    float width = std::max(end - bars_, 1.0F);
    double share = view.mostMicroseconds > 0 ? static_cast<double>(row.wallMicroseconds) /
                                                   static_cast<double>(view.mostMicroseconds)
                                             : 0;
    float inset = std::min(3 * p.scale, box.height() / 4);
    Box bar{
        ImVec2(bars_, box.min.y + inset),
        ImVec2(bars_ + std::max(width * static_cast<float>(share), p.scale), box.max.y - inset)};
    if (row.isGroup)
      p.outline(bar, p.color(Meaning::Accent));
    else
      p.fill(bar, p.color(row.failed ? Meaning::BadFill : Meaning::Accent, 0.7F));
    p.label({ImVec2(bar.max.x + p.character / 2, box.min.y), ImVec2(bytes_, box.max.y)}, text,
            p.color(Meaning::Quiet));
  }

  // Dashed while it is a preview.
  void drawBytes(const TimelineView &view, size_t index, const Box &box, const Picture &p) const {
    const TimelineRow &row = view.rows[index];
    float x = byteX(view, row.sharedBytes);
    bool isOver = view.capacityBytes > 0 && row.sharedBytes > view.capacityBytes;
    ImU32 color = p.color(isOver ? Meaning::Bad : Meaning::HighWater);
    p.fill({ImVec2(byteX(view, 0), box.min.y), ImVec2(x, box.max.y)},
           p.color(isOver ? Meaning::BadFill : Meaning::HighWater, 0.15F));
    if (row.sharedIsPreview)
      p.dashedVertical(x, box.min.y, box.max.y, color);
    else
      p.vertical(x, box.min.y, box.max.y, color, 2);
    if (index > 0) {
      float before = byteX(view, view.rows[index - 1].sharedBytes);
      if (before != x)
        p.horizontal(std::min(before, x), std::max(before, x), box.min.y, color, 2);
    }
    bool isStep = index == 0 || row.sharedDeltaBytes != 0 || index + 1 == view.rows.size();
    if (!isStep)
      return;
    std::string text = kibText(row.sharedBytes);
    float width = p.widthOf(text), left = byteX(view, 0) + p.character / 2;
    if (x - left > width + p.character)
      p.text(ImVec2(x - width - p.character / 2, (box.min.y + box.max.y - p.line) / 2), text,
             p.color(Meaning::Text));
    else
      p.label({ImVec2(x + p.character / 2, box.min.y), ImVec2(right_, box.max.y)}, text,
              p.color(Meaning::Text));
  }

  void pick(PanelContext &context, const TimelineView &view) const {
    double at = std::floor(zoom_.y.unit(zoom_.mouse().y));
    if (!zoom_.isHovered() || at < 0 || at >= static_cast<double>(view.rows.size()))
      return;
    const TimelineRow &row = view.rows[static_cast<size_t>(at)];
    showDetails(
        context.theme,
        {row.name,
         llvm::formatv("{0}, {1:f1} % of all", timeText(row.wallMicroseconds), row.share * 100)
             .str(),
         groupedNumber(row.sharedBytes) + " shared bytes after it" +
             (row.sharedIsPreview ? ", preview" : "") +
             (row.sharedDeltaBytes ? ", " + signedNumber(row.sharedDeltaBytes) : "")});
    if (zoom_.isClicked())
      context.selection.selectPass(row.index);
  }

  CachedView<TimelineView, uint64_t> view_;
  ZoomView zoom_;
  size_t lastPass_ = SIZE_MAX;
  float left_ = 0, bars_ = 0, bytes_ = 0, right_ = 0;
};

} // namespace

std::unique_ptr<Panel> makeTimelinePanel() { return std::make_unique<TimelinePanel>(); }

} // namespace tilescope
