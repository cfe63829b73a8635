#include "viewer/panels/widgets/handover_arrows.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace tilescope {

namespace {

constexpr float HeadPixels = 5, QuietAlpha = 0.45F;
// Arrows that would lie on each other lie beside each other.
constexpr float InsetPixels = 7, ApartPixels = 5;
constexpr size_t MostBeside = 3;

// Both ends at the left of their cells, which have their text in the middle.
//
//     arrives | o [0] 0      |
//             |/             |
//     waits   |v [0] 0       |
void drawArrow(const Picture &picture, ImVec2 from, ImVec2 to, ImU32 color) {
  float length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < 1)
    return;
  ImVec2 along((to.x - from.x) / length, (to.y - from.y) / length);
  float head = HeadPixels * picture.scale;
  ImVec2 base(to.x - along.x * head, to.y - along.y * head);
  ImVec2 side(-along.y * head / 2, along.x * head / 2);
  picture.list->AddCircleFilled(from, 2 * picture.scale, color);
  picture.list->AddLine(from, base, color, picture.scale);
  picture.list->AddTriangleFilled(to, ImVec2(base.x + side.x, base.y + side.y),
                                  ImVec2(base.x - side.x, base.y - side.y), color);
}

} // namespace

void drawHandovers(const Picture &picture, const Box &plot, llvm::ArrayRef<RolePlot> plots,
                   llvm::ArrayRef<StagesHandover> handovers, const ShownPick &shown) {
  picture.clip(plot);
  for (auto [index, handover] : llvm::enumerate(handovers)) {
    float inset =
        (InsetPixels + ApartPixels * static_cast<float>(index % MostBeside)) * picture.scale;
    const RolePlot &from = plots[handover.arrival.role], &to = plots[handover.wait.role];
    bool isShown = shown.stmt().isValid() && (from.stmtOf(handover.arrival.row) == shown.stmt() ||
                                              to.stmtOf(handover.wait.row) == shown.stmt());
    ImU32 color =
        isShown ? picture.color(Meaning::Accent) : picture.color(Meaning::Quiet, QuietAlpha);
    for (const StagesPhase &phase : handover.phases)
      drawArrow(picture, from.leftOf(handover.arrival.row, phase.arrivalColumn, inset),
                to.leftOf(handover.wait.row, phase.waitColumn, inset), color);
  }
  picture.unclip();
}

} // namespace tilescope
