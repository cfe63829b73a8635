// What every view model offers besides its struct: text for people and JSON for scripts.
//
// A model is a pure function `XView buildX(const Trace &, const Selection &)`; `print` and `fields`
// make it printable, and models.def puts it into `tilescope show`.
#pragma once

#include "core/support/number_text.h"
#include "core/trace/archive.h"
#include "core/trace/trace.h"
#include "viewer/model/selection.h"

#include "llvm/Support/raw_ostream.h"

namespace tilescope {

// The state after the selected pass. The trace must have passes.
const TraceSnapshot &selectedSnapshot(const Trace &trace, const Selection &selection);
const TracePass &selectedPass(const Trace &trace, const Selection &selection);

// Plain text table: columns as wide as their widest cell, two spaces between; the first
// `leftColumns` columns are left-aligned, the others right-aligned. The first row is the heading.
void printTable(llvm::raw_ostream &out, const std::vector<std::vector<std::string>> &rows,
                size_t leftColumns);

} // namespace tilescope
