// Panel `cuda`: the emitted CUDA, in which names of shared buffers have their hue.
#include "core/views/cuda_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/code_rows.h"
#include "viewer/panels/widgets/costs_margin.h"
#include "viewer/panels/widgets/wrapped_text.h"

namespace tilescope {

namespace {

class CudaPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    uint64_t revision = context.document.revision;
    const CudaView &view =
        view_.get(revision, [&] { return buildCuda(*context.document.trace, context.selection); });
    if (!view.missing.empty()) {
      drawEmpty(context, "There is no CUDA: " + view.missing + ".",
                context.document.isCompiling ? "It appears when the compile ends."
                : !context.document.stoppedBefore.empty()
                    ? "Press x to run the rest of the passes."
                    : "A compile that comes to its end fills this.");
      return;
    }
    const std::vector<CodeState> &states =
        states_.get(revision, [&] { return codeStatesOf(view.lines, CodeLanguage::Cuda); });
    showsCosts_ ^= context.commands.has(Command::ToggleCosts);
    const Costs *costs = showsCosts_ ? &costsOf(context, view) : nullptr;
    if (costs)
      drawWrapped(CostsMargin::Meanings, context.theme.color(Meaning::Quiet));
    CostsMargin margin([&](size_t row) { return costs->ofRow[row]; }, nullptr);
    pane_.draw(context, {CodeRows(view.lines, states), view.namedBuffers, revision,
                         costs ? &margin : nullptr, true, "cuda text", view.firstKernel});
  }

  void visitToggles(VisitToggle visit) override { visit("costs", showsCosts_); }

private:
  struct Costs {
    CostsView view;
    std::vector<const CostRow *> ofRow; // nullptr: nothing
  };

  // The CUDA is of the last pass.
  const Costs &costsOf(const PanelContext &context, const CudaView &view) {
    return costs_.get(context.document.revision, [&] {
      const Trace &trace = *context.document.trace;
      Costs costs{buildCosts(PassState(trace, trace.passes.size() - 1)), {}};
      for (const CudaViewLine &line : view.lines)
        costs.ofRow.push_back(line.stmt.isValid() ? costOfStmt(costs.view, line.stmt) : nullptr);
      return costs;
    });
  }

  CachedView<CudaView, uint64_t> view_;
  CachedView<Costs, uint64_t> costs_;
  bool showsCosts_ = false;
  CachedView<std::vector<CodeState>, uint64_t> states_;
  TextPane pane_;
};

} // namespace

std::unique_ptr<Panel> makeCudaPanel() { return std::make_unique<CudaPanel>(); }

} // namespace tilescope
