// Parts of a trace as CSV: the first line names the columns, fields are quoted as in RFC 4180,
// lines end with a line feed. Intervals are half-open; what is not known is an empty field, and
// verdicts are yes, no or not-established.
//
//   passes      index, name, options, depth, status, linesAdded, linesRemoved, sharedBytes,
//               sharedIsPreview, wallMicroseconds, verified, arenaSound, hazardFree, remarks,
//               irBytes
//   buffers     pass, id, key, name, dtype, shape, scope, versions, layout, sizeBytes, offsetBytes,
//               origin, sourceLine
//   placements  pass, function, preview, buffer, key, offsetBytes, sizeBytes, alignmentBytes,
//               versions, strideBytes, paddingBytes, reason, below, sharesWith
//   lifetimes   pass, function, buffer, key, kind (live or inFlight), begin, end, beginLine,
//               endLine, beginCarried, endCarried (whether these lines were worked out)
//
// `pass`, and `name` of passes, is "simplify#2" for the second pass of that name.
// `buffer` and `origin` are ids of table buffers; lists of them are separated by blanks.
#pragma once

#include "core/trace/trace.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

struct CsvTable {
  llvm::StringRef name;
  // Of the state after `pass`; `passes` has all of them.
  std::string (*write)(const Trace &trace, size_t pass);
};

llvm::ArrayRef<CsvTable> allCsvTables();

} // namespace tilescope
