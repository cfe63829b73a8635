#include "viewer/panels/widgets/buffer_pick.h"

#include "core/trace/trace_queries.h"

#include <algorithm>

namespace tilescope {

void ShownPick::update(const PanelContext &context) {
  shown_.update(context, context.selection.shown());
  pinned_.update(context, context.selection.pinned);
}

void ShownPick::Found::update(const PanelContext &context, const Pick &pick) {
  version = pick.version;
  stmt = pick.stmt;
  Key wanted{PassKey::of(context), pick.buffer};
  if (key == wanted)
    return;
  key = std::move(wanted);
  buffer = {};
  if (!pick.buffer)
    return;
  if (auto place = findBuffer(*context.document.trace, context.selection, *pick.buffer))
    buffer = place->id;
}

Emphasis ShownPick::emphasisOf(BufferId buffer) const {
  if (!buffer.isValid())
    return Emphasis::None;
  if (buffer == pinned_.buffer)
    return Emphasis::Pinned;
  if (buffer == shown_.buffer)
    return Emphasis::Hovered;
  return shown_.buffer.isValid() ? Emphasis::Dimmed : Emphasis::None;
}

Emphasis ShownPick::emphasisOf(BufferId buffer, int64_t version) const {
  if (!buffer.isValid() || version < 0)
    return Emphasis::None;
  if (buffer == pinned_.buffer && version == pinned_.version)
    return Emphasis::Pinned;
  return buffer == shown_.buffer && version == shown_.version ? Emphasis::Hovered : Emphasis::None;
}

namespace {

ImU32 colorOf(const Picture &picture, Emphasis emphasis) {
  return picture.color(emphasis == Emphasis::Hovered ? Meaning::Text : Meaning::Accent);
}

Box grown(const Box &box, float by) {
  return {ImVec2(box.min.x - by, box.min.y - by), ImVec2(box.max.x + by, box.max.y + by)};
}

constexpr float LeastSeenPixels = 6; // a smaller box is pointed at
constexpr float PointerPixels = 6;

} // namespace

void drawEmphasis(const Picture &picture, const Box &box, Emphasis emphasis) {
  if (emphasis == Emphasis::None || emphasis == Emphasis::Dimmed)
    return;
  float scale = picture.scale;
  bool isSmall = box.width() < 12 * scale || box.height() < 12 * scale;
  ImU32 color = colorOf(picture, emphasis);
  if (emphasis == Emphasis::Shares) {
    if (!isSmall)
      picture.dashedOutline(grown(box, -2 * scale), color);
    return;
  }
  if (isSmall)
    picture.outline(grown(box, 2 * scale), color, 2);
  else
    picture.outline(grown(box, -scale), color, emphasis == Emphasis::Pinned ? 3 : 2);
}

void drawPointer(const Picture &picture, const Box &plot, const Box &box, llvm::StringRef name,
                 Emphasis emphasis) {
  float size = PointerPixels * picture.scale;
  bool isLeft = box.max.x<plot.min.x, isRight = box.min.x> plot.max.x;
  bool isAbove = box.max.y<plot.min.y, isBelow = box.min.y> plot.max.y;
  bool isOutside = isLeft || isRight || isAbove || isBelow;
  if (!isOutside && box.width() >= LeastSeenPixels * picture.scale &&
      box.height() >= LeastSeenPixels * picture.scale)
    return;
  ImU32 color = colorOf(picture, emphasis);
  ImVec2 middle((std::max(box.min.x, plot.min.x) + std::min(box.max.x, plot.max.x)) / 2,
                (std::max(box.min.y, plot.min.y) + std::min(box.max.y, plot.max.y)) / 2);
  ImVec2 tip(std::clamp(middle.x, plot.min.x + size, plot.max.x - size),
             std::clamp(middle.y, plot.min.y + size, plot.max.y - size));
  ImVec2 along(isRight ? 1.0F : isLeft ? -1.0F : 0.0F, isBelow ? 1.0F : isAbove ? -1.0F : 0.0F);
  if (!isOutside) {
    tip.y = std::max(box.min.y, plot.min.y) - 2 * picture.scale;
    along = ImVec2(0, 1);
    if (tip.y - size < plot.min.y) {
      tip.y = std::min(box.max.y, plot.max.y) + 2 * picture.scale;
      along = ImVec2(0, -1);
    }
  }
  ImVec2 across(-along.y, along.x);
  ImVec2 back(tip.x - along.x * size, tip.y - along.y * size);
  ImVec2 a(back.x + across.x * size * 0.7F, back.y + across.y * size * 0.7F);
  ImVec2 b(back.x - across.x * size * 0.7F, back.y - across.y * size * 0.7F);
  picture.list->AddTriangleFilled(a, b, tip, color);
  if (!isOutside)
    return;
  float width = picture.widthOf(name), gap = 3 * picture.scale;
  ImVec2 at(std::clamp(back.x - along.x * gap -
                           (along.x < 0   ? 0
                            : along.x > 0 ? width
                                          : width / 2),
                       plot.min.x + gap, std::max(plot.min.x, plot.max.x - width) - gap),
            std::clamp(back.y - along.y * (gap + picture.line / 2) - picture.line / 2,
                       plot.min.y + gap, plot.max.y - picture.line - gap));
  picture.fill({at, ImVec2(at.x + width, at.y + picture.line)},
               picture.color(Meaning::Background, 0.8F));
  picture.text(at, name, color);
}

Pick pickOf(const PanelContext &context, BufferId buffer, int64_t version) {
  const BufferRecord *record = context.state()->facets()->declaration(buffer);
  if (!record)
    return {};
  Pick pick = Pick::ofBuffer(record->key);
  pick.version = version;
  return pick;
}

} // namespace tilescope
