// Rows of a table of two columns, a name and what is chosen.
#pragma once

#include "viewer/panels/panel.h"

namespace tilescope {

// Into the first column of the next row.
void drawRowName(const char *name);
// A list; true: `value` is another one of the choices.
bool drawChoice(const char *id, const std::vector<std::string> &choices, std::string &value);

// Which kernel of the file, and which of the instances that it lists; what is chosen is asked of
// the kernel that is live.
void drawKernelChoices(PanelContext &context);

} // namespace tilescope
