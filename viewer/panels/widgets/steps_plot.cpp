#include "viewer/panels/widgets/steps_plot.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tilescope {

namespace {

constexpr float LeastOutlinedPixels = 6;

// 1, 2, 5, 10, 20, ...: no less than `least`.
int64_t roundStep(double least) {
  int64_t step = 1;
  for (int digit = 0; static_cast<double>(step) < least; digit = (digit + 1) % 3)
    step = digit == 1 ? step / 2 * 5 : step * 2;
  return step;
}

} // namespace

StepsPicture stepsPictureOf(const Trace &trace, size_t launch) {
  StepsPicture picture;
  const BlockSteps &block = trace.execution->blocks[launch];
  picture.boxes = stepBoxesOf(block);
  picture.hues = touchHuesOf(trace, block);
  return picture;
}

Region StepsPlot::domain() const {
  return {{0, std::max(static_cast<double>(block_.bytes), 1.0)},
          {0, std::max(static_cast<double>(block_.steps.size()), 1.0)}};
}

float StepsPlot::gutterWidth(const Picture &picture, const StepsView &view) {
  return picture.widthOf(groupedNumber(view.stepCount)) + 2 * picture.character;
}

Box StepsPlot::boxOf(const StepBox &box) const {
  return {ImVec2(zoom_.pixelX(static_cast<double>(box.begin)),
                 zoom_.pixelY(static_cast<double>(box.from))),
          ImVec2(zoom_.pixelX(static_cast<double>(box.end)),
                 zoom_.pixelY(static_cast<double>(box.until)))};
}

// What is lower than a pixel is drawn where the row of pixels is not drawn yet.
void StepsPlot::drawBoxes(const Picture &picture, const ShownPick &shown) const {
  Stretch steps = zoom_.y.shown(), bytes = zoom_.x.shown();
  std::unordered_map<int64_t, float> drawnTo; // pixels, by the first byte
  for (const StepBox &box : boxes_) {
    if (static_cast<double>(box.from) >= steps.end)
      break;
    if (static_cast<double>(box.until) <= steps.begin ||
        !bytes.meets(static_cast<double>(box.begin), static_cast<double>(box.end)))
      continue;
    Box at = boxOf(box);
    at.max.x = std::max(at.max.x, at.min.x + picture.scale);
    float &drawn = drawnTo.try_emplace(box.begin, at.min.y - 1).first->second;
    if (at.max.y <= drawn)
      continue;
    at.max.y = std::max(at.max.y, std::floor(at.min.y) + 1);
    drawn = at.max.y;
    const StepTouch &touch = block_.touches[box.touch];
    int hue = hues_[box.touch];
    bool isDimmed = shown.emphasisOf(touch.buffer) == Emphasis::Dimmed;
    float alpha = isDimmed ? Theme::DimmedAlpha : 1;
    picture.fill(at, picture.theme.bufferFill(hue, box.isInFlight ? alpha * 0.45F : alpha));
    if (std::min(at.width(), at.height()) < LeastOutlinedPixels * picture.scale)
      continue;
    if (box.isInFlight)
      picture.hatch(at, picture.theme.bufferLine(hue, alpha * 0.4F));
    picture.outline(at, picture.theme.bufferLine(hue, alpha * 0.5F));
    std::string name = slotNameOf(block_, touch);
    if (picture.widthOf(name) < at.width() && picture.line < at.height())
      picture.label(at, name, picture.theme.bufferText(hue));
  }
}

void StepsPlot::drawNumbers(const Picture &picture, const Box &gutter, int64_t first) const {
  Stretch steps = zoom_.y.shown();
  int64_t every = roundStep(1.5 * picture.line / zoom_.y.unitPixels());
  auto last = static_cast<int64_t>(block_.steps.size());
  for (int64_t step = static_cast<int64_t>(std::max(steps.begin, 0.0)) / every * every; step < last;
       step += every) {
    float y = zoom_.pixelY(static_cast<double>(step));
    if (y > gutter.max.y)
      break;
    std::string text = groupedNumber(first + step);
    float x = gutter.max.x - picture.character - picture.widthOf(text);
    picture.text(ImVec2(x, y), text, picture.color(Meaning::Quiet));
  }
}

void StepsPlot::draw(const Picture &picture, const Box &gutter, const Box &plot, int64_t first,
                     const ShownPick &shown) const {
  picture.clip(plot);
  picture.fill(plot, picture.color(Meaning::Raised, 0.4F));
  drawBoxes(picture, shown);
  picture.unclip();
  picture.clip(gutter);
  drawNumbers(picture, gutter, first);
  picture.unclip();
}

// A line through the step with a handle in the gutter, and what it touches outlined.
void StepsPlot::drawStep(const Picture &picture, const Box &gutter, const Box &plot,
                         size_t step) const {
  float top = zoom_.pixelY(static_cast<double>(step));
  float bottom = std::max(zoom_.pixelY(static_cast<double>(step) + 1), top + 2 * picture.scale);
  ImU32 color = picture.color(Meaning::Accent);
  picture.clip({gutter.min, plot.max});
  float size = 5 * picture.scale, y = (top + bottom) / 2, x = plot.min.x;
  picture.list->AddTriangleFilled(ImVec2(x - size, y - size), ImVec2(x, y),
                                  ImVec2(x - size, y + size), color);
  picture.horizontal(plot.min.x, plot.max.x, bottom, color);
  for (int64_t touch : block_.touchesOf(step)) {
    const std::vector<int64_t> &bytes = block_.touches[static_cast<size_t>(touch)].bytes;
    for (size_t at = 0; at != bytes.size(); at += 2)
      picture.outline({ImVec2(zoom_.pixelX(static_cast<double>(bytes[at])), top),
                       ImVec2(zoom_.pixelX(static_cast<double>(bytes[at + 1])), bottom)},
                      color, 2);
  }
  picture.unclip();
}

size_t StepsPlot::stepAt(float pixelY) const {
  double step = std::floor(zoom_.y.unit(pixelY));
  return static_cast<size_t>(std::clamp(step, 0.0, static_cast<double>(block_.steps.size()) - 1));
}

const StepBox *StepsPlot::boxAt(ImVec2 pixel) const {
  double byte = zoom_.x.unit(pixel.x), step = zoom_.y.unit(pixel.y);
  auto holds = [&](const StepBox &box) {
    return static_cast<double>(box.begin) <= byte && byte < static_cast<double>(box.end) &&
           static_cast<double>(box.from) <= step && step < static_cast<double>(box.until);
  };
  auto found = llvm::find_if(boxes_, holds);
  return found == boxes_.end() ? nullptr : &*found;
}

} // namespace tilescope
