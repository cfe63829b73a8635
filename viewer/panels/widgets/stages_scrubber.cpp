#include "viewer/panels/widgets/stages_scrubber.h"

#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// "line 66: T.cp_async(...)", then "K_shared[0] 2, K_shared[1] 3 in flight".
std::string detailsOf(const StagesMoment &moment) {
  std::string text;
  if (!moment.text.empty())
    text = lineText("line ", moment.sourceLine, ": ") + moment.text + "\n";
  const char *separator = "";
  for (const SlotAtMoment &slot : moment.slots) {
    text += separator + slot.name + "[" + std::to_string(slot.slot) + "] " + toText(slot);
    separator = ", ";
  }
  return text;
}

} // namespace

void chooseMoment(PanelContext &context, const StagesLoop &loop, int64_t tick) {
  StagesMoment moment = momentOf(*context.state(), loop, tick);
  context.selection.choose({loop.stages.loop, context.selection.pass, moment.tick}, moment.stmt,
                           moment.sourceLine);
}

// Without a moment they begin with the first or the last of the first loop.
void StagesScrubber::takeKeys(PanelContext &context, const StagesView &view) {
  const CommandSet &commands = context.commands;
  int ticks = commands.has(Command::MoveRight) - commands.has(Command::MoveLeft);
  int steps = commands.has(Command::NudgeRight) - commands.has(Command::NudgeLeft);
  int direction = ticks != 0 ? ticks : steps;
  if (!context.hasFocus || direction == 0)
    return;
  if (const StagesLoop *loop = loopOf(view, context.selection.moment, context.selection.pass)) {
    int64_t tick = context.selection.moment.tick;
    return chooseMoment(context, *loop, nextTick(*loop, tick, direction, ticks == 0));
  }
  auto first = llvm::find_if(view.loops, [](const StagesLoop &loop) {
    return tickCount(loop) > 0 && !loop.stages.isInRole;
  });
  if (first != view.loops.end())
    chooseMoment(context, *first, direction > 0 ? 0 : tickCount(*first) - 1);
}

const StagesMoment *StagesScrubber::update(PanelContext &context, const StagesView &view) {
  takeKeys(context, view);
  const Selection &selection = context.selection;
  const std::optional<StagesMoment> &moment =
      moment_.get({PassKey::of(context), selection.moment}, [&]() -> std::optional<StagesMoment> {
        const StagesLoop *loop = loopOf(view, selection.moment, selection.pass);
        return loop ? std::optional(momentOf(*context.state(), *loop, selection.moment.tick))
                    : std::nullopt;
      });
  shown_ = moment ? &*moment : nullptr;
  return shown_;
}

void StagesScrubber::takeMouse(PanelContext &context, ZoomView &zoom, const Box &plot,
                               const std::vector<StagesPlot> &plots) const {
  ImVec2 mouse = zoom.mouse(), pressed = ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left];
  for (const StagesPlot &each : plots) {
    Box steps = each.stepsOf(plot);
    if (zoom.isHovered() && steps.contains(mouse)) {
      zoom.keepNextDrag();
      ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    }
    bool isDragged = zoom.keptDrag() && steps.contains(pressed);
    if (isDragged || (zoom.isClicked() && steps.contains(mouse)))
      chooseMoment(context, each.loop(), each.tickAt(mouse.x));
    if (steps.height() > 0)
      context.places.note("steps of " + each.loop().stages.function,
                          ImVec4(steps.min.x, steps.min.y, steps.max.x, steps.max.y));
  }
}

float StagesScrubber::drawText(PanelContext &context, const Picture &picture,
                               const Box &room) const {
  if (!shown_)
    return room.min.y;
  float gap = picture.character / 2, width = room.width() - 2 * gap;
  Box at{ImVec2(room.min.x + gap, room.min.y), room.max};
  std::string heading = headingOf(*shown_);
  for (const auto &[text, meaning] :
       {std::pair(heading, Meaning::Accent), std::pair(detailsOf(*shown_), Meaning::Text)}) {
    std::vector<std::string> lines = linesOfHeadline(text, width);
    picture.lines(at, lines, picture.color(meaning));
    at.min.y += static_cast<float>(lines.size()) * picture.line;
  }
  context.places.note("moment " + heading, ImVec4(room.min.x, room.min.y, room.max.x, at.min.y));
  return at.min.y + 2 * picture.scale;
}

} // namespace tilescope
