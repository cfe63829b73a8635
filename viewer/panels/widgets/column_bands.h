// Boxes that are too narrow to be told apart, merged in columns of three pixels: each column is
// drawn once from above to below, however many boxes it stands for.
#pragma once

#include "viewer/panels/widgets/picture.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

class ColumnBands {
public:
  // Both outlive it.
  ColumnBands(const Picture &picture, const Box &plot);

  // Boxes come by rising `top`; `owner` tells whose a box is.
  void add(float x, float top, float bottom, uint32_t owner);
  // Draws all of them.
  void draw(llvm::function_ref<int(uint32_t owner)> hueOf) const;

private:
  struct Band {
    float top = 0, bottom = -1; // none yet
    uint32_t owner = 0;
    bool isMerged = false; // of several owners: in no buffer's colour
  };
  struct Drawn {
    size_t column;
    Band band;
  };

  const Picture &picture_;
  const Box &plot_;
  float columnPixels_;
  std::vector<Band> open_; // by column: may still grow
  std::vector<Drawn> closed_;
};

} // namespace tilescope
