#include "viewer/panels/widgets/text_pane.h"

#include "core/views/words.h"
#include "viewer/panels/widgets/table.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace tilescope {

const TextPick &TextPane::RememberedPick::update(const Pick &now, const Content &content) {
  if (version != content.version || !(pick == now)) {
    inText = TextPick(now, content.buffers);
    pick = now;
    version = content.version;
  }
  return inText;
}

void TextPane::readRows(const Content &content, const Selection &selection) {
  isQueryNew_ = selection.query != queryText_;
  if (isQueryNew_) {
    queryText_ = selection.query;
    query_.reset();
    if (!queryText_.empty())
      query_.emplace(queryText_);
    hasMarks_ = false;
  }
  isFirst_ = !version_;
  isNew_ = version_ != content.version;
  if (!isNew_)
    return;
  version_ = content.version;
  hasMarks_ = false;
  widest_ = 0;
  greatestNumber_ = 0;
  for (size_t row = 0; row != content.rows.count(); ++row)
    for (size_t column = 0; column != content.rows.columnCount(); ++column)
      if (std::optional<TextLine> line = content.rows.at(row, column)) {
        widest_ = std::max<size_t>(widest_, line->shown().end - line->shown().begin + line->indent);
        greatestNumber_ = std::max(greatestNumber_, line->number);
      }
  auto lineAt = [&](size_t row) { return lineOf(content.rows, row); };
  changeList_.find(content.rows.count(), lineAt, /*areTheSame=*/!content.isStep);
}

float TextPane::contentWidth(const TextStyle &style, size_t columnCount, float width) const {
  if (isWrapped_)
    return 1;
  float text = static_cast<float>(widest_ + 1) * style.charWidth;
  float columnWidth = width / static_cast<float>(columnCount);
  float beyond = 0;
  for (size_t column = 0; column != columnCount; ++column)
    beyond = std::max(beyond, geometry_.textLeft[column] + text - columnWidth);
  return width + beyond;
}

// Number, mark, margin, text; the margin belongs to the last column.
void TextPane::layOut(const Content &content, const TextStyle &style, float width) {
  size_t columnCount = content.rows.columnCount();
  size_t digits = std::max<size_t>(3, std::to_string(greatestNumber_).size());
  geometry_.columnWidth = width / static_cast<float>(columnCount);
  geometry_.markLeft = style.charWidth * (static_cast<float>(digits) + 1);
  for (size_t column = 0; column != columnCount; ++column)
    geometry_.textLeft[column] = geometry_.markLeft + 2 * style.charWidth;
  if (content.margin)
    geometry_.textLeft[columnCount - 1] += content.margin->width(style);
}

void TextPane::drawContent(PanelContext &context, const Content &content) {
  readRows(content, context.selection);
  float rulerWidth = content.hasRuler ? OverviewRuler::width(context.theme) : 0;
  float width = std::max(ImGui::GetContentRegionAvail().x - rulerWidth, 1.0F);
  TextStyle style{context.theme,
                  content.buffers,
                  pinned_.update(context.selection.pinned, content),
                  hovered_.update(context.selection.preview(), content),
                  query_ ? &*query_ : nullptr,
                  advanceOfFont(),
                  ImGui::GetTextLineHeight() + 2 * context.theme.scale,
                  width};
  drawVersionUses(context, content, style);
  goToChange(context.commands, style);
  ImVec2 topLeft = ImGui::GetCursorScreenPos();
  ImVec2 size(width, std::max(ImGui::GetContentRegionAvail().y, 1.0F));
  layOut(content, style, size.x);
  geometry_.topLeft = topLeft;
  geometry_.bottomRight = {topLeft.x + size.x, topLeft.y + size.y};
  float height = static_cast<float>(content.rows.count()) * style.lineHeight;
  ImGui::SetNextWindowContentSize(
      {contentWidth(style, content.rows.columnCount(), size.x), height});
  std::optional<float> scrollY = wantedScroll(content, style, context.selection);
  if (scrollY)
    scrollY = std::clamp(*scrollY, 0.0F, height);
  std::optional<float> scrollX =
      wantedScrollX(content, style, scrollY.value_or(geometry_.scroll.y));
  if (scrollX || scrollY)
    ImGui::SetNextWindowScroll({scrollX.value_or(-1), scrollY.value_or(-1)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2());
  ImGui::BeginChild("text", size, false, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleVar();
  const ImRect &inner = ImGui::GetCurrentWindow()->InnerRect;
  geometry_.topLeft = inner.Min;
  geometry_.bottomRight = inner.Max;
  geometry_.scroll = {ImGui::GetScrollX(), ImGui::GetScrollY()};
  geometry_.columnWidth = inner.GetWidth() / static_cast<float>(content.rows.columnCount());
  size_t visible = static_cast<size_t>(inner.GetHeight() / style.lineHeight) + 2;
  geometry_.first =
      std::min(content.rows.count(), static_cast<size_t>(geometry_.scroll.y / style.lineHeight));
  geometry_.last = std::min(content.rows.count(), geometry_.first + visible);
  point(context, content, style);
  hovered_.update(context.selection.preview(), content);
  drawRows(content, style);
  keepAnchors(content, style);
  if (context.hasFocus && context.copied && context.commands.has(Command::Copy))
    *context.copied = pinnedText(content, style);
  noteChange(context, content, style);
  ImGui::EndChild();
  context.places.note(content.place);
  if (isWrapped_ && breaks_.isAnyBroken())
    context.places.note(std::string(content.place) + " wrapped");
  if (!content.hasRuler)
    return;
  findMarks(content, style);
  drawRuler(style, content, {topLeft.x + size.x, topLeft.y}, {rulerWidth, size.y});
}

// What a line says under the pointer left of its text; "": nothing.
static std::string gutterText(const TextLine &line) {
  std::string text;
  if (!line.before.empty())
    text = "before: " + line.before.trim().str();
  if (line.sourceLine.isCarried)
    text += (text.empty() ? "" : "\n") +
            lineText("line ", line.sourceLine, " of the kernel file\n") + CarriedMeaning;
  return text;
}

static llvm::StringRef wordAt(llvm::StringRef text, size_t byte) {
  size_t begin = std::min(byte, text.size()), end = begin;
  while (begin > 0 && isWordByte(text[begin - 1]))
    --begin;
  while (end < text.size() && isWordByte(text[end]))
    ++end;
  return text.slice(begin, end);
}

void TextPane::point(PanelContext &context, const Content &content, const TextStyle &style) {
  ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || mouse.x < geometry_.topLeft.x || mouse.y < geometry_.topLeft.y ||
      mouse.x >= geometry_.bottomRight.x || mouse.y >= geometry_.bottomRight.y)
    return;
  auto row =
      static_cast<size_t>((mouse.y - geometry_.topLeft.y + geometry_.scroll.y) / style.lineHeight);
  if (row >= content.rows.count())
    return;
  size_t columnCount = content.rows.columnCount();
  auto column = std::min(columnCount - 1, static_cast<size_t>((mouse.x - geometry_.topLeft.x) /
                                                              geometry_.columnWidth));
  std::optional<TextLine> line = content.rows.at(row, column);
  if (!line)
    return;
  float x = mouse.x - geometry_.topLeft.x - static_cast<float>(column) * geometry_.columnWidth;
  // The buffer stays: moving over a text is no reason to let go of it.
  Pick pick = context.selection.pinned;
  pick.stmt = line->stmt;
  pick.sourceLine = line->sourceLine;
  Pick pinning;
  pinning.stmt = line->stmt;
  pinning.sourceLine = line->sourceLine;
  float marginLeft = geometry_.markLeft + 2 * style.charWidth;
  if (x >= geometry_.textLeft[column]) {
    uint32_t byte = byteAt(style, *line, x - geometry_.textLeft[column] + geometry_.scroll.x);
    for (const BufferSpan &name : line->names)
      if (const NamedBuffer *buffer = findBuffer(content.buffers, name.buffer);
          buffer && byte >= name.begin && byte < name.end) {
        pick = pinning = Pick::ofBuffer(buffer->key);
        pick.version = pinning.version = name.version.value_or(-1);
      }
    if (!pick.buffer && content.meaningOf)
      if (llvm::StringRef meaning = content.meaningOf(wordAt(line->text, byte)); !meaning.empty())
        showTooltip(meaning);
  } else if (content.margin && column + 1 == columnCount && x >= marginLeft) {
    if (Pick there = content.margin->pickAt(style, row, x - marginLeft); !there.isEmpty())
      pick = pinning = there;
  } else if (std::string text = gutterText(*line); !text.empty()) {
    ImGui::SetTooltip("%s", text.c_str());
  }
  context.selection.hovered = pick;
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    return;
  seenPin_ = pinning;
  context.selection.pin(pinning);
}

void TextPane::drawCell(const TextStyle &style, const TextLine &line, size_t row,
                        size_t column) const {
  ImDrawList &list = *ImGui::GetWindowDrawList();
  float left = geometry_.topLeft.x + static_cast<float>(column) * geometry_.columnWidth;
  float right = left + geometry_.columnWidth;
  float top = geometry_.yOfRow(row, style.lineHeight);
  float textTop = top + style.theme.scale;
  drawLineBackground(list, style, line, {left, top}, {right, top + style.lineHeight});
  std::string number = line.number && !line.isContinued ? std::to_string(line.number) : "";
  list.AddText({left + geometry_.markLeft -
                    static_cast<float>(number.size() + 1) * style.charWidth + style.charWidth / 2,
                textTop},
               style.theme.color(Meaning::Quiet), number.c_str());
  if (!line.isContinued)
    drawLineMark(list, style, line.kind, {left + geometry_.markLeft, textTop});
  float textLeft = left + geometry_.textLeft[column];
  ImGui::PushClipRect({textLeft, geometry_.topLeft.y}, {right, geometry_.bottomRight.y}, true);
  drawLineText(list, style, line, {textLeft - geometry_.scroll.x, textTop});
  ImGui::PopClipRect();
}

void TextPane::drawNothing(const TextStyle &style, size_t row, size_t column) const {
  float left = geometry_.topLeft.x + static_cast<float>(column) * geometry_.columnWidth;
  float top = geometry_.yOfRow(row, style.lineHeight);
  ImGui::GetWindowDrawList()->AddRectFilled({left, top},
                                            {left + geometry_.columnWidth, top + style.lineHeight},
                                            style.theme.color(Meaning::Faint, 0.6F));
}

void TextPane::drawRows(const Content &content, const TextStyle &style) const {
  size_t columnCount = content.rows.columnCount();
  for (size_t column = 0; column != columnCount; ++column)
    for (size_t row = geometry_.first; row != geometry_.last; ++row)
      if (std::optional<TextLine> line = content.rows.at(row, column))
        drawCell(style, *line, row, column);
      else
        drawNothing(style, row, column);
  ImDrawList &list = *ImGui::GetWindowDrawList();
  float lastLeft =
      geometry_.topLeft.x + static_cast<float>(columnCount - 1) * geometry_.columnWidth;
  if (columnCount > 1)
    list.AddLine({lastLeft, geometry_.topLeft.y}, {lastLeft, geometry_.bottomRight.y},
                 style.theme.color(Meaning::Border), style.theme.scale);
  if (content.margin)
    content.margin->draw(list, style,
                         {lastLeft + geometry_.markLeft + 2 * style.charWidth,
                          geometry_.yOfRow(geometry_.first, style.lineHeight)},
                         geometry_.first, geometry_.last);
}

} // namespace tilescope
