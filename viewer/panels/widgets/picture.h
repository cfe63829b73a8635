// What pictures are drawn with: labels that stand where they fit, hatching, dashes.
#pragma once

#include "viewer/panels/widgets/cut_texts.h"
#include "viewer/panels/widgets/table.h"
#include "viewer/panels/widgets/zoom_view.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace tilescope {

// Draws into the current window, in the colours of the theme.
class Picture {
public:
  explicit Picture(const Theme &theme);

  const Theme &theme;
  ImDrawList *list;
  float line;      // height of a line of text
  float character; // width of a digit
  float scale;     // of lengths in pixels

  ImU32 color(Meaning meaning, float alpha = 1) const { return theme.color(meaning, alpha); }

  void fill(const Box &box, ImU32 color) const { list->AddRectFilled(box.min, box.max, color); }
  void outline(const Box &box, ImU32 color, float thickness = 1) const;
  void dashedOutline(const Box &box, ImU32 color) const;
  void hatch(const Box &box, ImU32 color) const;
  void horizontal(float x1, float x2, float y, ImU32 color, float thickness = 1) const;
  void vertical(float x, float y1, float y2, ImU32 color, float thickness = 1) const;
  void dashedHorizontal(float x1, float x2, float y, ImU32 color) const;
  void dashedVertical(float x, float y1, float y2, ImU32 color) const;
  // What is too small to be told apart.
  void zigzag(const Box &box, ImU32 color) const;

  float widthOf(llvm::StringRef text) const;
  // At the left edge and the middle of the height; nothing where not all of it fits. Whether it
  // stands there.
  bool label(const Box &box, llvm::StringRef text, ImU32 color) const;
  bool centeredLabel(const Box &box, llvm::StringRef text, ImU32 color) const;
  // Code and names that users give: ends in an ellipsis where it is too long. Whoever draws it
  // shows all of it while the pointer is over it.
  void listing(const Box &box, llvm::StringRef text, ImU32 color) const;
  // Lines below each other from the top of the box.
  void lines(const Box &box, llvm::ArrayRef<std::string> lines, ImU32 color) const;
  // Reads upwards, in the middle of the box; nothing where not all of it fits.
  bool uprightLabel(const Box &box, llvm::StringRef text, ImU32 color) const;
  void text(ImVec2 at, llvm::StringRef text, ImU32 color) const;

  void clip(const Box &box) const { list->PushClipRect(box.min, box.max, true); }
  void unclip() const { list->PopClipRect(); }

private:
  std::string cut(llvm::StringRef text, float width) const;
  bool isSeen(const Box &box) const;
};

// A tooltip of several lines, the first in bold; the last says so where `line`, of the statement,
// was worked out.
void showDetails(const Theme &theme, llvm::ArrayRef<std::string> lines,
                 const KernelLine &line = {});

} // namespace tilescope
