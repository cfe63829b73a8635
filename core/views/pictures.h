// The views that have a picture, as SVG: `tilescope show --format svg` and the window write the
// same bytes.
#pragma once

#include "core/views/view.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace tilescope {

struct PictureInfo {
  llvm::StringRef name; // of the view: "arena"
  // A whole SVG document of the selected pass, with a caption. The trace must have passes.
  std::string (*draw)(const Trace &trace, const Selection &selection);
};

llvm::ArrayRef<PictureInfo> allPictures();

// nullptr: the view has no picture.
const PictureInfo *pictureOf(llvm::StringRef view);

// The arenas of two compiles after their last passes, at one byte scale, to stand beside each
// other. Both have passes.
struct ArenaPictures {
  std::string before;
  std::string after;
};
ArenaPictures drawArenaPictures(const Trace &before, const Trace &after);

} // namespace tilescope
