#include "viewer/panels/widgets/byte_ruler.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr int MostTracks = 3;       // of labels above the scale
constexpr float LeastGapDigits = 1; // between lines

} // namespace

ByteRuler::ByteRuler(const Picture &picture, const ZoomAxis &axis, float left, float right,
                     std::vector<ByteRule> rules)
    : picture_(picture), axis_(axis), left_(left), right_(right) {
  std::stable_partition(rules.begin(), rules.end(),
                        [](const ByteRule &rule) { return rule.isFixed; });
  std::vector<ByteRule> taken;
  for (ByteRule &rule : rules) {
    taken.push_back(rule);
    std::vector<Label> labels = placed(taken);
    if (!rule.isFixed && isCrowded(labels))
      taken.pop_back();
    else
      labels_ = std::move(labels);
  }
}

// By bytes; each label above those whose lines it passes.
std::vector<ByteRuler::Label> ByteRuler::placed(std::vector<ByteRule> rules) const {
  std::stable_sort(rules.begin(), rules.end(),
                   [](const ByteRule &a, const ByteRule &b) { return a.bytes < b.bytes; });
  Stretch seen = axis_.shown();
  std::vector<Label> labels;
  for (ByteRule &rule : rules) {
    auto bytes = static_cast<double>(rule.bytes);
    if (bytes < seen.begin || bytes > seen.end)
      continue;
    Label label{std::move(rule), static_cast<float>(axis_.pixel(bytes)), 0, 0};
    float width = picture_.widthOf(label.rule.label) + picture_.character / 2;
    label.labelX = std::clamp(label.x - width, left_, std::max(left_, right_ - width));
    for (const Label &smaller : labels)
      if (smaller.x + picture_.character / 2 > label.labelX)
        label.track = std::max(label.track, smaller.track + 1);
    labels.push_back(std::move(label));
  }
  return labels;
}

// Rules that are fixed stay, however close they are.
bool ByteRuler::isCrowded(const std::vector<Label> &labels) const {
  for (size_t i = 0; i != labels.size(); ++i) {
    if (labels[i].track >= MostTracks)
      return true;
    bool areFixed = i > 0 && labels[i].rule.isFixed && labels[i - 1].rule.isFixed;
    if (i > 0 && !areFixed && labels[i].x - labels[i - 1].x < LeastGapDigits * picture_.character)
      return true;
  }
  return false;
}

float ByteRuler::heightIn(const Picture &picture) {
  return picture.line * static_cast<float>(MostTracks + 1) + 2 * picture.scale;
}

// A power of two of bytes, so that labels are whole KiB as soon as they can be.
int64_t ByteRuler::step() const {
  double room = picture_.character * 11;
  int64_t step = 1;
  while (step < (int64_t(1) << 50) && static_cast<double>(step) * axis_.unitPixels() < room)
    step *= 2;
  return step;
}

void ByteRuler::drawAbove(float top) const {
  const Picture &p = picture_;
  float bottom = top + heightIn(p);
  for (const Label &label : labels_) {
    float y = bottom - p.line * static_cast<float>(label.track + 2) - 2 * p.scale;
    ImU32 color = p.color(label.rule.meaning);
    p.text(ImVec2(label.labelX, y), label.rule.label, color);
    if (label.rule.isFixed)
      p.vertical(label.x, y, bottom, color, 2);
    else
      p.dashedVertical(label.x, y, bottom, color);
    Box box{ImVec2(label.labelX, y), ImVec2(label.x + p.character, y + p.line)};
    if (ImGui::IsWindowHovered() && box.contains(ImGui::GetIO().MousePos))
      showTooltip(label.rule.detail);
  }
  drawScale(bottom);
}

// Its labels interrupt the lines of rules.
void ByteRuler::drawScale(float bottom) const {
  const Picture &p = picture_;
  Stretch seen = axis_.shown();
  int64_t by = step();
  auto first = static_cast<int64_t>(std::ceil(seen.begin / static_cast<double>(by)));
  for (int64_t i = first; static_cast<double>(i * by) <= seen.end; ++i) {
    std::string label = kibText(i * by);
    auto x = static_cast<float>(axis_.pixel(static_cast<double>(i * by)));
    Box box{ImVec2(x + 3 * p.scale, bottom - p.line), ImVec2(0, bottom - p.scale)};
    box.max.x = box.min.x + p.widthOf(label);
    if (box.max.x <= right_) {
      p.fill(box, p.color(Meaning::Background));
      p.text(box.min, label, p.color(Meaning::Quiet));
    }
    p.vertical(x, bottom - p.line / 2, bottom, p.color(Meaning::Border));
  }
}

void ByteRuler::drawUnder(const Box &plot) const {
  Stretch seen = axis_.shown();
  int64_t by = step();
  auto first = static_cast<int64_t>(std::ceil(seen.begin / static_cast<double>(by)));
  for (int64_t i = first; static_cast<double>(i * by) <= seen.end; ++i)
    picture_.vertical(static_cast<float>(axis_.pixel(static_cast<double>(i * by))), plot.min.y,
                      plot.max.y, picture_.color(Meaning::Faint));
  for (const Label &label : labels_)
    if (!label.rule.isFixed)
      picture_.dashedVertical(label.x, plot.min.y, plot.max.y,
                              picture_.color(label.rule.meaning, 0.6F));
}

void ByteRuler::drawOver(const Box &plot) const {
  for (const Label &label : labels_)
    if (label.rule.isFixed)
      picture_.vertical(label.x, plot.min.y, plot.max.y, picture_.color(label.rule.meaning), 2);
}

} // namespace tilescope
