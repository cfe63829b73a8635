#include "viewer/panels/theme.h"

#include "core/support/colour.h"

#include <algorithm>
#include <cmath>
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
    rgb(0x9aa2b0),      // Quiet
    rgb(0x2b2f38),      // Faint
    rgb(0x6aa9ff),      // Accent
    rgb(0x6aa9ff, 48),  // Selected
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
    rgb(0xc6d3f4),      // Keyword
    rgb(0xc9dcb6),      // String
    rgb(0xead4bb),      // Number
};

constexpr ImU32 LightColors[] = {
    rgb(0xffffff),      // Background
    rgb(0xf1f3f6),      // Raised
    rgb(0xcdd3dc),      // Border
    rgb(0x1c2128),      // Text
    rgb(0x59626f),      // Quiet
    rgb(0xe6e9ee),      // Faint
    rgb(0x155fc0),      // Accent
    rgb(0x155fc0, 40),  // Selected
    rgb(0x155fc0, 20),  // Hovered
    rgb(0x1a7f37, 30),  // Added
    rgb(0x1a7f37, 85),  // AddedWord
    rgb(0xcf222e, 26),  // Removed
    rgb(0xcf222e, 80),  // RemovedWord
    rgb(0xbf8700, 32),  // Modified
    rgb(0xbf8700, 95),  // ModifiedWord
    rgb(0xc01f2a),      // Bad
    rgb(0xcf222e, 110), // BadFill
    rgb(0x177231),      // Good
    rgb(0x855b00),      // Notice
    rgb(0x1c2128),      // Capacity
    rgb(0x59626f),      // Occupancy
    rgb(0x6a3fd0),      // HighWater
    rgb(0x9aa3b2),      // Padding
    rgb(0xe3b341, 130), // Hit
    rgb(0x35497f),      // Keyword
    rgb(0x40592c),      // String
    rgb(0x6b4a2a),      // Number
};

static_assert(std::size(DarkColors) == MeaningCount && std::size(LightColors) == MeaningCount);

float linear(float channel) {
  return channel <= 0.04045F ? channel / 12.92F : std::pow((channel + 0.055F) / 1.055F, 2.4F);
}

// Of sRGB: see the definition of relative luminance in WCAG 2.1.
float luminance(const ImVec4 &color) {
  return 0.2126F * linear(color.x) + 0.7152F * linear(color.y) + 0.0722F * linear(color.z);
}

// Hue in degrees; saturation and lightness of HSL in [0, 1].
ImVec4 fromHsl(size_t hueDegrees, float saturation, float lightness) {
  float value = lightness + saturation * std::min(lightness, 1 - lightness);
  float hsvSaturation = value > 0 ? 2 * (1 - lightness / value) : 0;
  ImVec4 color(0, 0, 0, 1);
  ImGui::ColorConvertHSVtoRGB(static_cast<float>(hueDegrees) / 360, hsvSaturation, value, color.x,
                              color.y, color.z);
  return color;
}

// As light as gives this luminance: the same lightness of HSL is bright in yellow and dark in blue.
ImU32 ofLuminance(size_t hueDegrees, float saturation, float wanted) {
  float low = 0, high = 1;
  for (int step = 0; step != 12; ++step) {
    float middle = (low + high) / 2;
    (luminance(fromHsl(hueDegrees, saturation, middle)) < wanted ? low : high) = middle;
  }
  return ImGui::ColorConvertFloat4ToU32(fromHsl(hueDegrees, saturation, (low + high) / 2));
}

// Colours of buffers, from the darkest to the lightest. Text of 4.5:1 bounds them: lines on the
// background and on selected rows, texts on fills.
struct BufferLook {
  float saturation = 0;
  float darkest = 0, lightest = 0; // luminance
};
struct BufferLooks {
  BufferLook fill, line;
  float textSaturation = 0;
};
constexpr BufferLooks DarkLooks = {{0.65F, 0.030F, 0.145F}, {0.80F, 0.325F, 0.80F}, 0.60F};
constexpr BufferLooks LightLooks = {{0.75F, 0.31F, 0.82F}, {0.90F, 0.032F, 0.131F}, 0.70F};
constexpr float BrightText = 0.86F; // luminance
constexpr float TextContrast = 4.7F;

// Even steps of the lightness of CIELAB, away from black.
float luminanceOf(const BufferLook &look, int hueDegrees) {
  float share = static_cast<float>(lightnessOf(hueDegrees)) / 100;
  return std::pow(std::lerp(std::cbrt(look.darkest), std::cbrt(look.lightest), share), 3.0F);
}

ImU32 withAlpha(ImU32 color, float alpha) {
  auto byte =
      static_cast<ImU32>(std::lround(static_cast<float>(color >> IM_COL32_A_SHIFT) * alpha));
  return (color & ~IM_COL32_A_MASK) | byte << IM_COL32_A_SHIFT;
}

size_t indexOf(int hueDegrees) { return static_cast<size_t>((hueDegrees % 360 + 360) % 360); }

} // namespace

Theme Theme::of(bool isDark, const ImU32 *colors) {
  Theme theme;
  theme.isDark_ = isDark;
  std::copy_n(colors, MeaningCount, theme.colors_);
  const BufferLooks &looks = isDark ? DarkLooks : LightLooks;
  for (size_t hue = 0; hue != Hues; ++hue) {
    float fill = luminanceOf(looks.fill, static_cast<int>(hue));
    float line = luminanceOf(looks.line, static_cast<int>(hue));
    float text = isDark ? BrightText : (fill + 0.05F) / TextContrast - 0.05F; // see WCAG 2.1
    theme.fills_[hue] = ofLuminance(hue, looks.fill.saturation, fill);
    theme.lines_[hue] = ofLuminance(hue, looks.line.saturation, line);
    theme.texts_[hue] = ofLuminance(hue, looks.textSaturation, text);
  }
  return theme;
}

Theme Theme::dark() {
  static const Theme Dark = of(true, DarkColors);
  return Dark;
}

Theme Theme::light() {
  static const Theme Light = of(false, LightColors);
  return Light;
}

ImU32 Theme::color(Meaning meaning, float alpha) const { return withAlpha(color(meaning), alpha); }

ImU32 Theme::bufferFill(int hueDegrees, float alpha) const {
  return withAlpha(fills_[indexOf(hueDegrees)], alpha);
}

ImU32 Theme::bufferLine(int hueDegrees, float alpha) const {
  return withAlpha(lines_[indexOf(hueDegrees)], alpha);
}

ImU32 Theme::bufferText(int hueDegrees) const { return texts_[indexOf(hueDegrees)]; }

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
  set(ImGuiCol_ModalWindowDimBg, Meaning::Background, 0.6F);
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
