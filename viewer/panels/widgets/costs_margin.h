// Columns beside lines of IR or CUDA: bytes a lane, how many times the least passes the banks take,
// registers that are live.
//
//     16 x1  72 | T.ldmatrix(...)
//      4 x8  72 | s[tx, 0] = ...            x8 in red: conflicts
#pragma once

#include "core/views/costs_model.h"
#include "viewer/panels/widgets/text_pane.h"

#include <functional>

namespace tilescope {

class CostsMargin : public TextMargin {
public:
  using CostOfRow = std::function<const CostRow *(size_t row)>; // nullptr: it costs nothing
  // `other` stands to the right of the columns; nullptr: nothing does.
  CostsMargin(CostOfRow costOf, const TextMargin *other)
      : costOf_(std::move(costOf)), other_(other) {}

  // What the columns are, for a heading above them.
  static constexpr const char *Meanings = "bytes a lane, x times the least passes, registers";

  float width(const TextStyle &style) const override;
  void draw(ImDrawList &list, const TextStyle &style, ImVec2 topLeft, size_t first,
            size_t last) const override;
  Pick pickAt(const TextStyle &style, size_t row, float x) const override;

private:
  CostOfRow costOf_;
  const TextMargin *other_;
};

} // namespace tilescope
