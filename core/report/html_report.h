// A trace as a page that is read without Tilescope: what each pass changed, shared memory, the
// kernel file and the CUDA, linked with each other.
//
//     page ids: pass-3   source-65   cuda-120   buffer-7 (a row of the table of buffers)
#pragma once

#include "core/trace/judgement.h"

#include <string>
#include <vector>

namespace tilescope {

struct HtmlReport {
  std::string page;
  // What did not fit, "14 of 30 passes: their changes"; the page says it too.
  std::vector<std::string> leftOut;
};

// Room for the style sheet and for the names of what is left out.
inline constexpr size_t LeastReportBytes = size_t(64) << 10;

// A page of at most `maxBytes`, at least LeastReportBytes. What matters least is left out first.
// The trace must have passes. `judgement` is what is said of its last state.
HtmlReport buildHtmlReport(const Trace &trace, const Judgement &judgement, size_t maxBytes);

// What such a page has between its head and its end, of at most `maxBytes`, for a page of several:
// each id begins with `scope`, which no other of them has.
HtmlReport buildReportBody(const Trace &trace, const Judgement &judgement, size_t maxBytes,
                           const std::string &scope);

} // namespace tilescope
