// PTX or SASS: lines with the line of CUDA that each is of beside them.
#pragma once

#include "core/views/listing_lines.h"
#include "viewer/panels/widgets/text_pane.h"

namespace tilescope {

class ListingPane {
public:
  using Build = ListingView (*)(const Trace &trace, const DeviceListing &listing);

  // `place` names the text in Places.
  void draw(PanelContext &context, Build build, const char *place);

private:
  std::shared_ptr<const DeviceListing> listing_; // that is shown
  uint64_t revision_ = 0;                        // of the document
  ListingView view_;
  std::vector<CodeState> states_;
  uint64_t version_ = 0;
  TextPane pane_;
};

} // namespace tilescope
