// The liveness gutter beside IR lines: a thin bar a shared buffer, a dot where it is defined, a
// notch where it is used.
#pragma once

#include "core/views/ir_model.h"
#include "viewer/panels/widgets/text_pane.h"

namespace tilescope {

class LivenessMargin : public TextMargin {
public:
  // Both must outlive it. rowOfLine[l] is the row of line l and ascends; lineOfRow[r] is the last
  // line at or above row r.
  LivenessMargin(const IrView &view, const std::vector<uint32_t> &rowOfLine,
                 const std::vector<uint32_t> &lineOfRow);

  float width(const TextStyle &style) const override;
  void draw(ImDrawList &list, const TextStyle &style, ImVec2 topLeft, size_t first,
            size_t last) const override;
  Pick pickAt(const TextStyle &style, size_t row, float x) const override;

private:
  float laneWidth(const TextStyle &style) const;

  const IrView &view_;
  const std::vector<uint32_t> &rowOfLine_;
  const std::vector<uint32_t> &lineOfRow_;
  size_t laneCount_ = 0;
};

} // namespace tilescope
