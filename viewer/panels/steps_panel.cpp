// Panel `steps`: what a block did to shared memory when it was run, step by step. A step is chosen
// by a click, by a drag along the steps or by arrow keys.
#include "core/views/steps_model.h"
#include "viewer/panels/widgets/byte_ruler.h"
#include "viewer/panels/widgets/steps_plot.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// "reads K_shared[0]: [0, 8,192)", and the like.
std::string touchesText(const StepsView &view) {
  std::string text;
  for (const TouchedBytes &touched : view.touches)
    text += (text.empty() ? "" : "; ") + toText(touched);
  return text;
}

std::vector<std::string> detailsOf(const BlockSteps &block, const StepBox &box, int64_t first) {
  const SteppedStatement &statement = block.statementOf(box.writer);
  auto numberOf = [&](size_t step) { return groupedNumber(first + static_cast<int64_t>(step)); };
  std::string iteration = iterationText(block, box.writer);
  std::vector<std::string> lines{
      slotNameOf(block, block.touches[box.touch]),
      llvm::formatv("[{0}, {1}), steps {2} to {3}{4}", groupedNumber(box.begin),
                    groupedNumber(box.end), numberOf(box.from), numberOf(box.until - 1),
                    box.isInFlight ? ": a copy is in flight" : ""),
      llvm::formatv("written by statement %{0}{1}, step {2}{3}{4}", statement.stmt.value,
                    lineText(", line ", statement.span.line), numberOf(box.writer),
                    iteration.empty() ? "" : ", ", iteration),
      statement.text};
  return lines;
}

class StepsPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    takeKeys(context);
    const Trace &trace = *context.document.trace;
    const StepsView &view = view_.get({context.document.revision, context.selection.step},
                                      [&] { return buildSteps(trace, context.selection); });
    if (!view.missing.empty())
      return drawEmpty(context, "No run of a block is recorded.",
                       "tilescope exec KERNEL --trace FILE --steps BLOCK records one.");
    shown_.update(context);
    auto launch = static_cast<size_t>(view.launch);
    const StepsPicture &steps = picture_.get({context.document.revision, view.launch},
                                             [&] { return stepsPictureOf(trace, launch); });
    drawPlot(context, view, StepsPlot(trace.execution->blocks[launch], steps, zoom_));
  }

private:
  struct Key {
    uint64_t revision = 0;
    int64_t number = 0;

    friend bool operator==(const Key &, const Key &) = default;
  };

  static void choose(PanelContext &context, int64_t step) {
    const ExecutionRecord &execution = *context.document.trace->execution;
    std::optional<LaunchStep> at = launchStepOf(execution, step);
    if (!at)
      return;
    const SteppedStatement &statement = execution.blocks[at->launch].statementOf(at->step);
    context.selection.chooseStep(step, statement.stmt, statement.span.line);
  }

  // By one step; with Shift to the next one of the same statement.
  static void takeKeys(PanelContext &context) {
    const CommandSet &commands = context.commands;
    int steps = commands.has(Command::MoveRight) - commands.has(Command::MoveLeft);
    int same = commands.has(Command::NudgeRight) - commands.has(Command::NudgeLeft);
    const Trace &trace = *context.document.trace;
    int64_t count = stepCountOf(trace), step = context.selection.step;
    if (!context.hasFocus || count == 0 || steps + same == 0)
      return;
    if (step < 0)
      return choose(context, steps + same > 0 ? 0 : count - 1);
    if (steps != 0)
      return choose(context, step + steps);
    choose(context, nextOfStatement(*trace.execution, step, same).value_or(step));
  }

  void drawPlot(PanelContext &context, const StepsView &view, const StepsPlot &steps) {
    Picture picture(context.theme);
    ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    Box area{min, ImVec2(min.x + room.x, min.y + room.y)};
    area.min.y = drawText(context, view, picture, area);
    float gutterWidth = StepsPlot::gutterWidth(picture, view), ruler = area.min.y;
    area.min.y += ByteRuler::heightIn(picture);
    Box plot{ImVec2(area.min.x + gutterWidth, area.min.y), area.max};
    Box gutter{area.min, ImVec2(plot.min.x, area.max.y)};
    zoom_.update(context, "steps", area, plot, steps.domain(), 0, std::nullopt);
    ByteRuler bytes(picture, zoom_.x, area.min.x, area.max.x, {});
    int64_t first = view.launches[static_cast<size_t>(view.launch)].firstStep;
    picture.clip({ImVec2(area.min.x, ruler), area.max});
    bytes.drawAbove(ruler);
    steps.draw(picture, gutter, plot, first, shown_);
    bytes.drawUnder(plot);
    steps.drawStep(picture, gutter, plot, static_cast<size_t>(view.step - first));
    picture.unclip();
    zoom_.drawBars(context);
    takeMouse(context, steps, gutter, plot, first);
    context.places.note("steps plot", ImVec4(plot.min.x, plot.min.y, plot.max.x, plot.max.y));
    context.places.note("steps gutter",
                        ImVec4(gutter.min.x, gutter.min.y, gutter.max.x, gutter.max.y));
  }

  // The step, above the plot; where the text ends.
  static float drawText(PanelContext &context, const StepsView &view, const Picture &picture,
                        const Box &room) {
    float gap = picture.character / 2, width = room.width() - 2 * gap;
    Box at{ImVec2(room.min.x + gap, room.min.y), room.max};
    std::string heading = headingOf(view);
    for (const auto &[text, meaning] :
         {std::pair(launchText(view), Meaning::Quiet), std::pair(heading, Meaning::Accent),
          std::pair(touchesText(view), Meaning::Text)}) {
      std::vector<std::string> lines = linesOfHeadline(text, width);
      picture.lines(at, lines, picture.color(meaning));
      at.min.y += static_cast<float>(lines.size()) * picture.line;
    }
    context.places.note(heading, ImVec4(room.min.x, room.min.y, room.max.x, at.min.y));
    return at.min.y + 2 * picture.scale;
  }

  void takeMouse(PanelContext &context, const StepsPlot &steps, const Box &gutter, const Box &plot,
                 int64_t first) {
    ImVec2 mouse = zoom_.mouse(), pressed = ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left];
    auto stepAt = [&] { return first + static_cast<int64_t>(steps.stepAt(mouse.y)); };
    if (zoom_.isHovered() && gutter.contains(mouse)) {
      zoom_.keepNextDrag();
      ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    }
    if (zoom_.keptDrag() && gutter.contains(pressed))
      choose(context, stepAt());
    if (!zoom_.isHovered())
      return;
    const StepBox *box = plot.contains(mouse) ? steps.boxAt(mouse) : nullptr;
    if (box) {
      const BlockSteps &block = steps.block();
      const StepTouch &touch = block.touches[box->touch];
      showDetails(context.theme, detailsOf(block, *box, first));
      Pick pick = pickOf(context, touch.buffer, versionOf(block, touch));
      context.selection.hovered = pick;
      if (zoom_.isClicked())
        context.selection.pin(pick);
    }
    if (zoom_.isClicked())
      choose(context, stepAt());
  }

  CachedView<StepsView, Key> view_;       // by step
  CachedView<StepsPicture, Key> picture_; // by launch
  ShownPick shown_;
  ZoomView zoom_;
};

} // namespace

std::unique_ptr<Panel> makeStepsPanel() { return std::make_unique<StepsPanel>(); }

} // namespace tilescope
