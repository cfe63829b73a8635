// Panel `layouts`: the elements of the pinned buffer as a grid, coloured by where they lie, and the
// lanes of a warp in one access; beside it the same without swizzle or padding.
#include "viewer/panels/widgets/buffer_pick.h"
#include "viewer/panels/widgets/layout_blocks.h"
#include "viewer/panels/widgets/layout_pair.h"
#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

class LayoutsPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    if (!context.selection.pinned.buffer)
      return drawList(context);
    const LayoutsView &view = viewOfPinned(context);
    if (view.buffers.empty())
      return drawEmpty(context, "After " + view.pass + ": " + view.summary + ".",
                       "Pin another, or press Esc for all of them.");
    const LayoutOfBuffer &buffer = view.buffers.front();
    drawHead(buffer, context.theme);
    if (!buffer.tile)
      return drawEmpty(context, whyNoGrid(buffer),
                       "Buffers of constant shape with a layout, and tensors, have a grid.");
    drawColourings(context, *buffer.tile);
    drawLayoutBlocks(context, view);
    if (buffer.blocks.empty() || !buffer.accesses.empty())
      drawAccesses(context, view);
    grids_.draw(context, view, colouring_);
  }

private:
  struct Key {
    PassKey pass;
    LayoutChoice choice;

    friend bool operator==(const Key &, const Key &) = default;
  };

  // What is chosen goes with the pinned statement; one that is pointed at elsewhere is shown
  // meanwhile.
  const LayoutsView &viewOfPinned(const PanelContext &context) {
    Selection &selection = context.selection;
    LayoutChoice choice = LayoutChoice::of(selection);
    if (chosen_ != choice.buffer || (choice.stmt.isValid() && choice.stmt != accessStmt_))
      choice.lanes.access = selection.lanes.access = -1;
    if (chosen_ != choice.buffer)
      choice.lanes.warp = selection.lanes.warp = 0;
    chosen_ = choice.buffer;
    StmtId preview = selection.preview().stmt;
    if (preview.isValid() && preview != choice.stmt && touches(preview)) {
      choice.stmt = preview;
      choice.lanes.access = -1;
    }
    const LayoutsView *view = &build(context, choice);
    if (!view->missing.empty()) {
      selection.lanes = {};
      choice.lanes = {};
      view = &build(context, choice);
    }
    return *view;
  }

  const LayoutsView &build(const PanelContext &context, const LayoutChoice &choice) {
    return view_.get({PassKey::of(context), choice}, [&] {
      LayoutsView view = buildLayouts(*context.state(), choice);
      touching_.clear();
      for (const LayoutOfBuffer &buffer : view.buffers) {
        for (const LayoutAccess &access : buffer.accesses)
          touching_.push_back(access.stmt);
        for (const TileBlocks &blocks : buffer.blocks)
          touching_.push_back(blocks.stmt);
      }
      return view;
    });
  }

  bool touches(StmtId stmt) const { return llvm::is_contained(touching_, stmt); }

  // ---- Without a pin: all buffers ---------------------------------------------------------------

  void drawList(PanelContext &context) {
    const LayoutsView &view = view_.get(
        {PassKey::of(context), {}}, [&] { return buildLayouts(*context.state(), LayoutChoice()); });
    if (view.buffers.empty())
      return drawEmpty(context, "After " + view.pass + ": " + view.summary + ".",
                       "A later pass has layouts; a tensor that is pinned is shown at once.");
    constexpr TableColumn Columns[] = {
        {"buffer", 16},
        {"layout"},
        {"conflicts", 9, true, 1, "passes of a warp that its worst access takes too many"}};
    Table table("layouts", Columns, context.theme);
    if (!table.isVisible())
      return;
    table.forVisibleRows(view.buffers.size(), [&](size_t row) {
      const LayoutOfBuffer &buffer = view.buffers[row];
      Table::Pointer pointer = table.row(row, {});
      context.places.note("layout of " + buffer.name);
      if (pointer.isHovered)
        context.selection.hovered = pickOf(context, buffer.buffer);
      if (pointer.isClicked)
        context.selection.pin(pickOf(context, buffer.buffer));
      int64_t conflicts = 0;
      bool isKnown = !buffer.accesses.empty();
      for (const LayoutAccess &access : buffer.accesses) {
        isKnown &= access.passes > 0;
        conflicts = std::max(conflicts, access.passes - access.leastPasses);
      }
      table.cell(buffer.name, context.theme.bufferLine(buffer.hueDegrees));
      table.cell(buffer.layout);
      table.cell(conflicts > 0 ? std::to_string(conflicts)
                 : isKnown     ? "none"
                               : "",
                 context.theme.color(conflicts > 0 ? Meaning::Bad : Meaning::Quiet));
    });
  }

  // ---- Of the pinned buffer ---------------------------------------------------------------------

  static void drawHead(const LayoutOfBuffer &buffer, const Theme &theme) {
    drawWrapped(buffer.name + ": " + buffer.type + ", " +
                    (buffer.layout.empty() ? "no layout is chosen" : buffer.layout),
                theme.bufferLine(buffer.hueDegrees));
  }

  static std::string whyNoGrid(const LayoutOfBuffer &buffer) {
    return "The places of " + buffer.name + "'s elements are not known: " +
           (buffer.layout.empty() ? "its shape is symbolic, or it has no layout yet"
                                  : "its shape is symbolic, or its layout is none of ours") +
           ".";
  }

  void drawColourings(PanelContext &context, const TileLayout &tile) {
    llvm::ArrayRef<LayoutColouring> all = colouringsOf(tile);
    const auto *found = llvm::find(all, colouring_);
    if (found == all.end())
      found = all.begin();
    if (context.commands.has(Command::NextColouring))
      found = std::next(found) == all.end() ? all.begin() : std::next(found);
    colouring_ = *found;
    for (LayoutColouring each : all) {
      if (each != all.front())
        stayInLine(nameOf(each));
      ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
      if (ImGui::RadioButton(nameOf(each), colouring_ == each))
        colouring_ = each;
      ImGui::PopStyleVar();
      context.places.note(std::string("layout by ") + nameOf(each));
    }
  }

  static std::string accessText(const LayoutAccess &access) {
    std::string line = lineText("line ", access.sourceLine, ": ");
    return line + (access.isWrite ? "writes " : "reads ") + access.text;
  }

  void drawAccesses(PanelContext &context, const LayoutsView &view) {
    const LayoutOfBuffer &buffer = view.buffers.front();
    if (buffer.accesses.empty()) {
      if (!buffer.tile->isFragment())
        drawWrapped("No access is known: of shared memory and tensors they are, once the arena is "
                    "planned.",
                    context.theme.color(Meaning::Quiet));
      return;
    }
    int64_t count = static_cast<int64_t>(buffer.accesses.size());
    int64_t access = view.access;
    const LayoutAccess &chosen = buffer.accesses[static_cast<size_t>(access)];
    accessStmt_ = chosen.stmt;
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##access", accessText(chosen).c_str())) {
      for (int64_t i = 0; i != count; ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(accessText(buffer.accesses[static_cast<size_t>(i)]).c_str(),
                              i == access))
          choose(context, buffer, i);
        ImGui::PopID();
      }
      ImGui::EndCombo();
    }
    context.places.note("layout access");
    if (context.commands.has(Command::NextAccess))
      choose(context, buffer, (access + 1) % count);
    drawWarps(context, view, chosen);
  }

  void choose(PanelContext &context, const LayoutOfBuffer &buffer, int64_t index) {
    const LayoutAccess &access = buffer.accesses[static_cast<size_t>(index)];
    Pick pick = context.selection.pinned;
    pick.stmt = access.stmt;
    pick.sourceLine = access.sourceLine;
    context.selection.pin(std::move(pick));
    context.selection.lanes.access = index;
    accessStmt_ = access.stmt;
  }

  static void drawWarps(PanelContext &context, const LayoutsView &view,
                        const LayoutAccess &access) {
    int64_t &warp = context.selection.lanes.warp;
    if (!view.lanes)
      return drawWrapped("The places of its lanes are not known: they depend on data, or a lane "
                         "moves more than 16 bytes.",
                         context.theme.color(Meaning::Quiet));
    if (context.commands.has(Command::NextWarp))
      warp = (warp + 1) % access.warps;
    std::string shown = llvm::formatv("warp {0} of {1}", view.lanes->warp, access.warps);
    ImGui::SetNextItemWidth(ImGui::CalcTextSize("warp 00 of 00").x + 2 * ImGui::GetFrameHeight());
    if (ImGui::BeginCombo("##warp", shown.c_str())) {
      for (int64_t each = 0; each != access.warps; ++each)
        if (ImGui::Selectable(("warp " + std::to_string(each)).c_str(), each == warp))
          warp = each;
      ImGui::EndCombo();
    }
    context.places.note("layout warp");
    std::string about = llvm::formatv("{0} {1} a lane", view.lanes->laneBytes,
                                      view.lanes->laneBytes == 1 ? "byte" : "bytes");
    about += shiftText(*view.lanes, view.buffers.front());
    stayInLine(about.c_str());
    drawWrapped(about, context.theme.color(Meaning::Quiet));
  }

  CachedView<LayoutsView, Key> view_;
  std::vector<StmtId> touching_; // statements of the accesses in the view
  std::optional<BufferKey> chosen_;
  StmtId accessStmt_; // of the access that is shown
  LayoutColouring colouring_ = LayoutColouring::Bank;
  LayoutPair grids_;
};

} // namespace

std::unique_ptr<Panel> makeLayoutsPanel() { return std::make_unique<LayoutsPanel>(); }

} // namespace tilescope
