// The byte axis of a picture: its scale, its grid, and rules at certain sizes.
//
//                                   capacity 163 KiB|
//                        2 blocks/SM:               |
//         4 blocks/SM:              :               |
//     |0 B           :   |64 KiB    :    |128 KiB   |
//
// The label of a rule ends at its line, above the labels of all that are smaller: lines cross none.
#pragma once

#include "viewer/panels/widgets/picture.h"

namespace tilescope {

// A mark on a byte axis, with its label above the plot.
struct ByteRule {
  int64_t bytes = 0;
  std::string label;
  std::string detail; // while the label is hovered
  Meaning meaning = Meaning::Quiet;
  bool isFixed = false; // solid, over the picture; else dashed, under it, and left out in a crowd
};

// The scale, grid and rules of a byte axis across.
class ByteRuler {
public:
  // Labels stand between `left` and `right`, in pixels. Of rules that are not fixed the first have
  // precedence.
  ByteRuler(const Picture &picture, const ZoomAxis &axis, float left, float right,
            std::vector<ByteRule> rules);
  static float heightIn(const Picture &picture); // of what stands above the plot
  void drawAbove(float top) const;
  void drawUnder(const Box &plot) const;
  void drawOver(const Box &plot) const;

  struct Label {
    ByteRule rule;
    float x = 0;      // of the line
    float labelX = 0; // the text stands at [labelX, labelX + its width)
    int track = 0;    // upwards from the scale
  };
  const std::vector<Label> &labels() const { return labels_; } // by bytes

private:
  std::vector<Label> placed(std::vector<ByteRule> rules) const;
  bool isCrowded(const std::vector<Label> &labels) const;
  void drawScale(float bottom) const;
  int64_t step() const;

  const Picture &picture_;
  const ZoomAxis &axis_;
  float left_, right_;
  std::vector<Label> labels_;
};

} // namespace tilescope
