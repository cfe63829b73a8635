// The records of a trace file, one by one: what both ways of reading share (trace_reader.h reads a
// trace from front to back, trace_file.h piece by piece). See core/trace_file/README.md for the
// format.
#pragma once

#include "core/trace/trace.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tilescope {

enum class RecordKind : uint8_t {
  Header,
  PassBegin,
  Lines,
  Snapshot,
  Facet,
  PassEnd,
  Time,
  Diagnostics,
  Tags,
  Cuda,
  Launches,
  Device,
  Execution,
  Index,
  Other, // of a later minor version
};

enum class Facet : uint8_t {
#define FACET(Type, member) Type,
#include "core/facets/facets.def"
  None,
};
inline constexpr size_t FacetCount = static_cast<size_t>(Facet::None);

struct RecordHead {
  RecordKind kind = RecordKind::Other;
  Facet facet = Facet::None;

  friend bool operator==(const RecordHead &, const RecordHead &) = default;
};

// Of the name that the file has for a kind of record.
RecordHead headOf(llvm::StringRef kindName);

// Why a record cannot be taken: "is torn or no JSON", "is corrupt (...)". Empty: it was taken.
using RecordProblem = std::string;

// The kind, by the first bytes if the record begins as ours do. Only then is `text` not checked any
// further. It may then be a beginning of the record.
bool readHeadQuickly(llvm::StringRef text, RecordHead &head);
RecordProblem readHead(llvm::StringRef record, RecordHead &head);

// Whether the text begins with the first record of a trace.
bool isHeader(llvm::StringRef text);
// Sets the header. `name` is the file's, for messages. An error if nothing can be shown: no trace
// at all, or a newer major version (the error has both numbers).
llvm::Error readHeader(llvm::StringRef record, llvm::StringRef name, Trace &trace);
// Adds to what is said of a trace.
void addNote(Trace &trace, const std::string &note);
inline constexpr const char *NotClosedNote =
    "the trace was not closed: its compile was cut off or still runs";
// That everything from a line (counted from 1) on is lost.
std::string lossNote(size_t lineNumber, const RecordProblem &problem, uint64_t lostBytes,
                     uint64_t allBytes);

RecordProblem readLines(llvm::StringRef record, std::vector<TraceLine> &lines);
// How many lines a record brings: by its field `count`, else (format 1.0) they are counted.
RecordProblem readLineCount(llvm::StringRef record, uint64_t &count);

// The text after a snapshot, from the text `before` it. Line numbers are below `lineCount`.
RecordProblem readSnapshot(llvm::StringRef record, llvm::ArrayRef<LineId> before, size_t lineCount,
                           std::vector<LineId> &lines);
// Whether it needs the text before it; by its first bytes.
bool isFullSnapshot(llvm::StringRef record);

// One for each facet. A part is also checked for sense.
#define FACET(Type, member) RecordProblem readPart(llvm::StringRef record, SharedPart<Type> &part);
#include "core/facets/facets.def"

// A record of any other kind: a pass that has ended (without the snapshot it belongs to), its time,
// or what comes after the last pass.
RecordProblem takeRecord(RecordKind kind, llvm::StringRef record, Trace &trace);

// What the closing record says of one other.
struct IndexEntry {
  std::string kind;
  uint64_t bytes = 0; // with the end of the line
  uint64_t count = 0; // lines: how many; a snapshot: 1 if it is full

  friend bool operator==(const IndexEntry &, const IndexEntry &) = default;
};
// Appends to `entries`; nothing if there is none (format 1.0).
RecordProblem readIndex(llvm::StringRef record, std::vector<IndexEntry> &entries);

} // namespace tilescope
