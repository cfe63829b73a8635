// What stands in a row of the list of passes.
#pragma once

#include "core/views/passes_model.h"
#include "viewer/panels/widgets/table.h"

namespace tilescope {

// What the marks of passes mean, a line each.
inline constexpr const char *PassLegend =
    "filled: changed the IR\nhollow: changed nothing, or did not run\ncross: failed\n"
    "diamond: wrote the CUDA\npause: the passes stop here\n"
    "square behind the name: did something to the pinned buffer";
inline constexpr const char *VerdictLegend =
    "after the pass, from left to right: the IR is well formed, the arena is sound, no barrier is "
    "missing; where the kernel was run, it runs as written\ncheck: yes; cross: no; hollow: not "
    "established";

// "+3 -1"; "": no line changed.
std::string linesText(const PassRow &row);
std::string indented(const std::string &name, int depth);
// "~160", of KiB; ~: a preview
std::string sharedText(const PassRow &row);
// "+1.5", of KiB; "": the same.
std::string deltaText(int64_t bytes);
// "0.07", "12.3", "123"
std::string millisecondsOf(const PassRow &row);
// `event` is what the buffer `pinned` went through in the pass; "": nothing.
std::string tooltipOf(const PassRow &row, const std::string &pinned, const std::string &event);

// Marks: IR, arena, hazards; whether it runs as written, where it was run.
void drawVerdicts(const PassRow &row, const Theme &theme);

} // namespace tilescope
