#include "viewer/panels/theme.h"

#include <algorithm>
#include <iterator>

namespace tilescope {

namespace {

constexpr ImU32 rgb(uint32_t value, uint32_t alpha = 255) {
  return IM_COL32((value >> 16) & 255, (value >> 8) & 255, value & 255, alpha);
}

// In the order of Meaning.
constexpr ImU32 DarkColors[] = {
    rgb(0x16181d),      // Background
    rgb(0x1f2229),      // Raised
    rgb(0x343944),      // Border
    rgb(0xdde1e8),      // Text
    rgb(0x8b93a1),      // Quiet
    rgb(0x2b2f38),      // Faint
    rgb(0x6aa9ff),      // Accent
    rgb(0x6aa9ff, 56),  // Selected
    rgb(0x6aa9ff, 28),  // Hovered
    rgb(0x3fb950, 40),  // Added
    rgb(0x3fb950, 105), // AddedWord
    rgb(0xf85149, 40),  // Removed
    rgb(0xf85149, 105), // RemovedWord
    rgb(0xd29922, 36),  // Modified
    rgb(0xd29922, 100), // ModifiedWord
    rgb(0xff6b62),      // Bad
    rgb(0xf85149, 120), // BadFill
    rgb(0x56c46a),      // Good
    rgb(0xe0ac3a),      // Notice
    rgb(0xdde1e8),      // Capacity
    rgb(0x9aa3b2),      // Occupancy
    rgb(0xb9a5ff),      // HighWater
    rgb(0x6b7280),      // Padding
    rgb(0xe0ac3a, 110), // Hit
};

constexpr ImU32 LightColors[] = {
    rgb(0xffffff),      // Background
    rgb(0xf1f3f6),      // Raised
    rgb(0xcdd3dc),      // Border
    rgb(0x1c2128),      // Text
    rgb(0x646d7a),      // Quiet
    rgb(0xe6e9ee),      // Faint
    rgb(0x1765cc),      // Accent
    rgb(0x1765cc, 44),  // Selected
    rgb(0x1765cc, 20),  // Hovered
    rgb(0x1a7f37, 30),  // Added
    rgb(0x1a7f37, 85),  // AddedWord
    rgb(0xcf222e, 26),  // Removed
    rgb(0xcf222e, 80),  // RemovedWord
    rgb(0xbf8700, 32),  // Modified
    rgb(0xbf8700, 95),  // ModifiedWord
    rgb(0xcf222e),      // Bad
    rgb(0xcf222e, 110), // BadFill
    rgb(0x1a7f37),      // Good
    rgb(0x8f6200),      // Notice
    rgb(0x1c2128),      // Capacity
    rgb(0x646d7a),      // Occupancy
    rgb(0x6a3fd0),      // HighWater
    rgb(0x9aa3b2),      // Padding
    rgb(0xe3b341, 130), // Hit
};

static_assert(std::size(DarkColors) == MeaningCount && std::size(LightColors) == MeaningCount);

// Hue in degrees; saturation and lightness in [0, 1].
ImU32 fromHsl(int hueDegrees, float saturation, float lightness, float alpha) {
  float value = lightness + saturation * std::min(lightness, 1 - lightness);
  float hsvSaturation = value > 0 ? 2 * (1 - lightness / value) : 0;
  ImVec4 color(0, 0, 0, alpha);
  ImGui::ColorConvertHSVtoRGB(static_cast<float>(hueDegrees) / 360, hsvSaturation, value, color.x,
                              color.y, color.z);
  return ImGui::ColorConvertFloat4ToU32(color);
}

} // namespace

Theme Theme::dark() {
  Theme theme;
  std::copy(std::begin(DarkColors), std::end(DarkColors), theme.colors_);
  return theme;
}

Theme Theme::light() {
  Theme theme;
  theme.isDark_ = false;
  std::copy(std::begin(LightColors), std::end(LightColors), theme.colors_);
  return theme;
}

ImU32 Theme::color(Meaning meaning, float alpha) const {
  ImVec4 color = ImGui::ColorConvertU32ToFloat4(this->color(meaning));
  color.w *= alpha;
  return ImGui::ColorConvertFloat4ToU32(color);
}

ImU32 Theme::bufferFill(int hueDegrees, float alpha) const {
  return isDark_ ? fromHsl(hueDegrees, 0.42F, 0.36F, alpha)
                 : fromHsl(hueDegrees, 0.60F, 0.80F, alpha);
}

ImU32 Theme::bufferLine(int hueDegrees, float alpha) const {
  return isDark_ ? fromHsl(hueDegrees, 0.62F, 0.70F, alpha)
                 : fromHsl(hueDegrees, 0.70F, 0.34F, alpha);
}

void Theme::apply() const {
  ImGuiStyle style;
  style.WindowRounding = style.ChildRounding = style.TabRounding = style.GrabRounding = 0;
  style.FrameRounding = style.PopupRounding = 3;
  style.WindowBorderSize = style.ChildBorderSize = 0;
  style.FramePadding = ImVec2(6, 3);
  style.ItemSpacing = ImVec2(6, 3);
  style.CellPadding = ImVec2(4, 1);
  style.ScrollbarSize = 11;
  style.ScaleAllSizes(scale);

  auto set = [&](ImGuiCol slot, Meaning meaning, float alpha = 1) {
    style.Colors[slot] = ImGui::ColorConvertU32ToFloat4(color(meaning, alpha));
  };
  set(ImGuiCol_Text, Meaning::Text);
  set(ImGuiCol_TextDisabled, Meaning::Quiet);
  set(ImGuiCol_WindowBg, Meaning::Background);
  // The window is cleared to the background: drawing it once more in each child costs a software
  // rasteriser milliseconds.
  set(ImGuiCol_ChildBg, Meaning::Background, 0);
  set(ImGuiCol_ScrollbarBg, Meaning::Background, 0);
  for (ImGuiCol slot : {ImGuiCol_PopupBg, ImGuiCol_MenuBarBg, ImGuiCol_FrameBg, ImGuiCol_TitleBg,
                        ImGuiCol_TitleBgActive, ImGuiCol_TableHeaderBg})
    set(slot, Meaning::Raised);
  for (ImGuiCol slot : {ImGuiCol_Border, ImGuiCol_Separator, ImGuiCol_ScrollbarGrab,
                        ImGuiCol_TableBorderStrong, ImGuiCol_TableBorderLight})
    set(slot, Meaning::Border);
  for (ImGuiCol slot : {ImGuiCol_Header, ImGuiCol_TextSelectedBg, ImGuiCol_ButtonActive})
    set(slot, Meaning::Selected);
  for (ImGuiCol slot : {ImGuiCol_HeaderHovered, ImGuiCol_ButtonHovered, ImGuiCol_FrameBgHovered})
    set(slot, Meaning::Hovered);
  for (ImGuiCol slot : {ImGuiCol_CheckMark, ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive,
                        ImGuiCol_SeparatorHovered, ImGuiCol_SeparatorActive, ImGuiCol_NavHighlight})
    set(slot, Meaning::Accent);
  set(ImGuiCol_HeaderActive, Meaning::Selected);
  set(ImGuiCol_FrameBgActive, Meaning::Selected);
  set(ImGuiCol_Button, Meaning::Faint);
  set(ImGuiCol_Tab, Meaning::Raised);
  set(ImGuiCol_TabUnfocused, Meaning::Raised);
  set(ImGuiCol_TabHovered, Meaning::Hovered);
  set(ImGuiCol_TabActive, Meaning::Background);
  set(ImGuiCol_TabUnfocusedActive, Meaning::Background);
  set(ImGuiCol_TableRowBg, Meaning::Background, 0);
  set(ImGuiCol_TableRowBgAlt, Meaning::Faint, 0.35F);
  ImGui::GetStyle() = style;
}

} // namespace tilescope
