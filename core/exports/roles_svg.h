// A pipelined loop of warps with roles as a picture: what one role does in an iteration below each
// other, iterations across.
//
//                                                        0        1        2
//     waits for mbarrier[4..5]                           :[4] -   :[5] -   :[4] 0
//     copies to K_shared, counted by mbarrier[0..1]  66  [slot 0] [slot 1] [slot 0]
#pragma once

#include "core/exports/svg_writer.h"
#include "core/support/kernel_line.h"

namespace tilescope {

struct RolePictureRow {
  std::string name;
  KernelLine sourceLine;
  std::string statement; // shown under the pointer
  bool isWait = false;
  bool isAccess = false; // of a buffer, whose hue it has
  int hueDegrees = 0;
  std::vector<std::string> cells; // by column; "": nothing is shown, ".": not done
};

struct RolePicture {
  std::string title;
  std::string caption;
  std::vector<std::string> columns;
  std::vector<RolePictureRow> rows;
  std::string refusal; // why there are no rows; ""
};

// One each; their columns lie below each other. The same pictures give the same drawings.
std::vector<SvgDrawing> drawRoles(const std::vector<RolePicture> &pictures);

} // namespace tilescope
