#include "viewer/panels/widgets/picture.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float DashPixels = 4;
constexpr float HatchPixels = 6;
constexpr size_t LeastCharacters = 3; // a shorter stub tells nothing

bool isWord(char byte) { return llvm::isAlnum(byte) || byte == '_' || (byte & 0x80); }
bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// From `first` on, as long as it is less than `end`.
template <typename Draw> void forEachStep(float first, float end, float step, Draw draw) {
  float at = first;
  for (int count = 1; at < end; ++count) {
    draw(at);
    at = first + static_cast<float>(count) * step;
  }
}

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
  forEachStep(x1, x2, 2 * dash, [&](float x) { horizontal(x, std::min(x + dash, x2), y, color); });
}

void Picture::dashedVertical(float x, float y1, float y2, ImU32 color) const {
  float dash = DashPixels * scale;
  y1 = std::max(y1, list->GetClipRectMin().y - 2 * dash);
  y2 = std::min(y2, list->GetClipRectMax().y);
  forEachStep(y1, y2, 2 * dash, [&](float y) { vertical(x, y, std::min(y + dash, y2), color); });
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
  forEachStep(first, seen.max.x, step, [&](float x) {
    list->AddLine(ImVec2(x, seen.max.y), ImVec2(x + seen.height(), seen.min.y), color, scale);
  });
  unclip();
}

void Picture::zigzag(const Box &box, ImU32 color) const {
  float step = 3 * scale;
  float x1 = std::max(box.min.x, list->GetClipRectMin().x);
  float x2 = std::min(box.max.x, list->GetClipRectMax().x);
  bool isUp = false;
  forEachStep(x1, x2, step, [&](float x) {
    list->AddLine(ImVec2(x, isUp ? box.min.y : box.max.y),
                  ImVec2(std::min(x + step, x2), isUp ? box.max.y : box.min.y), color, scale);
    isUp = !isUp;
  });
}

float Picture::widthOf(llvm::StringRef text) const {
  return ImGui::CalcTextSize(text.begin(), text.end()).x;
}

// Between words where that leaves enough.
std::string Picture::cut(llvm::StringRef text, float width) const {
  auto count = static_cast<size_t>(std::max(width, 0.0F) / character);
  if (count < LeastCharacters + 1)
    return "";
  size_t end = std::min(text.size(), count - 1);
  while (end > 0 && end < text.size() && isContinuation(text[end]))
    --end;
  size_t word = end;
  while (word > 0 && word < text.size() && isWord(text[word]) && isWord(text[word - 1]))
    --word;
  if (2 * word >= end)
    end = word;
  return text.take_front(end).rtrim().str() + "\xE2\x80\xA6";
}

void Picture::text(ImVec2 at, llvm::StringRef text, ImU32 color) const {
  list->AddText(at, color, text.begin(), text.end());
}

// What is scrolled out is not cut.
bool Picture::isSeen(const Box &box) const {
  ImVec2 min = list->GetClipRectMin(), max = list->GetClipRectMax();
  return box.max.x > min.x && box.min.x < max.x && box.max.y > min.y && box.min.y < max.y;
}

void Picture::lines(const Box &box, llvm::ArrayRef<std::string> lines, ImU32 color) const {
  float y = box.min.y;
  for (const std::string &line : lines) {
    if (isSeen(box) && (widthOf(line) > box.width() + 1 || y + this->line > box.max.y + 1))
      CutTexts::note(TextKind::Label, line, "");
    text(ImVec2(box.min.x, std::round(y)), line, color);
    y += this->line;
  }
}

bool Picture::label(const Box &box, llvm::StringRef label, ImU32 color) const {
  if (box.height() < line * 0.9F) // rows that are zoomed out carry none
    return false;
  float y = std::round((box.min.y + box.max.y - line) / 2);
  bool fits = widthOf(label) <= box.width() + 1;
  if (fits)
    text(ImVec2(box.min.x, y), label, color);
  else if (isSeen(box))
    CutTexts::note(TextKind::Label, label, "");
  return fits;
}

void Picture::listing(const Box &box, llvm::StringRef label, ImU32 color) const {
  if (box.height() < line * 0.9F)
    return;
  bool fits = widthOf(label) <= box.width() + 1;
  std::string shown = fits ? label.str() : cut(label, box.width());
  if (!fits && isSeen(box))
    CutTexts::note(TextKind::Listing, label, shown);
  text(ImVec2(box.min.x, std::round((box.min.y + box.max.y - line) / 2)), shown, color);
}

bool Picture::centeredLabel(const Box &box, llvm::StringRef text, ImU32 color) const {
  Box inner = box;
  inner.min.x = std::max(box.min.x, std::round((box.min.x + box.max.x - widthOf(text)) / 2));
  return label(inner, text, color);
}

bool Picture::uprightLabel(const Box &box, llvm::StringRef label, ImU32 color) const {
  if (widthOf(label) > box.height() || box.width() < line * 0.9F) {
    if (isSeen(box))
      CutTexts::note(TextKind::Label, label, "");
    return false;
  }
  // Text is drawn from left to right and turned; what is outside of the clip rectangle would not be
  // drawn in the first place.
  list->PushClipRectFullScreen();
  int first = list->VtxBuffer.Size;
  text(ImVec2(0, 0), label, color);
  float x = std::round((box.min.x + box.max.x - line) / 2);
  float y = std::round((box.min.y + box.max.y + widthOf(label)) / 2);
  for (int i = first; i < list->VtxBuffer.Size; ++i) {
    ImVec2 &at = list->VtxBuffer[i].pos;
    at = ImVec2(x + at.y, y - at.x);
  }
  list->PopClipRect();
  return true;
}

void showDetails(const Theme &theme, llvm::ArrayRef<std::string> lines, const KernelLine &line) {
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
  if (line.isCarried)
    ImGui::TextUnformatted(CarriedMeaning);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

} // namespace tilescope
