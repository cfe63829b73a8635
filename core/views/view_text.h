// The views of models.def by name: what `tilescope show` prints of each, and how it is asked for
// that.
#pragma once

#include "core/json/json_value.h"
#include "core/target/device_listing.h"
#include "core/trace/trace.h"
#include "core/views/history_model.h"
#include "core/views/selection.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilescope {

// It shows the whole compile, whatever pass is selected.
bool isOfAllPasses(llvm::StringRef view);

// What views are made from. The pass of the selection is loaded.
struct ViewSources {
  const Trace &trace;
  const Selection &selection;
  const Trace *other = nullptr;           // of views of two traces
  const DeviceListing *listing = nullptr; // of views of what nvcc makes
  const KernelHistory *history = nullptr; // of views of commits
};

enum class ViewNeed : uint8_t { Nothing, Buffer, Query, Other, Listing, History };

struct ViewInfo {
  llvm::StringRef name;
  llvm::StringRef help;
  ViewNeed needs;
  // Of sources that have what it needs.
  void (*print)(const ViewSources &sources, llvm::raw_ostream &out);
  Json (*json)(const ViewSources &sources);

  bool isIn(const ViewSources &sources) const; // they have what it needs
};

// In the order of models.def.
llvm::ArrayRef<ViewInfo> allViews();

// Plain; "" of an unknown view, and if what it needs is missing.
std::string viewText(llvm::StringRef view, const ViewSources &sources);

// A line that opens something, FILE[:FUNCTION] and options, with each word in quotes where a shell
// needs them.
std::string shellWordsOf(llvm::StringRef line);

// "tilescope show buffer gemm.trace --pass merge-shared-memory --buffer A_shared". `line` is what
// is open, as kernel_name.h has it; `otherFile` is the trace that it is compared with.
std::string showCommand(llvm::StringRef view, llvm::StringRef line, llvm::StringRef otherFile,
                        const Trace &trace, const Selection &selection);

} // namespace tilescope
