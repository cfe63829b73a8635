#include "viewer/panels/widgets/arena_pair.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr const char *Ids[] = {"arena before", "arena after"};
constexpr const char *Captions[] = {"before: ", "after: "};
constexpr float LeastLines = 12;    // of the height of one
constexpr float GutterShare = 0.8F; // of a gutter where there is but one picture
constexpr float LeastDigits = 56;   // of two beside each other

// The key on the other side; the same where nothing is known of the buffer.
BufferKey keyIn(const CompareView &view, const BufferKey &key, size_t from, size_t to) {
  auto sideOf = [](const CompareBuffer &buffer, size_t side) -> const std::optional<CompareSide> & {
    return side == 0 ? buffer.before : buffer.after;
  };
  for (const CompareBuffer &buffer : view.buffers)
    if (const auto &side = sideOf(buffer, from);
        side && nameInFunction(side->key) == nameInFunction(key))
      if (const auto &other = sideOf(buffer, to))
        return other->key;
  return key;
}

} // namespace

void ArenaPair::draw(PanelContext &context, const CompareView &view, const CompareArenas &arenas,
                     float height) {
  sides_[0].view = &arenas.before;
  sides_[1].view = &arenas.after;
  sides_[0].document.trace = context.document.other;
  sides_[1].document.trace = context.document.trace;
  translate(context, view);
  ImVec2 min = ImGui::GetCursorScreenPos();
  float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  isBeside_ = width >= LeastDigits * ImGui::CalcTextSize("0").x;
  float least = (isBeside_ ? 1.0F : 2.0F) * LeastLines * ImGui::GetTextLineHeight();
  Box room{min, ImVec2(min.x + width, min.y + std::max(least, height))}; // the panel scrolls
  Picture picture(context.theme);
  for (size_t index : {0, 1}) {
    Side &side = sides_[index];
    side.stack.emplace(*side.view, picture, zooms_[index], Captions[index]);
    PanelContext local = contextOf(context, side);
    shown_[index].update(local);
  }
  placeSides(context.theme, room);
  zoomTogether(context);
  for (size_t index : {0, 1}) {
    Side &side = sides_[index];
    if (side.stack->isEmpty()) {
      picture.label(side.parts.headline, std::string(Captions[index]) + "no shared memory",
                    picture.color(Meaning::Quiet));
      continue;
    }
    side.stack->draw(side.parts, shown_[index]);
    const Box &plot = side.parts.plot;
    context.places.note(Ids[index], ImVec4(plot.min.x, plot.min.y, plot.max.x, plot.max.y));
    zooms_[index].drawBars(context);
  }
  drawLink(picture);
  for (size_t index : {0, 1}) {
    point(context, view, index);
    sides_[index].stack.reset(); // it refers to the picture
  }
  ImGui::SetCursorScreenPos(room.min);
  ImGui::Dummy(ImVec2(room.width(), room.height()));
}

// What is shown in the words of each trace, after its last pass.
void ArenaPair::translate(const PanelContext &context, const CompareView &view) {
  const Pick &shown = context.selection.shown();
  Translated wanted{context.document.revision, shown.buffer};
  if (!(translated_ == wanted)) {
    translated_ = wanted;
    keys_[0] = keys_[1] = shown.buffer;
    if (shown.buffer)
      keys_[0] = keyIn(view, *shown.buffer, 1, 0);
  }
  for (size_t index : {0, 1}) {
    Side &side = sides_[index];
    side.document.revision = context.document.revision;
    side.selection.pass = side.document.trace->passes.size() - 1;
    side.selection.pinned = {};
    side.selection.pinned.buffer = keys_[index];
    side.selection.pinned.version = shown.version;
  }
}

// As if the trace of the side alone were open.
PanelContext ArenaPair::contextOf(PanelContext &context, Side &side) {
  return {side.document,  side.states,      side.selection, context.theme,
          context.kernel, context.commands, context.given,  context.places};
}

void ArenaPair::placeSides(const Theme &theme, Box room) {
  float gap = 8 * theme.scale;
  for (size_t index : {0, 1}) {
    Side &side = sides_[index];
    Box box = room;
    auto part = static_cast<float>(index);
    if (isBeside_) {
      float width = (room.width() - gap) / 2;
      box.min.x += part * (width + gap);
      box.max.x = box.min.x + width;
    } else {
      float height = (room.height() - gap) / 2;
      box.min.y += part * (height + gap);
      box.max.y = box.min.y + height;
    }
    side.room = box;
  }
}

void ArenaPair::zoomTogether(PanelContext &context) {
  float gutter = 0, headline = ImGui::GetTextLineHeight();
  double end = 1;
  for (const Side &side : sides_) {
    gutter = std::max(gutter, side.stack->gutterWidth(GutterShare * side.room.width()));
    headline = std::max(headline, side.stack->headlineHeight(side.room.width()));
    end = std::max(end, side.stack->end());
  }
  auto scale = static_cast<double>(sides_[1].view->scaleBytes);
  Region domain{{0, scale * 1.01}, {0, end}};
  size_t master = 1;
  for (size_t index : {0, 1}) {
    Side &side = sides_[index];
    side.parts = side.stack->partsOf(side.room, gutter, headline);
    zooms_[index].update(context, Ids[index], side.parts.area, side.parts.plot, domain, 0,
                         shownIn(index));
    if (zooms_[index].isHovered())
      master = index;
  }
  size_t other = 1 - master;
  zooms_[other].x = zooms_[master].x;
  zooms_[other].y = zooms_[master].y;
  const Box &plot = sides_[other].parts.plot;
  zooms_[other].x.place(plot.min.x, plot.width(), domain.x, 0);
  zooms_[other].y.place(plot.min.y, plot.height(), domain.y, 0);
}

std::optional<Region> ArenaPair::shownIn(size_t index) const {
  return sides_[index].stack->regionOf(shown_[index].buffer());
}

// From where the buffer was to where it is.
void ArenaPair::drawLink(const Picture &picture) const {
  std::optional<Region> before = shownIn(0), after = shownIn(1);
  if (!before || !after)
    return;
  auto at = [&](size_t index, double byte, double point) {
    const Box &plot = sides_[index].parts.plot;
    return ImVec2(std::clamp(zooms_[index].pixelX(byte), plot.min.x, plot.max.x),
                  std::clamp(zooms_[index].pixelY(point), plot.min.y, plot.max.y));
  };
  auto middle = [](const Stretch &stretch) { return (stretch.begin + stretch.end) / 2; };
  ImVec2 from =
      isBeside_ ? at(0, before->x.end, middle(before->y)) : at(0, middle(before->x), before->y.end);
  ImVec2 to =
      isBeside_ ? at(1, after->x.begin, middle(after->y)) : at(1, middle(after->x), after->y.begin);
  picture.list->AddLine(from, to, picture.color(Meaning::Accent), 2 * picture.scale);
  picture.list->AddCircleFilled(to, 4 * picture.scale, picture.color(Meaning::Accent));
}

void ArenaPair::point(PanelContext &context, const CompareView &view, size_t index) {
  Side &side = sides_[index];
  if (!zooms_[index].isHovered())
    return;
  PanelContext local = contextOf(context, side);
  Pick pick = side.stack->bufferAt(local, side.parts);
  if (!pick.buffer)
    return;
  if (index == 0)
    pick.buffer = keyIn(view, *pick.buffer, 0, 1);
  context.selection.hovered = pick;
  if (zooms_[index].isClicked())
    context.selection.pin(pick);
}

} // namespace tilescope
