// Colours by what they mean, fonts, and the scale of the screen.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>

namespace tilescope {

// Red is for conflicts, failures and what is over capacity, and for removed lines; nothing else.
enum class Meaning : uint8_t {
  Background,
  Raised, // tab strips, headings, menus
  Border,
  Text,
  Quiet, // secondary text, line numbers
  Faint, // rulers, grid
  Accent,
  Selected, // background of the pinned row
  Hovered,  // background of the hovered row
  Added,
  AddedWord,
  Removed,
  RemovedWord,
  Modified,
  ModifiedWord,
  Bad, // conflicts, failures, over capacity: text and outlines
  BadFill,
  Good,
  Notice, // changed, preview, warning
  Capacity,
  Occupancy,
  HighWater,
  Padding,
  Hit,     // of a search
  Keyword, // of code: pale, so that names of buffers stand out
  String,
  Number,
};
inline constexpr size_t MeaningCount = static_cast<size_t>(Meaning::Number) + 1;

class Theme {
public:
  static Theme dark();
  static Theme light();

  bool isDark() const { return isDark_; }
  ImU32 color(Meaning meaning) const { return colors_[static_cast<size_t>(meaning)]; }
  ImU32 color(Meaning meaning, float alpha) const;
  // Of a buffer: the same hue in every panel, picture, pass and run; see hueDegrees(BufferKey).
  // Any two of BufferColours can be told apart.
  ImU32 bufferFill(int hueDegrees, float alpha = 1) const;
  ImU32 bufferLine(int hueDegrees, float alpha = 1) const; // outlines, and text beside fills
  ImU32 bufferText(int hueDegrees) const;                  // on fills
  static constexpr float DimmedAlpha = 0.30F; // of fills beside what is emphasised: text is Quiet

  // Takes over the style of Dear ImGui.
  void apply() const;

  ImFont *mono = nullptr; // every text; set by whoever loads fonts
  ImFont *strong = nullptr;
  float scale = 1; // of all lengths that are given in pixels

private:
  static constexpr size_t Hues = 360;
  static Theme of(bool isDark, const ImU32 *colors);

  ImU32 colors_[MeaningCount] = {};
  std::array<ImU32, Hues> fills_ = {}, lines_ = {}, texts_ = {}; // by hue
  bool isDark_ = true;
};

} // namespace tilescope
