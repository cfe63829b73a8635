// Panel `ptx`: the PTX that nvcc makes of the emitted CUDA.
#include "core/views/ptx_model.h"
#include "viewer/panels/widgets/listing_pane.h"

namespace tilescope {

namespace {

class PtxPanel : public Panel {
public:
  void draw(PanelContext &context) override { pane_.draw(context, buildPtx, "ptx text"); }

private:
  ListingPane pane_;
};

} // namespace

std::unique_ptr<Panel> makePtxPanel() { return std::make_unique<PtxPanel>(); }

} // namespace tilescope
