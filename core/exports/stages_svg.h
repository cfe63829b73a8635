// A pipelined loop as a picture: its steps across, a row a slot.
//
//                  prologue |  0     |  1     | ...
//     A_shared[0]  [D0      |  U0]   | [D2    |
//     A_shared[1]           | [D1    |  U1]   |
//
// A box is a tile in its slot, from its first fill to its last read; while its copy is in flight it
// is lighter.
#pragma once

#include "core/exports/roles_svg.h"
#include "core/stages/pipeline_stages.h"
#include "core/trace/pass_state.h"

namespace tilescope {

struct StageRowLook {
  std::string name; // of the buffer
  int hueDegrees = 0;
};

struct StagesPicture {
  std::string title;
  std::string caption; // ""
  PipelineStages stages;
  std::vector<StageRowLook> rows; // of the stages' rows
};

// A whole SVG document, the pictures one below the other, then those of roles; the same pictures
// give the same bytes. `whyNone` is its text without any: "no loop is pipelined".
std::string stagesSvg(const std::vector<StagesPicture> &pictures,
                      const std::vector<RolePicture> &roles, llvm::StringRef whyNone);

// Of one loop; title and caption are the caller's.
StagesPicture stagesPictureOf(const FacetState &state, PipelineStages stages);

} // namespace tilescope
