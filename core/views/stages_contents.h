// What the cells and the statements of an unrolled loop say, for stages_model.h.
#pragma once

#include "core/trace/pass_state.h"
#include "core/views/stages_model.h"

namespace tilescope {

// Sets the steps of the loop and the cells of its rows, from its stages.
void fillCells(StagesLoop &loop);

// Sets the statements; `points` are those of the function.
void fillStatements(StagesLoop &loop, const std::vector<TracePoint> &points);

// "iteration i is in slot i mod 2", with the names of the tiles where they differ in that; "": it
// is not so, or a tile has one slot.
std::string slotsText(const StagesLoop &loop);

} // namespace tilescope
