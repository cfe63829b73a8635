#include "viewer/panels/widgets/arena_drag.h"

#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr size_t MostLines = 6; // of reasons

std::string closingOf(const PanelContext &context, const ArenaMove &move, const ArenaRow &row) {
  if (!context.document.isLive)
    return "recorded: r compiles it here, then it can be moved";
  if (!move.isSound())
    return "it stays at " + groupedNumber(row.offsetBytes);
  return "an edit after the pass that places it, which all checks follow";
}

} // namespace

ArenaDrag::Target ArenaDrag::targetOf(const ArenaStack &arenas, BufferId pinned) {
  const ArenaLayout *layout = pinned.isValid() ? arenas.layoutOf(pinned) : nullptr;
  if (!layout || layout->function().preview)
    return {};
  return {layout, *layout->rowOf(pinned)};
}

void ArenaDrag::hold(PanelContext &context, const Target &target, int64_t offsetBytes) {
  held_ = {target.buffer().buffer, PassKey::of(context),
           judgeMove(target.function(), target.row, offsetBytes)};
}

bool ArenaDrag::ask(PanelContext &context, const Target &target) const {
  if (!held_->move.isSound() || !context.document.isLive)
    return false;
  if (held_->move.offsetBytes != target.buffer().offsetBytes)
    context.kernel.setOffset(held_->buffer, held_->move.offsetBytes);
  return true;
}

void ArenaDrag::takeMouse(PanelContext &context, ZoomView &zoom, const Target &target,
                          bool isOver) {
  if (isOver) {
    zoom.keepNextDrag();
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  }
  std::optional<ImVec2> dragged = zoom.keptDrag();
  if (!dragged) {
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      held_.reset();
    return;
  }
  double offset = static_cast<double>(target.buffer().offsetBytes) +
                  static_cast<double>(dragged->x) / zoom.x.unitPixels();
  hold(context, target, alignedOffset(target.buffer(), offset));
  if (zoom.isKeptDropped())
    held_->isDropped = !ask(context, target);
}

void ArenaDrag::takeKeys(PanelContext &context, const Target &target) {
  const CommandSet &commands = context.commands;
  int touches = commands.has(Command::MoveRight) - commands.has(Command::MoveLeft);
  int nudges = commands.has(Command::NudgeRight) - commands.has(Command::NudgeLeft);
  if (touches == 0 && nudges == 0)
    return;
  const ArenaRow &row = target.buffer();
  int64_t from = held_ && !held_->isDropped ? held_->move.offsetBytes : row.offsetBytes;
  int64_t to = touches != 0
                   ? nextTouch(target.function(), target.row, from, touches)
                   : alignedOffset(row, static_cast<double>(from + nudges * row.alignmentBytes));
  hold(context, target, to);
  ask(context, target);
}

void ArenaDrag::update(PanelContext &context, ZoomView &zoom, const ArenaStack &arenas,
                       const ArenaParts &parts, const Picture &picture, const Pick &hovered) {
  const std::optional<BufferKey> &pinned = context.selection.pinned.buffer;
  BufferId buffer;
  for (const BufferRecord &record : *context.state()->snapshot().buffers)
    if (pinned && record.key == *pinned)
      buffer = record.id;
  Target target = targetOf(arenas, buffer);
  if (held_ &&
      (!target.layout || held_->buffer != buffer || !(held_->shown == PassKey::of(context))))
    held_.reset();
  if (!target.layout)
    return;
  takeMouse(context, zoom, target, hovered.buffer == pinned);
  if (context.hasFocus)
    takeKeys(context, target);
  if (held_)
    draw(context, target, picture, parts.plot);
}

void ArenaDrag::draw(PanelContext &context, const Target &target, const Picture &picture,
                     const Box &plot) const {
  const ArenaMove &move = held_->move;
  const ArenaRow &row = target.buffer();
  auto boxOf = [&](int64_t begin, int64_t end, const LiveInterval &points) {
    double first = target.layout->pointRow();
    return target.layout->boxOf(Region{{static_cast<double>(begin), static_cast<double>(end)},
                                       {first + points.begin, first + points.end}});
  };
  picture.clip(plot);
  for (const LiveInterval &points : row.live) {
    if (held_->isDropped)
      break;
    Box box = boxOf(move.offsetBytes, move.offsetBytes + row.sizeBytes, points);
    picture.fill(box, picture.theme.bufferFill(row.hueDegrees, 0.5F));
    picture.outline(box, picture.color(move.isSound() ? Meaning::Accent : Meaning::Bad), 2);
  }
  for (const ArenaConflict &conflict : move.conflicts) {
    Box box = boxOf(conflict.beginBytes, conflict.endBytes, conflict.points);
    picture.fill(box, picture.color(Meaning::BadFill));
    picture.hatch(box, picture.color(Meaning::Bad));
    picture.outline(box, picture.color(Meaning::Bad), 2);
  }
  drawVerdict(context, target, picture, plot);
  picture.unclip();
}

// At the bottom of the plot, where the pointer hides nothing of it.
void ArenaDrag::drawVerdict(PanelContext &context, const Target &target, const Picture &picture,
                            const Box &plot) const {
  const ArenaMove &move = held_->move;
  std::string verdict = toText(move, target.function());
  float gap = picture.character, room = plot.width() - 4 * gap;
  std::vector<std::string> lines = linesOfHeadline(verdict, room);
  if (lines.size() > MostLines) {
    lines.resize(MostLines);
    lines.push_back("... and more");
  }
  llvm::append_range(lines, linesOfHeadline(closingOf(context, move, target.buffer()), room));
  float width = 0;
  for (const std::string &line : lines)
    width = std::max(width, picture.widthOf(line));
  Box box{ImVec2(plot.min.x + gap,
                 plot.max.y - 2 * gap - static_cast<float>(lines.size()) * picture.line),
          ImVec2(plot.min.x + 3 * gap + width, plot.max.y - gap)};
  picture.fill(box, picture.color(Meaning::Raised));
  Meaning meaning = move.isSound() ? Meaning::Accent : Meaning::Bad;
  picture.outline(box, picture.color(meaning));
  picture.lines({ImVec2(box.min.x + gap, box.min.y + gap / 2), box.max}, lines,
                picture.color(meaning));
  context.places.note((move.isSound() ? "move sound: " : "move refused: ") + verdict,
                      ImVec4(box.min.x, box.min.y, box.max.x, box.max.y));
}

} // namespace tilescope
