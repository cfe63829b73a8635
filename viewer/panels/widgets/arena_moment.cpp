#include "viewer/panels/widgets/arena_moment.h"

#include <algorithm>

namespace tilescope {

namespace {

void drawSlot(const SlotAtMoment &slot, const ArenaLayout &layout, const Picture &picture,
              const Stretch &rows) {
  std::optional<uint32_t> row = layout.rowOf(slot.buffer);
  if (!row || slot.tile.empty())
    return;
  const ArenaRow &buffer = layout.function().buffers[*row];
  auto begin = static_cast<double>(buffer.offsetBytes + slot.slot * buffer.strideBytes);
  auto stride = static_cast<double>(buffer.strideBytes);
  Box box = layout.boxOf(Region{{begin, begin + stride}, rows});
  picture.fill(box, picture.color(Meaning::Background));
  picture.fill(box, picture.theme.bufferFill(slot.hueDegrees, slot.isInFlight ? 0.45F : 1));
  if (slot.isInFlight)
    picture.hatch(box, picture.theme.bufferLine(slot.hueDegrees, 0.4F));
  picture.outline(box, picture.theme.bufferLine(slot.hueDegrees));
  std::string text = toText(slot);
  if (picture.widthOf(text) > box.width())
    text = slot.tile;
  float width = picture.widthOf(text) + 2 * picture.scale;
  if (width > box.width())
    return; // Stages tells it
  float middle = (box.min.x + box.max.x) / 2;
  picture.fill({ImVec2(middle - width / 2, box.min.y + picture.scale),
                ImVec2(middle + width / 2, box.max.y - picture.scale)},
               picture.color(Meaning::Background, 0.75F)); // hatching would cross it
  picture.centeredLabel(box, text, picture.theme.bufferLine(slot.hueDegrees));
}

} // namespace

void ArenaMoment::draw(PanelContext &context, const ArenaStack &arenas, const Picture &picture,
                       const Box &plot) {
  const Selection &selection = context.selection;
  if (!selection.moment.loop.isValid() || selection.moment.pass != selection.pass)
    return;
  const std::optional<StagesMoment> &moment =
      moment_.get({PassKey::of(context), selection.moment}, [&]() -> std::optional<StagesMoment> {
        std::shared_ptr<const PassState> state = context.state();
        const StagesView &view =
            stages_.get(PassKey::of(context), [&] { return buildStages(*state); });
        const StagesLoop *loop = loopOf(view, selection.moment, selection.pass);
        return loop ? std::optional(momentOf(*state, *loop, selection.moment.tick)) : std::nullopt;
      });
  if (!moment || moment->point < 0 || moment->slots.empty())
    return;
  const ArenaLayout *layout = arenas.layoutOf(moment->slots.front().buffer);
  if (!layout)
    return;
  double top = layout->pointRow() + moment->point;
  // At least as high as what it says, where the rows are lower.
  double height = std::max(1.0, picture.line / layout->zoom().y.unitPixels());
  Stretch rows{top, top + height};
  Stretch all = layout->zoom().x.shown();
  picture.clip(plot);
  Box band = layout->boxOf(Region{all, rows});
  picture.fill(band, picture.color(Meaning::Selected));
  for (const SlotAtMoment &slot : moment->slots)
    drawSlot(slot, *layout, picture, rows);
  picture.horizontal(plot.min.x, plot.max.x, band.max.y, picture.color(Meaning::Accent), 2);
  picture.unclip();
  context.places.note("arena moment " + headingOf(*moment),
                      ImVec4(band.min.x, band.min.y, band.max.x, band.max.y));
}

} // namespace tilescope
