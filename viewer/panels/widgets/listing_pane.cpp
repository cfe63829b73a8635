#include "viewer/panels/widgets/listing_pane.h"

#include "core/trace/missing_cuda.h"
#include "viewer/panels/widgets/code_rows.h"
#include "viewer/panels/widgets/table.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// The line of CUDA, where it is another than in the row above.
class CudaLineMargin : public TextMargin {
public:
  explicit CudaLineMargin(const ListingView &view) : view_(view) {}

  float width(const TextStyle &style) const override { return 6 * style.charWidth; }

  void draw(ImDrawList &list, const TextStyle &style, ImVec2 topLeft, size_t first,
            size_t last) const override {
    for (size_t row = first; row != last; ++row) {
      uint32_t line = view_.lines[row].cudaLine;
      bool isSame = row != first && view_.lines[row - 1].cudaLine == line;
      if (line == 0 || isSame)
        continue;
      std::string text = std::to_string(line);
      float indent = 5 - static_cast<float>(std::min<size_t>(text.size(), 5));
      list.AddText(
          {topLeft.x + style.charWidth * indent,
           topLeft.y + static_cast<float>(row - first) * style.lineHeight + style.theme.scale},
          style.theme.color(Meaning::Accent, 0.8F), text.c_str());
    }
  }

  Pick pickAt(const TextStyle & /*style*/, size_t row, float /*x*/) const override {
    const ListingLine &line = view_.lines[row];
    if (line.cudaLine)
      showTooltip("CUDA line " + std::to_string(line.cudaLine) +
                  (line.irLine ? ", IR line " + std::to_string(line.irLine) : std::string()) +
                  lineText(", kernel line ", line.sourceLine));
    return {};
  }

private:
  const ListingView &view_;
};

} // namespace

void ListingPane::draw(PanelContext &context, Build build, const char *place) {
  const Document &document = context.document;
  if (document.trace->cuda.empty())
    return drawEmpty(context, "There is no CUDA: " + reasonOfMissingCuda(*document.trace) + ".",
                     "A compile that comes to its end fills this.");
  if (!document.listing)
    return document.trace->codeLanguage == PtxLanguage
               ? drawEmpty(context, "nvdisasm reads the cubin.", "It appears when nvdisasm ends.")
               : drawEmpty(context, "nvcc compiles the CUDA.", "It appears when nvcc ends.");
  if (document.listing != listing_ || document.revision != revision_) {
    listing_ = document.listing;
    revision_ = document.revision;
    view_ = build(*document.trace, *listing_);
    states_ = codeStatesOf(view_.lines, CodeLanguage::Cuda);
    ++version_;
  }
  for (const KernelResources &kernel : view_.kernels)
    drawWrapped(textOf(kernel),
                context.theme.color(kernel.spillBytes() ? Meaning::Notice : Meaning::Text));
  if (!view_.missing.empty()) {
    drawEmpty(context, view_.missing,
              "'./dev setup --cuda' of a source tree, or the CUDA Toolkit, brings both programs.");
    context.places.note(("no " + llvm::StringRef(place)).str());
    return;
  }
  drawWrapped("blue: the line of the CUDA", context.theme.color(Meaning::Quiet));
  CudaLineMargin margin(view_);
  pane_.draw(context,
             {CodeRows(view_.lines, states_), view_.namedBuffers, version_, &margin, true, place});
}

} // namespace tilescope
