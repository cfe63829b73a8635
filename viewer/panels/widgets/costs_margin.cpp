#include "viewer/panels/widgets/costs_margin.h"

namespace tilescope {

namespace {

// Of the columns, in digits, each with the blank before it.
constexpr float BytesDigits = 3;
constexpr float DegreeDigits = 4;
constexpr float RegistersDigits = 5;
constexpr float GapDigits = 1;

float columnsWidth(const TextStyle &style) {
  return (BytesDigits + DegreeDigits + RegistersDigits + GapDigits) * style.charWidth;
}

} // namespace

float CostsMargin::width(const TextStyle &style) const {
  return columnsWidth(style) + (other_ ? other_->width(style) : 0);
}

void CostsMargin::draw(ImDrawList &list, const TextStyle &style, ImVec2 topLeft, size_t first,
                       size_t last) const {
  float y = topLeft.y;
  for (size_t row = first; row < last; ++row, y += style.lineHeight) {
    const CostRow *cost = costOf_(row);
    if (!cost)
      continue;
    CostText text = textOf(*cost);
    float right = topLeft.x;
    auto column = [&](float digits, const std::string &value, Meaning meaning) {
      right += digits * style.charWidth;
      float left = right - static_cast<float>(value.size()) * style.charWidth;
      list.AddText(ImVec2(left, y), style.theme.color(meaning), value.data(),
                   value.data() + value.size());
    };
    column(BytesDigits, text.bytes, Meaning::Quiet);
    column(DegreeDigits, text.degree, text.hasConflict ? Meaning::Bad : Meaning::Quiet);
    column(RegistersDigits, text.registers, Meaning::Quiet);
  }
  if (other_)
    other_->draw(list, style, ImVec2(topLeft.x + columnsWidth(style), topLeft.y), first, last);
}

Pick CostsMargin::pickAt(const TextStyle &style, size_t row, float x) const {
  float columns = columnsWidth(style);
  return other_ && x >= columns ? other_->pickAt(style, row, x - columns) : Pick();
}

} // namespace tilescope
