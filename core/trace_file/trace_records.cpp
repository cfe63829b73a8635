#include "core/trace_file/trace_records.h"

#include "core/json/json_reader.h"
#include "core/support/line_edits.h"
#include "core/trace/recorded_verdicts.h"
#include "core/trace/trace_fields.h"
#include "core/trace/trace_limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Deeper nesting than any record of ours; protects recursion in `fields`.
constexpr int MaxDepth = 16;
constexpr llvm::StringRef RecordPrefix = R"({"record":")";

// ---- What the records hold ----------------------------------------------------------------------

struct CompactLine {
  TraceLine line;
};
// [text, stmt, buffer, span] and, of a line that was worked out, true; a later version may append.
bool readCompact(JsonCursor &cursor, CompactLine &compact, std::string &error) {
  TraceLine &line = compact.line;
  if (!cursor.beginArray() || !cursor.nextElement() || !cursor.readString(line.text) ||
      !cursor.nextElement() || !readValue(cursor, line.stmt, error) || !cursor.nextElement() ||
      !readValue(cursor, line.buffer, error) || !cursor.nextElement() ||
      !(cursor.readNull() || readValue(cursor, line.span, error)))
    return false;
  if (!cursor.nextElement())
    return true;
  if (!readValue(cursor, line.isCarried, error))
    return false;
  while (cursor.nextElement())
    cursor.skipValue();
  return true;
}

struct CompactEdit {
  LineEdit edit;
};
// [at, removed, inserted].
bool readCompact(JsonCursor &cursor, CompactEdit &compact, std::string &error) {
  LineEdit &edit = compact.edit;
  return cursor.beginArray() && cursor.nextElement() && readValue(cursor, edit.at, error) &&
         cursor.nextElement() && readValue(cursor, edit.removed, error) && cursor.nextElement() &&
         readValue(cursor, edit.inserted, error) && !cursor.nextElement();
}

struct CompactEntry {
  IndexEntry entry;
};
// [kind, bytes] or [kind, bytes, count].
bool readCompact(JsonCursor &cursor, CompactEntry &compact, std::string &error) {
  IndexEntry &entry = compact.entry;
  if (!cursor.beginArray() || !cursor.nextElement() || !cursor.readString(entry.kind) ||
      !cursor.nextElement() || !readValue(cursor, entry.bytes, error))
    return false;
  return !cursor.nextElement() || (readValue(cursor, entry.count, error) && !cursor.nextElement());
}

struct AnyRecord {
  std::optional<std::string> kind;
};
struct LinesRecord {
  std::optional<std::vector<CompactLine>> lines;
};
struct CountedLines {
  uint64_t count = 0;
};
bool readCompact(JsonCursor &cursor, CountedLines &counted, std::string & /*error*/) {
  if (!cursor.beginArray())
    return false;
  for (counted.count = 0; cursor.nextElement(); ++counted.count)
    cursor.skipValue();
  return true;
}
struct LineCountRecord {
  CountedLines lines;
};
struct SnapshotRecord {
  std::optional<std::vector<LineId>> full;
  std::optional<std::vector<CompactEdit>> edits;
};
template <typename T> struct PartRecord {
  const char *name;
  std::vector<T> values;
};
struct PassEndRecord {
  TracePass pass;
  RecordedVerdicts verdicts;
};
struct TimeRecord {
  size_t index = 0;
  int64_t wallMicroseconds = 0;
};
// What comes after the last pass.
struct EndRecord {
  std::vector<TraceDiagnostic> diagnostics;
  std::vector<std::string> tags;
  std::string language;
  std::string text;
  std::vector<CudaLine> map;
  std::vector<LaunchRecord> launches;
  DeviceListing device;
  ExecutionRecord execution;
};
struct IndexRecord {
  std::vector<CompactEntry> records;
};

template <typename Archive> void fields(Archive &archive, AnyRecord &record) {
  archive("record", record.kind);
}
template <typename Archive> void fields(Archive &archive, LinesRecord &record) {
  archive("lines", record.lines);
}
template <typename Archive> void fields(Archive &archive, LineCountRecord &record) {
  archive("lines", record.lines);
}
template <typename Archive> void fields(Archive &archive, SnapshotRecord &record) {
  archive("full", record.full);
  archive("edits", record.edits);
}
template <typename Archive, typename T> void fields(Archive &archive, PartRecord<T> &record) {
  archive(record.name, record.values);
}
template <typename Archive> void fields(Archive &archive, PassEndRecord &record) {
  archive("name", record.pass.name);
  archive("options", record.pass.options);
  archive("depth", record.pass.depth);
  archive("status", record.pass.status);
  archive("verdicts", record.verdicts);
  archive("runsAsWritten", record.pass.runsAsWritten);
  archive("figures", record.pass.figures);
  archive("irBytes", record.pass.irBytes);
  archive("remarks", record.pass.remarks);
}
template <typename Archive> void fields(Archive &archive, TimeRecord &record) {
  archive("index", record.index);
  archive("wallMicroseconds", record.wallMicroseconds);
}
template <typename Archive> void fields(Archive &archive, EndRecord &record) {
  archive("diagnostics", record.diagnostics);
  archive("tags", record.tags);
  archive("language", record.language);
  archive("text", record.text);
  archive("map", record.map);
  archive("launches", record.launches);
  archive("sass", record.device.sass);
  archive("noSass", record.device.noSass);
  archive("cubin", record.device.cubin);
  archive("kernels", record.device.kernels);
  archive("pass", record.execution.pass);
  archive("blocks", record.execution.blocks);
}
template <typename Archive> void fields(Archive &archive, IndexRecord &record) {
  archive("records", record.records);
}

RecordProblem corrupt(const std::string &why) { return "is corrupt (" + why + ")"; }

template <typename T> RecordProblem read(llvm::StringRef record, T &value) {
  std::string error;
  switch (readJson(record, MaxDepth, value, error)) {
  case JsonFault::None:
    return "";
  case JsonFault::NotJson:
    return "is torn or no JSON";
  case JsonFault::WrongField:
    break;
  }
  return corrupt(error);
}

template <typename T>
RecordProblem readNamedPart(llvm::StringRef record, const char *name, SharedPart<T> &part) {
  PartRecord<T> content{name, {}};
  if (RecordProblem problem = read(record, content); !problem.empty())
    return problem;
  if (const char *why = senselessness(content.values))
    return corrupt(why);
  part = std::make_shared<const std::vector<T>>(std::move(content.values));
  return "";
}

} // namespace

// ---- Heads --------------------------------------------------------------------------------------

RecordHead headOf(llvm::StringRef kindName) {
  static constexpr std::pair<llvm::StringRef, RecordKind> Kinds[] = {
      {"trace", RecordKind::Header},       {"passBegin", RecordKind::PassBegin},
      {"lines", RecordKind::Lines},        {"snapshot", RecordKind::Snapshot},
      {"passEnd", RecordKind::PassEnd},    {"time", RecordKind::Time},
      {"cuda", RecordKind::Cuda},          {"diagnostics", RecordKind::Diagnostics},
      {"index", RecordKind::Index},        {"launches", RecordKind::Launches},
      {"tags", RecordKind::Tags},          {"device", RecordKind::Device},
      {"execution", RecordKind::Execution}};
  for (const auto &[name, kind] : Kinds)
    if (kindName == name)
      return {kind, Facet::None};
#define FACET(Type, member)                                                                        \
  if (kindName == #member)                                                                         \
    return {RecordKind::Facet, Facet::Type};
#include "core/facets/facets.def"
  return {};
}

bool readHeadQuickly(llvm::StringRef text, RecordHead &head) {
  if (!text.consume_front(RecordPrefix))
    return false;
  size_t end = text.find_first_of("\"\\");
  if (end == llvm::StringRef::npos || text[end] != '"')
    return false;
  head = headOf(text.take_front(end));
  return true;
}

RecordProblem readHead(llvm::StringRef record, RecordHead &head) {
  if (readHeadQuickly(record, head))
    return "";
  AnyRecord any;
  if (RecordProblem problem = read(record, any); !problem.empty())
    return problem;
  if (!any.kind)
    return corrupt("a line without a record type");
  head = headOf(*any.kind);
  return "";
}

// ---- Records ------------------------------------------------------------------------------------

// With blanks between the tokens too, as other programs write JSON.
bool isHeader(llvm::StringRef text) {
  for (llvm::StringRef token : {"{", "\"record\"", ":", "\"trace\""}) {
    text = text.ltrim();
    if (!text.consume_front(token))
      return false;
  }
  return true;
}

llvm::Error readHeader(llvm::StringRef record, llvm::StringRef name, Trace &trace) {
  if (!isHeader(record))
    return llvm::createStringError(llvm::formatv("'{0}' is not a Tilescope trace", name).str());
  TraceHeader &header = trace.header;
  std::string error;
  JsonFault fault = readJson(record, MaxDepth, header, error);
  if (fault == JsonFault::NotJson)
    return llvm::createStringError(
        llvm::formatv(
            "the first record of trace '{0}' is torn or no JSON: nothing of it can be read", name)
            .str());
  if (fault == JsonFault::WrongField)
    return llvm::createStringError(llvm::formatv("'{0}': {1}", name, error).str());
  if (header.major > TraceMajor)
    return llvm::createStringError(
        llvm::formatv("'{0}' has trace format {1}.{2}; this program reads up to {3}.x", name,
                      header.major, header.minor, TraceMajor)
            .str());
  if (const char *why = senselessness(header))
    return llvm::createStringError(llvm::formatv("'{0}': {1}", name, why).str());
  if (header.major == TraceMajor && header.minor > TraceMinor)
    addNote(trace, llvm::formatv("the trace has format {0}.{1}, and this program reads {2}.{3}: "
                                 "what is newer in it is left out",
                                 header.major, header.minor, TraceMajor, TraceMinor)
                       .str());
  return llvm::Error::success();
}

void addNote(Trace &trace, const std::string &note) {
  trace.recovery += (trace.recovery.empty() ? "" : "; ") + note;
}

std::string lossNote(size_t lineNumber, const RecordProblem &problem, uint64_t lostBytes,
                     uint64_t allBytes) {
  return llvm::formatv("line {0} {1}; the last {2} bytes of {3} are lost", lineNumber, problem,
                       lostBytes, allBytes)
      .str();
}

RecordProblem readLines(llvm::StringRef record, std::vector<TraceLine> &lines) {
  LinesRecord content;
  RecordProblem problem = read(record, content);
  if (problem.empty() && !content.lines)
    return corrupt("a lines record without lines");
  if (!problem.empty())
    return problem;
  lines.clear();
  lines.reserve(content.lines->size());
  for (CompactLine &line : *content.lines)
    lines.push_back(std::move(line.line));
  return "";
}

RecordProblem readLineCount(llvm::StringRef record, uint64_t &count) {
  if (record.consume_front(R"({"record":"lines","count":)"))
    return record.consumeInteger(10, count) ? corrupt("no count of lines") : "";
  LineCountRecord content;
  RecordProblem problem = read(record, content);
  count = content.lines.count;
  return problem;
}

bool isFullSnapshot(llvm::StringRef record) {
  return record.starts_with(R"({"record":"snapshot","full":)");
}

RecordProblem readSnapshot(llvm::StringRef record, llvm::ArrayRef<LineId> before, size_t lineCount,
                           std::vector<LineId> &lines) {
  SnapshotRecord content;
  if (RecordProblem problem = read(record, content); !problem.empty())
    return problem;
  if (content.full) {
    lines = std::move(*content.full);
  } else if (!content.edits) {
    return corrupt("a snapshot without text");
  } else {
    std::vector<LineEdit> edits;
    for (CompactEdit &edit : *content.edits)
      edits.push_back(std::move(edit.edit));
    std::optional<std::vector<LineId>> applied = applyLineEdits(before, edits);
    if (!applied)
      return corrupt("an edit outside the text");
    lines = std::move(*applied);
  }
  bool isKnown = llvm::all_of(lines, [&](LineId line) { return line < lineCount; });
  return isKnown ? "" : corrupt("a snapshot names a line that does not exist");
}

#define FACET(Type, member)                                                                        \
  RecordProblem readPart(llvm::StringRef record, SharedPart<Type> &part) {                         \
    return readNamedPart(record, #member, part);                                                   \
  }
#include "core/facets/facets.def"

static RecordProblem takePassEnd(llvm::StringRef record, Trace &trace) {
  PassEndRecord content;
  if (RecordProblem problem = read(record, content); !problem.empty())
    return problem;
  if (const char *why = senselessness(content.pass))
    return corrupt(why);
  content.pass.verdicts = content.verdicts.verdicts();
  trace.passes.push_back(std::move(content.pass));
  return "";
}

static RecordProblem takeTime(llvm::StringRef record, Trace &trace) {
  TimeRecord content;
  if (RecordProblem problem = read(record, content); !problem.empty())
    return problem;
  if (content.index >= trace.passes.size())
    return corrupt("the time of a pass that does not exist");
  TracePass timed;
  timed.wallMicroseconds = content.wallMicroseconds;
  if (const char *why = senselessness(timed))
    return corrupt(why);
  trace.passes[content.index].wallMicroseconds = content.wallMicroseconds;
  return "";
}

static RecordProblem takeEnd(RecordKind kind, llvm::StringRef record, Trace &trace) {
  EndRecord content;
  if (RecordProblem problem = read(record, content); !problem.empty())
    return problem;
  if (const char *why = senselessness(content.launches))
    return corrupt(why);
  if (const char *why = senselessness(content.execution))
    return corrupt(why);
  if (kind == RecordKind::Diagnostics) {
    trace.diagnostics = std::move(content.diagnostics);
  } else if (kind == RecordKind::Launches) {
    trace.launches = std::move(content.launches);
  } else if (kind == RecordKind::Tags) {
    trace.tags = std::move(content.tags);
  } else if (kind == RecordKind::Device) {
    trace.device = std::make_shared<const DeviceListing>(std::move(content.device));
  } else if (kind == RecordKind::Execution) {
    if (content.execution.pass >= trace.passes.size())
      return corrupt("an execution after a pass that does not exist");
    trace.execution = std::make_shared<const ExecutionRecord>(std::move(content.execution));
  } else {
    trace.codeLanguage = std::move(content.language);
    trace.cuda = std::move(content.text);
    trace.cudaMap = std::move(content.map);
  }
  return "";
}

RecordProblem takeRecord(RecordKind kind, llvm::StringRef record, Trace &trace) {
  switch (kind) {
  case RecordKind::PassEnd:
    return takePassEnd(record, trace);
  case RecordKind::Time:
    return takeTime(record, trace);
  case RecordKind::Diagnostics:
  case RecordKind::Tags:
  case RecordKind::Cuda:
  case RecordKind::Launches:
  case RecordKind::Device:
  case RecordKind::Execution:
    return takeEnd(kind, record, trace);
  default:
    break;
  }
  AnyRecord content;
  RecordProblem problem = read(record, content);
  if (problem.empty() && kind == RecordKind::Index)
    trace.complete = true;
  return problem;
}

RecordProblem readIndex(llvm::StringRef record, std::vector<IndexEntry> &entries) {
  IndexRecord content;
  RecordProblem problem = read(record, content);
  for (CompactEntry &entry : content.records)
    entries.push_back(std::move(entry.entry));
  return problem;
}

} // namespace tilescope
