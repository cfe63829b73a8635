// Traces as a page that does in a browser what the window does, for reading: passes are stepped
// through, and one selection links the panels. One file that fetches nothing; see README.md.
//
//     HtmlPageWriter page("gemm.trace");
//     page.add(instanceRowOf(trace, "gemm.trace"), trace, judgeTrace(trace));
//     llvm::Expected<HtmlPage> written = page.take(maxBytes);
#pragma once

#include "core/json/archive.h"
#include "core/target/device_listing.h"
#include "core/trace/judgement.h"
#include "core/views/instances_model.h"

#include <memory>

namespace tilescope {

inline constexpr size_t MostBytesWithListings = 2'000'000;

struct HtmlPage {
  std::string text;
  std::vector<std::string> leftOut; // "layouts": what did not fit; the page says it too
};

class HtmlPageWriter {
public:
  explicit HtmlPageWriter(std::string title);
  ~HtmlPageWriter();

  // The trace must have passes. `judgement` is what is said of its last state, `listing` what nvcc
  // makes of its CUDA; null: nobody asked.
  void add(const InstanceRow &row, const Trace &trace, const Judgement &judgement,
           const DeviceListing *listing = nullptr);
  // One that cannot be read or shown, as `row.error` says.
  void add(const InstanceRow &row);

  // Of at most `maxBytes`, and with PTX and SASS of at most MostBytesWithListings: what matters
  // least is left out first, then the last of several instances. An error if the text of the passes
  // has no room.
  llvm::Expected<HtmlPage> take(size_t maxBytes);

private:
  bool hasView(llvm::StringRef name) const; // of any instance
  bool leaveOut(std::vector<std::string> &leftOut);

  std::string title_;
  std::unique_ptr<Json> instances_; // {"row": ..., "views": ...}; the latter where there are passes
};

} // namespace tilescope
