// What every view model offers besides its struct: text for people and JSON for scripts.
//
// A model is a pure function: of the state after a pass, `XView buildX(const PassState &)`, or of a
// whole trace, `XView buildX(const Trace &, const Selection &)`. `print` and `fields` make it
// printable, and models.def puts it into `tilescope show`.
#pragma once

#include "core/json/archive.h"
#include "core/support/number_text.h"
#include "core/trace/pass_state.h"
#include "core/views/ink.h"
#include "core/views/selection.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

// The state after the selected pass. The trace must have passes.
const TraceSnapshot &selectedSnapshot(const Trace &trace, const Selection &selection);
const TracePass &selectedPass(const Trace &trace, const Selection &selection);
std::string selectedPlace(const Trace &trace, const Selection &selection); // see passPlace

// Of a cell of a table.
using InkOfCell = llvm::function_ref<Ink(size_t row, size_t column)>;
Ink headingInk(size_t row, size_t column); // the first row is a heading
Ink plainInk(size_t row, size_t column);

// Text table: columns as wide as their widest cell, but no wider than 256, two spaces between; the
// first `leftColumns` columns are left-aligned, the others right-aligned.
void printTable(llvm::raw_ostream &out, const std::vector<std::vector<std::string>> &rows,
                size_t leftColumns, InkOfCell inkOf = headingInk);

} // namespace tilescope
