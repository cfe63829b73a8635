#include "core/exports/csv_tables.h"

#include "core/support/csv_line.h"
#include "core/trace/pass_figures.h"
#include "core/trace/pass_state.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace tilescope {

namespace {

// A field: text, a number, a truth value, or nothing.
class CsvWriter {
public:
  explicit CsvWriter(llvm::StringRef header) : text_(header.str() + "\n") {}

  CsvWriter &operator<<(llvm::StringRef field) {
    std::string text = llvm::json::isUTF8(field) ? field.str() : llvm::json::fixUTF8(field);
    text_ += isFirst_ ? "" : ",";
    isFirst_ = false;
    text_ += csvField(text);
    return *this;
  }
  CsvWriter &operator<<(const char *field) { return *this << llvm::StringRef(field); }
  CsvWriter &operator<<(const std::string &field) { return *this << llvm::StringRef(field); }
  CsvWriter &operator<<(bool value) { return *this << (value ? "true" : "false"); }
  template <typename T>
    requires std::is_integral_v<T>
  CsvWriter &operator<<(T value) {
    return *this << std::to_string(value);
  }
  template <typename T> CsvWriter &operator<<(const std::optional<T> &value) {
    return value ? *this << *value : *this << "";
  }
  CsvWriter &operator<<(Verdict verdict) { return *this << nameOf(verdict); }
  CsvWriter &operator<<(const KernelLine &line) {
    return line ? *this << line.number : *this << "";
  }
  CsvWriter &operator<<(BufferId id) { return id.isValid() ? *this << id.value : *this << ""; }

  void endRow() {
    text_ += '\n';
    isFirst_ = true;
  }

  const std::string &text() const { return text_; }

private:
  std::string text_;
  bool isFirst_ = true;
};

const TraceSnapshot &snapshotAfter(const Trace &trace, size_t pass) {
  return trace.snapshots[trace.passes[pass].snapshot];
}

std::string keyOf(const SharedBuffer &buffer) {
  return buffer.declaration ? toString(buffer.declaration->key) : "";
}

std::string idsText(const std::vector<BufferId> &ids) {
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (BufferId id : ids)
    texts.push_back(std::to_string(id.value));
  return llvm::join(texts, " ");
}

std::string writePasses(const Trace &trace, size_t /*pass*/) {
  constexpr const char *Statuses[] = {"changed", "unchanged", "failed"};
  CsvWriter out("index,name,options,depth,status,linesAdded,linesRemoved,sharedBytes,"
                "sharedIsPreview,wallMicroseconds,verified,arenaSound,hazardFree,remarks,"
                "irBytes");
  for (size_t index = 0; index != trace.passes.size(); ++index) {
    const TracePass &pass = trace.passes[index];
    PassFigures figures = figuresOf(trace, index);
    out << index << passPlace(trace, index) << pass.options << pass.depth
        << Statuses[static_cast<size_t>(pass.status)] << figures.linesAdded << figures.linesRemoved
        << figures.sharedBytes << figures.sharedIsPreview << pass.wallMicroseconds
        << pass.verdicts.verified << pass.verdicts.arenaSound << pass.verdicts.hazardFree
        << pass.remarks.size() << pass.irBytes;
    out.endRow();
  }
  return out.text();
}

std::string writeBuffers(const Trace &trace, size_t pass) {
  CsvWriter out("pass,id,key,name,dtype,shape,scope,versions,layout,sizeBytes,offsetBytes,origin,"
                "sourceLine");
  for (const BufferRecord &buffer : *snapshotAfter(trace, pass).buffers) {
    out << passPlace(trace, pass) << buffer.id << toString(buffer.key) << buffer.name
        << buffer.dtype << llvm::join(buffer.shape, ", ") << nameOf(buffer.scope) << buffer.versions
        << buffer.layout << buffer.sizeBytes << buffer.offsetBytes << buffer.origin;
    if (buffer.span.isValid())
      out << buffer.span.line;
    else
      out << "";
    out.endRow();
  }
  return out.text();
}

void writeArena(llvm::StringRef pass, const FunctionState &function, CsvWriter &out) {
  constexpr const char *Reasons[] = {"only-buffer", "lowest-free", "reuses-bytes", "pinned"};
  for (const Placement &placement : function.arena->plan.placements) {
    const SharedBuffer &shared = *function.find(placement.id);
    if (!shared.inArena)
      continue; // a corrupt trace
    const ArenaBuffer &buffer = *shared.inArena;
    out << pass << function.name << function.arena->preview << placement.id << keyOf(shared)
        << placement.offsetBytes << placement.sizeBytes << buffer.alignmentBytes << buffer.versions
        << buffer.strideBytes << placement.paddingBytes
        << Reasons[static_cast<size_t>(placement.reason)] << idsText(placement.below)
        << idsText(placement.sharesWith);
    out.endRow();
  }
}

std::string writePlacements(const Trace &trace, size_t pass) {
  CsvWriter out("pass,function,preview,buffer,key,offsetBytes,sizeBytes,alignmentBytes,versions,"
                "strideBytes,paddingBytes,reason,below,sharesWith");
  PassState state(trace, pass);
  for (const FunctionState &function : state.functions())
    if (function.arena)
      writeArena(state.place(), function, out);
  return out.text();
}

// The line of the kernel file of the statement at a program point.
KernelLine sourceLineAt(const FunctionText &text, ProgramPoint point) {
  auto index = static_cast<size_t>(point);
  return index < text.points.size() ? text.points[index].sourceLine : KernelLine();
}

std::string writeLifetimes(const Trace &trace, size_t pass) {
  CsvWriter out("pass,function,buffer,key,kind,begin,end,beginLine,endLine,"
                "beginCarried,endCarried");
  PassState state(trace, pass);
  for (const FunctionState &function : state.functions()) {
    if (!function.accesses)
      continue;
    const FunctionText &text = state.textOf(function);
    for (const BufferLifetime &lifetime : function.accesses->lifetimes.buffers) {
      std::string key = keyOf(*function.find(lifetime.buffer));
      auto write = [&](const char *kind, const std::vector<LiveInterval> &intervals) {
        for (const LiveInterval &interval : intervals) {
          KernelLine begin = sourceLineAt(text, interval.begin);
          KernelLine end = sourceLineAt(text, interval.end - 1);
          out << state.place() << function.name << lifetime.buffer << key << kind << interval.begin
              << interval.end << begin << end << begin.isCarried << end.isCarried;
          out.endRow();
        }
      };
      write("live", lifetime.intervals);
      write("inFlight", lifetime.inFlight);
    }
  }
  return out.text();
}

constexpr CsvTable Tables[] = {
    {"passes", writePasses},
    {"buffers", writeBuffers},
    {"placements", writePlacements},
    {"lifetimes", writeLifetimes},
};

} // namespace

llvm::ArrayRef<CsvTable> allCsvTables() { return Tables; }

} // namespace tilescope
