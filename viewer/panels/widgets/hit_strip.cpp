#include "viewer/panels/widgets/hit_strip.h"

#include "viewer/panels/widgets/table.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

static std::string foundText(const SearchView &view, const PassHits &hits) {
  if (view.found)
    return !hits.isCounted ? "a group of passes" : hits.hits ? "holds" : "does not hold";
  return hits.isCounted ? hitsText(hits.hits, hits.lines) : "not counted yet";
}

void drawHitStrip(PanelContext &context, const SearchView &view) {
  const Theme &theme = context.theme;
  float height = 1.4F * ImGui::GetTextLineHeight();
  ImVec2 origin = ImGui::GetCursorScreenPos();
  float width = std::max(ImGui::GetContentRegionAvail().x, 1.0F);
  ImGui::InvisibleButton("strip", {width, height});
  context.places.note("search strip");
  bool isHovered = ImGui::IsItemHovered(), isClicked = ImGui::IsItemClicked();
  float cell = width / static_cast<float>(view.passes.size());
  size_t most = 1;
  for (const PassHits &hits : view.passes)
    most = std::max(most, hits.hits);
  ImDrawList &list = *ImGui::GetWindowDrawList();
  auto left = [&](size_t pass) { return origin.x + cell * static_cast<float>(pass); };
  float gap = cell > 4 ? theme.scale : 0;
  for (size_t pass = 0; pass != view.passes.size(); ++pass) {
    const PassHits &hits = view.passes[pass];
    ImVec2 from(left(pass), origin.y), to(left(pass + 1) - gap, origin.y + height);
    if (hits.isCounted)
      list.AddRectFilled(from, to, theme.color(Meaning::Faint));
    float share = static_cast<float>(hits.hits) / static_cast<float>(most);
    if (hits.hits)
      list.AddRectFilled({from.x, to.y - height * (0.15F + 0.85F * share)}, to,
                         theme.color(Meaning::Notice, 0.75F));
    std::string count = std::to_string(hits.hits);
    ImVec2 size = ImGui::CalcTextSize(count.c_str());
    if (hits.hits && !view.found && size.x + 4 * theme.scale < cell)
      list.AddText({(from.x + to.x - size.x) / 2, origin.y + (height - size.y) / 2},
                   theme.color(Meaning::Text), count.c_str());
    if (pass == context.selection.pass)
      list.AddRect(from, to, theme.color(Meaning::Accent), 0, 0, 2 * theme.scale);
  }
  size_t pass = std::min(view.passes.size() - 1, context.selection.pass);
  if (isHovered)
    pass = std::min(view.passes.size() - 1,
                    static_cast<size_t>((ImGui::GetIO().MousePos.x - origin.x) / cell));
  const PassHits &hits = view.passes[pass];
  std::string found = foundText(view, hits);
  std::string at = llvm::formatv("pass {0} of {1}", pass + 1, view.passes.size());
  std::string words = llvm::formatv("IR after {0} ({1}): {2}", hits.name, at, found);
  if (isHovered)
    showTooltip(words + (view.found ? "" : "; a bar a pass, as high as it has hits"));
  if (ImGui::CalcTextSize(words.c_str()).x > width)
    words = at + ": " + found; // the list of hits says its name
  drawWrapped(words, theme.color(isHovered ? Meaning::Text : Meaning::Quiet));
  if (isClicked)
    context.selection.selectPass(hits.pass);
}

} // namespace tilescope
