#include "core/exports/stages_svg.h"

#include "core/exports/point_axis.h"
#include "core/support/colour.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr double StageHeight = 20;
constexpr double LeastTick = 26;

std::string labelOf(const StageEvent &event) {
  const char *letter = event.access == StageAccess::Read     ? "U"
                       : event.access == StageAccess::Update ? "X"
                                                             : "D";
  return letter + toText(event.tile);
}

std::string nameOf(const StageStep &step) {
  switch (step.kind) {
  case StageStep::Kind::Prologue:
    return "prologue";
  case StageStep::Kind::Iteration:
    return toText(step.iteration);
  case StageStep::Kind::LeftOut:
    return "\xE2\x80\xA6";
  case StageStep::Kind::Epilogue:
    return "epilogue";
  }
  return "";
}

class StagesDrawing {
public:
  explicit StagesDrawing(const StagesPicture &picture)
      : picture_(picture), stages_(picture.stages) {
    double gutter = widthOf("commits");
    for (size_t row = 0; row != picture.rows.size(); ++row)
      gutter = std::max(gutter, widthOf(rowName(row)));
    left_ = Margin + gutter + Margin;
    for (const StageEvent &event : stages_.events)
      tick_ = std::max(tick_, widthOf(labelOf(event)) + 6);
  }

  SvgDrawing draw() {
    int64_t ticks = stages_.steps.empty() ? 0 : stages_.steps.back().end;
    double width = std::max(x(ticks) + Margin, 420.0);
    drawHeading(picture_.title, picture_.caption, width, svg_);
    if (!stages_.refusal.empty()) {
      svg_.text(Margin, top_, stages_.refusal, "class=\"quiet\"");
      return {width, top_ + Margin, svg_.body()};
    }
    drawSteps();
    for (size_t row = 0; row != picture_.rows.size(); ++row)
      svg_.text(Margin, y(row) + 14, rowName(row));
    for (const SlotOccupancy &occupancy : stages_.occupancies)
      drawOccupancy(occupancy);
    for (const StageEvent &event : stages_.events)
      svg_.text(x(event.tick) + tick_ / 2, y(event.row) + 14, labelOf(event),
                "class=\"middle name\"");
    drawSyncs();
    return {width, bottom() + Margin, svg_.body()};
  }

private:
  double x(int64_t tick) const { return left_ + tick_ * static_cast<double>(tick); }
  double y(size_t row) const { return top_ + StageHeight * static_cast<double>(row); }
  double bottom() const { return y(picture_.rows.size() + 2); }

  std::string rowName(size_t row) const {
    return llvm::formatv("{0}[{1}]", picture_.rows[row].name, stages_.rows[row].slot);
  }

  void drawSteps() {
    bool isBand = false;
    for (const StageStep &step : stages_.steps) {
      double begin = x(step.begin), width = x(step.end) - begin;
      if (isBand)
        svg_.box({begin, top_, width, bottom() - top_}, "class=\"band\"");
      isBand = !isBand;
      svg_.line(begin, top_ - StageHeight + 6, begin, bottom(), "class=\"grid\"");
      auto fits = static_cast<size_t>(width / CharacterWidth);
      svg_.text(begin + width / 2, top_ - 6, clipText(nameOf(step), fits),
                "class=\"middle quiet\"");
    }
  }

  void drawOccupancy(const SlotOccupancy &occupancy) {
    const StageRowLook &look = picture_.rows[occupancy.row];
    std::string edge = toHex(fromHsl(look.hueDegrees, 50, 35));
    auto box = [&](int64_t begin, int64_t end, const Rgb &fill) {
      if (begin < end)
        svg_.box({x(begin), y(occupancy.row) + 2, x(end) - x(begin), StageHeight - 4},
                 llvm::formatv("fill=\"{0}\" stroke=\"{1}\"", toHex(fill), edge).str());
    };
    svg_.beginGroup(rowName(occupancy.row) + ", tile of iteration " + toText(occupancy.tile));
    box(occupancy.begin, occupancy.ready, fromHsl(look.hueDegrees, 65, 92));
    box(occupancy.ready, occupancy.end, paperFill(look.hueDegrees));
    svg_.endGroup();
  }

  // Groups above the waits that end them.
  void drawSyncs() {
    double commits = y(picture_.rows.size()) + 14, waits = commits + StageHeight;
    svg_.text(Margin, commits, "commits", "class=\"quiet\"");
    if (!stages_.isPlanned)
      svg_.text(Margin, waits, "waits", "class=\"quiet\"");
    for (const StageSync &sync : stages_.syncs) {
      std::string text;
      for (const StageNumber &group : sync.groups)
        text += (text.empty() ? "g" : " g") + toText(group, "m");
      if (!text.empty())
        svg_.text(x(sync.tick) + tick_ / 2, sync.isWait ? waits : commits, text,
                  "class=\"middle quiet\"");
    }
  }

  const StagesPicture &picture_;
  const PipelineStages &stages_;
  double left_ = 0, tick_ = LeastTick;
  double top_ = HeadingHeight + StageHeight + 4;
  SvgWriter svg_;
};

} // namespace

std::string stagesSvg(const std::vector<StagesPicture> &pictures,
                      const std::vector<RolePicture> &roles, llvm::StringRef whyNone) {
  std::vector<SvgDrawing> drawings;
  drawings.reserve(pictures.size());
  for (const StagesPicture &picture : pictures)
    drawings.push_back(StagesDrawing(picture).draw());
  llvm::append_range(drawings, drawRoles(roles));
  return pictureDocument(std::move(drawings), "", whyNone);
}

} // namespace tilescope
