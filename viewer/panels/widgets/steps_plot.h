// The run of a block as a picture: bytes across, steps down, each byte in the colour of the buffer
// that it was last written through.
//
//     step      |0 B            |16 KiB          |32 KiB
//        0      |###Q_shared####|
//      411    > |---------------|##K_shared[1]###|          the chosen step
//
// Hatched: a copy into these bytes is in flight.
#pragma once

#include "core/views/steps_model.h"
#include "viewer/panels/widgets/buffer_pick.h"

namespace tilescope {

// What is drawn of a launch, in whatever step.
struct StepsPicture {
  std::vector<StepBox> boxes;
  std::vector<int> hues; // by touch, in degrees
};
StepsPicture stepsPictureOf(const Trace &trace, size_t launch);

class StepsPlot {
public:
  StepsPlot(const BlockSteps &block, const StepsPicture &picture, const ZoomView &zoom)
      : block_(block), boxes_(picture.boxes), hues_(picture.hues), zoom_(zoom) {}

  const BlockSteps &block() const { return block_; }
  Region domain() const;
  // `first`: the number of the first step, among those of all launches.
  static float gutterWidth(const Picture &picture, const StepsView &view);
  void draw(const Picture &picture, const Box &gutter, const Box &plot, int64_t first,
            const ShownPick &shown) const;
  void drawStep(const Picture &picture, const Box &gutter, const Box &plot, size_t step) const;
  // Of the launch, kept within it.
  size_t stepAt(float pixelY) const;
  // nullptr: nobody has written the byte.
  const StepBox *boxAt(ImVec2 pixel) const;

private:
  void drawBoxes(const Picture &picture, const ShownPick &shown) const;
  void drawNumbers(const Picture &picture, const Box &gutter, int64_t first) const;
  Box boxOf(const StepBox &box) const;

  const BlockSteps &block_;
  const std::vector<StepBox> &boxes_;
  const std::vector<int> &hues_;
  const ZoomView &zoom_;
};

} // namespace tilescope
