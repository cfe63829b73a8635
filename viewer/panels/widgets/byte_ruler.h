// The byte axis of a picture: its scale, its grid, and rules at certain sizes.
#pragma once

#include "viewer/panels/widgets/picture.h"

namespace tilescope {

// A mark on a byte axis, with its label above the plot.
struct ByteRule {
  int64_t bytes = 0;
  std::string label;
  Meaning meaning = Meaning::Quiet;
  bool isFixed = false; // solid, over the picture; else dashed, under it, and left out in a crowd
};

// The scale, grid and rules of a byte axis across.
class ByteRuler {
public:
  ByteRuler(const Picture &picture, const ZoomAxis &axis, float right, std::vector<ByteRule> rules);
  static float heightIn(const Picture &picture); // of what stands above the plot
  void drawAbove(float top) const;
  void drawUnder(const Box &plot) const;
  void drawOver(const Box &plot) const;

private:
  struct Placed {
    ByteRule rule;
    float x = 0;
    float labelX = 0;
    int track = -1; // upwards from the scale; -1: no room
  };
  void place(ByteRule rule);
  bool isFree(int track, float begin, float end) const;
  int64_t step() const;

  const Picture &picture_;
  const ZoomAxis &axis_;
  float right_;
  std::vector<Placed> rules_;
};

} // namespace tilescope
