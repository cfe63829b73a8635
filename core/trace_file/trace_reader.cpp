#include "core/trace_file/trace_reader.h"

#include "core/recorded/foreign_trace.h"
#include "core/trace/trace_limits.h"
#include "core/trace_file/trace_records.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tilescope {

namespace {

class Reader {
public:
  explicit Reader(Trace &trace) : trace_(trace) {}

  RecordProblem take(llvm::StringRef record) {
    RecordHead head;
    if (RecordProblem problem = readHead(record, head); !problem.empty())
      return problem;
    switch (head.kind) {
    case RecordKind::Lines:
      return takeLines(record);
    case RecordKind::Snapshot:
      return takeSnapshot(record);
    case RecordKind::Facet:
      return takePart(head.facet, record);
    case RecordKind::PassEnd:
      return takePassEnd(record);
    default:
      return takeRecord(head.kind, record, trace_);
    }
  }

private:
  RecordProblem takeLines(llvm::StringRef record) {
    std::vector<TraceLine> lines;
    RecordProblem problem = readLines(record, lines);
    for (TraceLine &line : lines)
      trace_.lines.push_back(std::move(line));
    return problem;
  }

  RecordProblem takeSnapshot(llvm::StringRef record) {
    std::vector<LineId> lines;
    RecordProblem problem = readSnapshot(record, *pending_.lines, trace_.lines.size(), lines);
    if (!problem.empty())
      return problem;
    keptLines_ += lines.size();
    const char *why = senselessness(lines, trace_.lines);
    if (keptLines_ > MaxWholeLines)
      why = "more snapshots than can be kept";
    if (why)
      return llvm::formatv("is corrupt ({0})", why).str();
    pending_.lines = std::make_shared<const std::vector<LineId>>(std::move(lines));
    hasSnapshot_ = true;
    return "";
  }

  RecordProblem takePart(Facet facet, llvm::StringRef record) {
    switch (facet) {
#define FACET(Type, member)                                                                        \
  case Facet::Type:                                                                                \
    return readPart(record, pending_.member);
#include "core/facets/facets.def"
    case Facet::None:
      break;
    }
    return "";
  }

  RecordProblem takePassEnd(llvm::StringRef record) {
    RecordProblem problem = takeRecord(RecordKind::PassEnd, record, trace_);
    if (!problem.empty())
      return problem;
    if (hasSnapshot_ || trace_.snapshots.empty())
      trace_.snapshots.push_back(pending_);
    hasSnapshot_ = false;
    trace_.passes.back().snapshot = trace_.snapshots.size() - 1;
    return "";
  }

  Trace &trace_;
  TraceSnapshot pending_;
  bool hasSnapshot_ = false;
  size_t keptLines_ = 0;
};

} // namespace

bool looksLikeTrace(llvm::StringRef text) { return isHeader(text); }

llvm::Expected<Trace> readTrace(llvm::StringRef text, llvm::StringRef name) {
  auto [first, rest] = text.split('\n');
  Trace trace;
  if (llvm::Error error = readHeader(first, name, trace))
    return error;
  Reader reader(trace);
  size_t lineNumber = 1;
  bool isWhole = true;
  while (!rest.empty() && isWhole) {
    ++lineNumber;
    auto [record, next] = rest.split('\n');
    RecordProblem problem = reader.take(record);
    isWhole = problem.empty();
    if (!isWhole)
      addNote(trace, lossNote(lineNumber, problem, rest.size(), text.size()));
    rest = next;
  }
  if (!trace.complete && isWhole)
    addNote(trace, NotClosedNote);
  completeForeign(trace);
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
