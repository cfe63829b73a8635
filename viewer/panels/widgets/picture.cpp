#include "viewer/panels/widgets/picture.h"

#include "core/support/number_text.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float DashPixels = 4;
constexpr float HatchPixels = 6;
constexpr int MostTracks = 2;         // of labels above a byte axis
constexpr size_t LeastCharacters = 3; // a shorter stub tells nothing

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

} // namespace

Picture::Picture(const Theme &theme)
    : theme(theme), list(ImGui::GetWindowDrawList()), line(ImGui::GetTextLineHeight()),
      character(ImGui::CalcTextSize("0").x), scale(theme.scale) {}

void Picture::outline(const Box &box, ImU32 color, float thickness) const {
  list->AddRect(box.min, box.max, color, 0, 0, thickness * scale);
}

void Picture::horizontal(float x1, float x2, float y, ImU32 color, float thickness) const {
  list->AddRectFilled(ImVec2(x1, y), ImVec2(x2, y + thickness * scale), color);
}

void Picture::vertical(float x, float y1, float y2, ImU32 color, float thickness) const {
  list->AddRectFilled(ImVec2(x, y1), ImVec2(x + thickness * scale, y2), color);
}

void Picture::dashedHorizontal(float x1, float x2, float y, ImU32 color) const {
  float dash = DashPixels * scale;
  x1 = std::max(x1, list->GetClipRectMin().x - 2 * dash);
  x2 = std::min(x2, list->GetClipRectMax().x);
  for (float x = x1; x < x2; x += 2 * dash)
    horizontal(x, std::min(x + dash, x2), y, color);
}

void Picture::dashedVertical(float x, float y1, float y2, ImU32 color) const {
  float dash = DashPixels * scale;
  y1 = std::max(y1, list->GetClipRectMin().y - 2 * dash);
  y2 = std::min(y2, list->GetClipRectMax().y);
  for (float y = y1; y < y2; y += 2 * dash)
    vertical(x, y, std::min(y + dash, y2), color);
}

void Picture::dashedOutline(const Box &box, ImU32 color) const {
  dashedHorizontal(box.min.x, box.max.x, box.min.y, color);
  dashedHorizontal(box.min.x, box.max.x, box.max.y - scale, color);
  dashedVertical(box.min.x, box.min.y, box.max.y, color);
  dashedVertical(box.max.x - scale, box.min.y, box.max.y, color);
}

void Picture::hatch(const Box &box, ImU32 color) const {
  Box seen{ImVec2(std::max(box.min.x, list->GetClipRectMin().x),
                  std::max(box.min.y, list->GetClipRectMin().y)),
           ImVec2(std::min(box.max.x, list->GetClipRectMax().x),
                  std::min(box.max.y, list->GetClipRectMax().y))};
  if (seen.width() <= 0 || seen.height() <= 0)
    return;
  clip(seen);
  float step = HatchPixels * scale;
  float first = std::floor((seen.min.x - seen.height()) / step) * step;
  for (float x = first; x < seen.max.x; x += step)
    list->AddLine(ImVec2(x, seen.max.y), ImVec2(x + seen.height(), seen.min.y), color, scale);
  unclip();
}

void Picture::zigzag(const Box &box, ImU32 color) const {
  float step = 3 * scale;
  float x1 = std::max(box.min.x, list->GetClipRectMin().x);
  float x2 = std::min(box.max.x, list->GetClipRectMax().x);
  bool isUp = false;
  for (float x = x1; x < x2; x += step, isUp = !isUp)
    list->AddLine(ImVec2(x, isUp ? box.min.y : box.max.y),
                  ImVec2(std::min(x + step, x2), isUp ? box.max.y : box.min.y), color, scale);
}

float Picture::widthOf(llvm::StringRef text) const {
  return ImGui::CalcTextSize(text.begin(), text.end()).x;
}

std::string Picture::cut(llvm::StringRef text, float width) const {
  auto count = static_cast<size_t>(std::max(width, 0.0F) / character);
  if (count < LeastCharacters + 1)
    return "";
  size_t end = std::min(text.size(), count - 1);
  while (end > 0 && end < text.size() && isContinuation(text[end]))
    --end;
  return text.take_front(end).str() + "\xE2\x80\xA6";
}

void Picture::text(ImVec2 at, llvm::StringRef text, ImU32 color) const {
  list->AddText(at, color, text.begin(), text.end());
}

bool Picture::label(const Box &box, llvm::StringRef label, ImU32 color) const {
  if (box.height() < line * 0.9F)
    return false;
  float y = std::round((box.min.y + box.max.y - line) / 2);
  if (widthOf(label) <= box.width()) {
    text(ImVec2(box.min.x, y), label, color);
    return true;
  }
  text(ImVec2(box.min.x, y), cut(label, box.width()), color);
  return false;
}

void Picture::hoverLabel(const Box &box, llvm::StringRef text, ImU32 color) const {
  if (!label(box, text, color) && ImGui::IsWindowHovered() && box.contains(ImGui::GetIO().MousePos))
    showTooltip(text);
}

bool Picture::centeredLabel(const Box &box, llvm::StringRef text, ImU32 color) const {
  float width = widthOf(text);
  if (width > box.width())
    return label(box, text, color);
  Box inner = box;
  inner.min.x = std::round((box.min.x + box.max.x - width) / 2);
  return label(inner, text, color);
}

void Picture::uprightLabel(const Box &box, llvm::StringRef label, ImU32 color) const {
  std::string shown = widthOf(label) <= box.height() ? label.str() : cut(label, box.height());
  if (shown.empty() || box.width() < line * 0.9F)
    return;
  // Text is drawn from left to right and turned; what is outside of the clip rectangle would not be
  // drawn in the first place.
  list->PushClipRectFullScreen();
  int first = list->VtxBuffer.Size;
  text(ImVec2(0, 0), shown, color);
  float x = std::round((box.min.x + box.max.x - line) / 2);
  float y = std::round((box.min.y + box.max.y + widthOf(shown)) / 2);
  for (int i = first; i < list->VtxBuffer.Size; ++i) {
    ImVec2 &at = list->VtxBuffer[i].pos;
    at = ImVec2(x + at.y, y - at.x);
  }
  list->PopClipRect();
}

void showDetails(const Theme &theme, llvm::ArrayRef<std::string> lines) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::CalcTextSize("0").x * 80);
  for (size_t i = 0; i != lines.size(); ++i) {
    ImFont *font = i == 0 && theme.strong ? theme.strong : nullptr;
    if (font)
      ImGui::PushFont(font);
    ImGui::TextUnformatted(lines[i].data(), lines[i].data() + lines[i].size());
    if (font)
      ImGui::PopFont();
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

} // namespace tilescope
