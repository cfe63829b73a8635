// The vertical axis of our pictures: program points downwards, with their statements on the left
// and brackets for the loops.
//
//     0  28  T.copy(A, A_shared)  |
//     1  29  T.copy(B, B_shared)  |
//     2      T.commit_group()     |
//     3  30  T.wait_group(...)   [|   for k in ..., line 27
//     4  30  T.gemm(...)         [|
#pragma once

#include "core/access/access_program.h"
#include "core/exports/svg_writer.h"
#include "core/support/kernel_line.h"

namespace tilescope {

struct PointLabel {
  KernelLine sourceLine;
  std::string text;
};

struct PointLoop {
  ProgramPoint begin = 0; // half-open
  ProgramPoint end = 0;
  int depth = 0; // 0: outermost
  std::string text;
};

struct PointAxis {
  ProgramPoint count = 0;         // points [0, count)
  std::vector<PointLabel> labels; // by point; missing ones show the number alone
  std::vector<PointLoop> loops;

  // Pixels from the left edge to where the lanes begin.
  double width() const;
  // Of all points; rows shrink where there are many.
  double height() const;
  double y(ProgramPoint point) const { return height() * point / std::max(count, 1); }
  // Statements, brackets and a band every other row, with the first point at `top`; the bands reach
  // to `right`.
  void draw(double top, double right, SvgWriter &svg) const;

private:
  double textWidth() const;
  int loopColumns() const;
  ProgramPoint labelEvery() const;
  void drawLoop(const PointLoop &loop, double top, SvgWriter &svg) const;
};

// Of a character of the fixed-width font of 11 pixels that pictures use.
inline constexpr double CharacterWidth = 6.7;
double widthOf(llvm::StringRef text);

// Pixels around a picture and between its parts.
inline constexpr double Margin = 12;
// Pixels that a heading takes above the picture.
inline constexpr double HeadingHeight = 48;
// Title and caption at the top left, clipped to `width` pixels.
void drawHeading(llvm::StringRef title, llvm::StringRef caption, double width, SvgWriter &svg);

// Pictures one below the other, with the CSS of the classes that axes and pictures use; none: the
// document says why. `definitions` go into <defs>.
std::string pictureDocument(std::vector<SvgDrawing> pictures, llvm::StringRef definitions,
                            llvm::StringRef whyEmpty = "no shared memory");

} // namespace tilescope
