#include "viewer/panels/widgets/column_bands.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr float ColumnPixels = 3;
constexpr float GapPixels = 2; // smaller gaps are not seen

} // namespace

ColumnBands::ColumnBands(const Picture &picture, const Box &plot)
    : picture_(picture), plot_(plot), columnPixels_(ColumnPixels * picture.scale),
      open_(static_cast<size_t>(std::max(plot.width(), 0.0F) / columnPixels_) + 1) {}

void ColumnBands::add(float x, float top, float bottom, uint32_t owner) {
  auto column = static_cast<size_t>(
      std::clamp((x - plot_.min.x) / columnPixels_, 0.0F, static_cast<float>(open_.size() - 1)));
  Band &band = open_[column];
  if (band.bottom >= band.top && top <= band.bottom + GapPixels) {
    band.isMerged |= owner != band.owner;
    band.bottom = std::max(band.bottom, bottom);
    return;
  }
  if (band.bottom >= band.top)
    closed_.push_back({column, band});
  band = {top, bottom, owner, false};
}

void ColumnBands::draw(llvm::function_ref<int(uint32_t owner)> hueOf) const {
  auto drawBand = [&](size_t column, const Band &band) {
    if (band.bottom < band.top)
      return;
    float left = plot_.min.x + columnPixels_ * static_cast<float>(column);
    ImU32 color = band.isMerged ? picture_.color(Meaning::Quiet, 0.5F)
                                : picture_.theme.bufferLine(hueOf(band.owner), 0.8F);
    picture_.fill(
        {ImVec2(left, band.top), ImVec2(left + columnPixels_, std::max(band.bottom, band.top + 1))},
        color);
  };
  for (const Drawn &drawn : closed_)
    drawBand(drawn.column, drawn.band);
  for (size_t column = 0; column != open_.size(); ++column)
    drawBand(column, open_[column]);
}

} // namespace tilescope
