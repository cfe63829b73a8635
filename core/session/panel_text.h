// What `tilescope show` prints of what is open, as text to be copied.
#pragma once

#include "core/views/arguments_model.h"
#include "core/views/view_text.h"

namespace tilescope {

// With the instances that the kernel file lists, from the text of it that the trace has.
ArgumentsView argumentsOf(const Trace &trace, const Selection &selection);

// As viewText.
std::string panelText(llvm::StringRef panel, const ViewSources &sources);

} // namespace tilescope
