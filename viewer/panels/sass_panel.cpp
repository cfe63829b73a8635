// Panel `sass`: the SASS of the emitted CUDA, and what ptxas says of each kernel.
#include "core/views/sass_model.h"
#include "viewer/panels/widgets/listing_pane.h"

namespace tilescope {

namespace {

class SassPanel : public Panel {
public:
  void draw(PanelContext &context) override { pane_.draw(context, buildSass, "sass text"); }

private:
  ListingPane pane_;
};

} // namespace

std::unique_ptr<Panel> makeSassPanel() { return std::make_unique<SassPanel>(); }

} // namespace tilescope
