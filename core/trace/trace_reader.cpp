#include "core/trace/trace_reader.h"

#include "core/support/line_edits.h"
#include "core/trace/arena_limits.h"
#include "core/trace/trace_fields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tilescope {

namespace {

// Deeper nesting than any record of ours; protects recursion in `fields`.
constexpr int MaxDepth = 16;

std::optional<Json> parseRecord(llvm::StringRef line) {
  bool tooDeep = false;
  auto checkDepth = [&](int depth, Json::parse_event_t, Json &) {
    tooDeep |= depth > MaxDepth;
    return !tooDeep;
  };
  Json json = Json::parse(line.begin(), line.end(), checkDepth, /*allow_exceptions=*/false);
  if (tooDeep || !json.is_object())
    return std::nullopt;
  return json;
}

class Reader {
public:
  explicit Reader(Trace &trace) : trace_(trace) {}

  // False: the record makes no sense; `problem()` says why.
  bool take(const Json &json) {
    std::string kind;
    std::string error;
    if (auto found = json.find("record");
        found == json.end() || !JsonReader::read(*found, kind, error))
      return fail("a line without a record type");
    if (kind == "lines")
      return takeLines(json);
    if (kind == "snapshot")
      return takeSnapshot(json);
#define FACET(Type, member)                                                                        \
  if (kind == #member)                                                                             \
    return takePart(json, #member, pending_.member);
#include "core/facets/facets.def"
    if (kind == "passEnd")
      return takePassEnd(json);
    if (kind == "time")
      return takeTime(json);
    return takeEnd(kind, json);
  }

  const std::string &problem() const { return problem_; }

private:
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  template <typename T> bool field(const Json &json, const char *name, T &value) {
    std::string error;
    JsonReader reader(json, error);
    reader(name, value);
    return error.empty() || fail(error);
  }

  bool takeLines(const Json &json) {
    auto found = json.find("lines");
    if (found == json.end() || !found->is_array())
      return fail("a lines record without lines");
    for (const Json &item : *found) {
      TraceLine line;
      std::string error;
      if (!item.is_array() || item.size() < 4 || !JsonReader::read(item[0], line.text, error) ||
          !JsonReader::read(item[1], line.stmt, error) ||
          !JsonReader::read(item[2], line.buffer, error) ||
          !(item[3].is_null() || JsonReader::read(item[3], line.span, error)))
        return fail("a malformed line of IR text");
      trace_.lines.push_back(std::move(line));
    }
    return true;
  }

  bool takeSnapshot(const Json &json) {
    std::vector<LineId> lines;
    if (json.contains("full")) {
      if (!field(json, "full", lines))
        return false;
    } else if (!applyEdits(json, lines)) {
      return false;
    }
    for (LineId line : lines)
      if (line >= trace_.lines.size())
        return fail("a snapshot names a line that does not exist");
    pending_.lines = std::make_shared<const std::vector<LineId>>(std::move(lines));
    hasSnapshot_ = true;
    return true;
  }

  bool applyEdits(const Json &json, std::vector<LineId> &lines) {
    auto found = json.find("edits");
    if (found == json.end() || !found->is_array())
      return fail("a snapshot without text");
    std::vector<LineEdit> edits;
    for (const Json &item : *found) {
      LineEdit &edit = edits.emplace_back();
      std::string error;
      if (!item.is_array() || item.size() != 3 || !JsonReader::read(item[0], edit.at, error) ||
          !JsonReader::read(item[1], edit.removed, error) ||
          !JsonReader::read(item[2], edit.inserted, error))
        return fail("a malformed edit of IR text");
    }
    std::optional<std::vector<LineId>> applied = applyLineEdits(*pending_.lines, edits);
    if (!applied)
      return fail("an edit outside the text");
    lines = std::move(*applied);
    return true;
  }

  template <typename T> bool takePart(const Json &json, const char *name, SharedPart<T> &part) {
    std::vector<T> values;
    if (!field(json, name, values))
      return false;
    if constexpr (std::is_same_v<T, AccessRecord>)
      for (const AccessRecord &access : values)
        if (!isTree(access.program))
          return fail("an access program that is no tree");
    if constexpr (std::is_same_v<T, ArenaRecord>)
      if (!llvm::all_of(values, isWithinLimits))
        return fail("an arena with senseless figures");
    part = std::make_shared<const std::vector<T>>(std::move(values));
    return true;
  }

  // Every node is reached from the root exactly once, so that walks end.
  static bool isTree(const AccessProgram &program) {
    if (program.nodes.empty())
      return true;
    std::vector<bool> seen(program.nodes.size());
    std::vector<uint32_t> open{program.root};
    while (!open.empty()) {
      uint32_t node = open.back();
      open.pop_back();
      if (node >= seen.size() || seen[node])
        return false;
      seen[node] = true;
      const std::vector<uint32_t> &children = program.nodes[node].children;
      open.insert(open.end(), children.begin(), children.end());
    }
    return true;
  }

  bool takePassEnd(const Json &json) {
    TracePass pass;
    if (!field(json, "name", pass.name) || !field(json, "options", pass.options) ||
        !field(json, "depth", pass.depth) || !field(json, "status", pass.status) ||
        !field(json, "verdicts", pass.verdicts) || !field(json, "figures", pass.figures) ||
        !field(json, "remarks", pass.remarks))
      return false;
    if (pass.figures && !areWithinLimits(*pass.figures))
      return fail("a pass with senseless figures");
    if (hasSnapshot_ || trace_.snapshots.empty())
      trace_.snapshots.push_back(pending_);
    hasSnapshot_ = false;
    pass.snapshot = trace_.snapshots.size() - 1;
    trace_.passes.push_back(std::move(pass));
    return true;
  }

  bool takeTime(const Json &json) {
    size_t index = 0;
    int64_t wallMicroseconds = 0;
    if (!field(json, "index", index) || !field(json, "wallMicroseconds", wallMicroseconds))
      return false;
    if (index >= trace_.passes.size())
      return fail("the time of a pass that does not exist");
    trace_.passes[index].wallMicroseconds = wallMicroseconds;
    return true;
  }

  bool takeEnd(const std::string &kind, const Json &json) {
    if (kind == "diagnostics")
      return field(json, "diagnostics", trace_.diagnostics);
    if (kind == "cuda")
      return field(json, "text", trace_.cuda) && field(json, "map", trace_.cudaMap);
    if (kind == "launches")
      return field(json, "launches", trace_.launches);
    if (kind == "index")
      trace_.complete = true;
    return true; // a record of a later minor version
  }

  Trace &trace_;
  TraceSnapshot pending_;
  bool hasSnapshot_ = false;
  std::string problem_;
};

llvm::Error readHeader(const Json &json, TraceHeader &header, llvm::StringRef name) {
  std::string error;
  JsonReader reader(json, error);
  fields(reader, header);
  if (!error.empty())
    return llvm::createStringError(llvm::formatv("'{0}': {1}", name, error).str());
  if (header.major > TraceMajor)
    return llvm::createStringError(
        llvm::formatv("'{0}' has trace format {1}.{2}; this program reads up to {3}.x", name,
                      header.major, header.minor, TraceMajor)
            .str());
  return llvm::Error::success();
}

} // namespace

bool looksLikeTrace(llvm::StringRef text) { return text.starts_with("{\"record\":\"trace\""); }

llvm::Expected<Trace> readTrace(llvm::StringRef text, llvm::StringRef name) {
  auto [first, rest] = text.split('\n');
  std::optional<Json> headerRecord = parseRecord(first);
  if (!looksLikeTrace(text))
    return llvm::createStringError(llvm::formatv("'{0}' is not a Tilescope trace", name).str());
  if (!headerRecord)
    return llvm::createStringError(
        llvm::formatv(
            "the first record of trace '{0}' is torn or no JSON: nothing of it can be read", name)
            .str());
  Trace trace;
  if (llvm::Error error = readHeader(*headerRecord, trace.header, name))
    return error;
  Reader reader(trace);
  size_t lineNumber = 1;
  while (!rest.empty()) {
    ++lineNumber;
    size_t remaining = rest.size();
    auto [line, next] = rest.split('\n');
    std::optional<Json> record = parseRecord(line);
    if (!record || !reader.take(*record)) {
      trace.recovery =
          llvm::formatv("line {0} {1}; the last {2} bytes of {3} are lost", lineNumber,
                        record ? "is corrupt (" + reader.problem() + ")" : "is torn or no JSON",
                        remaining, text.size())
              .str();
      break;
    }
    rest = next;
  }
  if (!trace.complete && trace.recovery.empty())
    trace.recovery = "the trace was not closed: its compile was cut off or still runs";
  return trace;
}

llvm::Expected<Trace> readTraceFile(const std::string &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  return readTrace((*buffer)->getBuffer(), path);
}

} // namespace tilescope
