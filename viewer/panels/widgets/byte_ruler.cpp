#include "viewer/panels/widgets/byte_ruler.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr int MostTracks = 2; // of labels above the scale

} // namespace

// Those that stay come first, then the others from the right.
ByteRuler::ByteRuler(const Picture &picture, const ZoomAxis &axis, float right,
                     std::vector<ByteRule> rules)
    : picture_(picture), axis_(axis), right_(right) {
  std::stable_sort(rules.begin(), rules.end(), [](const ByteRule &a, const ByteRule &b) {
    return a.isFixed != b.isFixed ? a.isFixed : a.bytes > b.bytes;
  });
  for (ByteRule &rule : rules)
    place(std::move(rule));
}

bool ByteRuler::isFree(int track, float begin, float end) const {
  return begin >= static_cast<float>(axis_.pixel(axis_.shown().begin)) && end <= right_ &&
         std::none_of(rules_.begin(), rules_.end(), [&](const Placed &other) {
           float width = picture_.widthOf(other.rule.label) + picture_.character;
           return other.track == track && begin < other.labelX + width && other.labelX < end;
         });
}

// A label stands to the right of its rule, or to its left, in the lowest row that is free there.
void ByteRuler::place(ByteRule rule) {
  Stretch seen = axis_.shown();
  auto bytes = static_cast<double>(rule.bytes);
  if (bytes < seen.begin || bytes > seen.end)
    return;
  Placed placed{std::move(rule), static_cast<float>(axis_.pixel(bytes)), 0, -1};
  bool isCrowded = std::any_of(rules_.begin(), rules_.end(), [&](const Placed &other) {
    return std::abs(other.x - placed.x) < 3 * picture_.character;
  });
  if (isCrowded && !placed.rule.isFixed)
    return;
  float width = picture_.widthOf(placed.rule.label) + picture_.character / 2;
  for (int track = 0; track != MostTracks && placed.track < 0; ++track)
    for (float x : {placed.x, placed.x - width})
      if (placed.track < 0 && isFree(track, x, x + width)) {
        placed.track = track;
        placed.labelX = x;
      }
  rules_.push_back(std::move(placed));
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
  for (const Placed &placed : rules_) {
    if (placed.track < 0)
      continue;
    float y = bottom - p.line * static_cast<float>(placed.track + 2) - 2 * p.scale;
    p.text(ImVec2(placed.labelX, y), placed.rule.label, p.color(placed.rule.meaning));
  }
  Stretch seen = axis_.shown();
  int64_t by = step();
  auto first = static_cast<int64_t>(std::ceil(seen.begin / static_cast<double>(by)));
  for (int64_t i = first; static_cast<double>(i * by) <= seen.end; ++i) {
    std::string label = kibText(i * by);
    auto x = static_cast<float>(axis_.pixel(static_cast<double>(i * by)));
    if (x + p.widthOf(label) + 3 * p.scale <= right_)
      p.text(ImVec2(x + 3 * p.scale, bottom - p.line), label, p.color(Meaning::Quiet));
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
  for (const Placed &placed : rules_)
    if (!placed.rule.isFixed)
      picture_.dashedVertical(placed.x, plot.min.y, plot.max.y,
                              picture_.color(placed.rule.meaning, 0.6F));
}

void ByteRuler::drawOver(const Box &plot) const {
  for (const Placed &placed : rules_)
    if (placed.rule.isFixed)
      picture_.vertical(placed.x, plot.min.y, plot.max.y, picture_.color(placed.rule.meaning), 2);
}

} // namespace tilescope
