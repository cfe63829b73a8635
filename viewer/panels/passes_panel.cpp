// Panel `passes`: one row a pass.
#include "viewer/model/passes_model.h"
#include "viewer/panels/panel.h"

namespace tilescope {

namespace {

class PassesPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const PassesView &view = view_.get(context.document.revision, [&] {
      return buildPasses(*context.document.trace, context.selection);
    });
    for (const PassRow &row : view.passes)
      if (ImGui::Selectable(row.name.c_str(), row.index == context.selection.pass))
        context.selection.selectPass(row.index);
  }

private:
  CachedView<PassesView, uint64_t> view_;
};

} // namespace

std::unique_ptr<Panel> makePassesPanel() { return std::make_unique<PassesPanel>(); }

} // namespace tilescope
