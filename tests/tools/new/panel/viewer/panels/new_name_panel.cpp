// Panel `new-name`: ONE LINE OF HELP.
#include "core/views/new_name_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/wrapped_text.h"

namespace tilescope {

namespace {

class NewNamePanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const NewNameView &view =
        view_.get(PassKey::of(context), [&] { return buildNewName(*context.state()); });
    drawWrapped("after " + view.pass, context.theme.color(Meaning::Text));
  }

private:
  CachedView<NewNameView, PassKey> view_;
};

} // namespace

std::unique_ptr<Panel> makeNewNamePanel() { return std::make_unique<NewNamePanel>(); }

} // namespace tilescope
