// A view by its name: what `tilescope show` prints of it, and how it is asked for that.
#pragma once

#include "core/target/device_listing.h"
#include "core/trace/trace.h"
#include "core/views/history_model.h"
#include "core/views/selection.h"

#include "llvm/ADT/StringRef.h"

namespace tilescope {

// It shows the whole compile, whatever pass is selected.
bool isOfAllPasses(llvm::StringRef view);

// The text of a view of models.def after the selected pass, plain; "" if `other`, a buffer or
// what else it is of is missing. The pass is loaded.
std::string viewText(llvm::StringRef view, const Trace &trace, const Trace *other,
                     const DeviceListing *listing, const KernelHistory *history,
                     const Selection &selection);

// "tilescope show buffer gemm.trace --pass merge-shared-memory --buffer A_shared". `line` is what
// is open, as kernel_name.h has it; `otherFile` is the trace that it is compared with.
std::string showCommand(llvm::StringRef view, llvm::StringRef line, llvm::StringRef otherFile,
                        const Trace &trace, const Selection &selection);

} // namespace tilescope
