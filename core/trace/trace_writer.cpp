#include "core/trace/trace_writer.h"

#include "core/trace/line_edits.h"
#include "core/trace/trace_fields.h"

#include "llvm/ADT/Twine.h"

namespace tilescope {

namespace {

// A full snapshot now and then bounds what a reader must replay.
constexpr size_t FullSnapshotEvery = 32;

Json compactLine(const TraceLine &line) {
  return Json::array({line.text, toJson(line.stmt), toJson(line.buffer),
                      line.span.isValid() ? toJson(line.span) : Json()});
}

Json editsJson(llvm::ArrayRef<LineEdit> edits) {
  Json array = Json::array();
  for (const LineEdit &edit : edits)
    array.push_back(Json::array({edit.at, edit.removed, Json(edit.inserted)}));
  return array;
}

} // namespace

class TraceWriter::Impl {
public:
  Impl(std::string path, std::unique_ptr<llvm::raw_fd_ostream> out)
      : path_(std::move(path)), out_(std::move(out)) {}

  // A stream that still holds an error would abort the program when destroyed.
  ~Impl() { out_->clear_error(); }

  void record(const char *kind, Json fields) {
    Json line{{"record", kind}};
    for (auto &[name, value] : fields.items())
      line[name] = std::move(value);
    *out_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  }

  void writeHeader(const TraceHeader &header) {
    record("trace", toJson(header));
    out_->flush();
  }

  void beginPass(llvm::StringRef name, llvm::StringRef options) {
    record("passBegin", {{"name", name.str()}, {"options", options.str()}});
  }

  void writePass(const Trace &trace, size_t index) {
    const TracePass &pass = trace.passes[index];
    bool isNewSnapshot = pass.snapshot == snapshotCount_;
    if (isNewSnapshot) {
      writeNewLines(trace);
      writeSnapshot(trace, pass.snapshot);
      ++snapshotCount_;
    }
    endPass(pass, index);
  }

  llvm::Error close(const Trace &trace) {
    if (!trace.diagnostics.empty())
      record("diagnostics", {{"diagnostics", toJson(trace.diagnostics)}});
    if (!trace.cuda.empty())
      record("cuda", {{"text", trace.cuda}, {"map", toJson(trace.cudaMap)}});
    if (!trace.launches.empty())
      record("launches", {{"launches", toJson(trace.launches)}});
    record("index", {{"passEnds", Json(passEnds_)}, {"lastFull", lastFull_}});
    out_->flush();
    if (!out_->has_error())
      return llvm::Error::success();
    std::error_code code = out_->error();
    return llvm::createStringError(code, "cannot write trace '%s': %s", path_.c_str(),
                                   code.message().c_str());
  }

private:
  void writeNewLines(const Trace &trace) {
    if (trace.lines.size() == lineCount_)
      return;
    Json lines = Json::array();
    for (; lineCount_ < trace.lines.size(); ++lineCount_)
      lines.push_back(compactLine(trace.lines[lineCount_]));
    record("lines", {{"lines", std::move(lines)}});
  }

  void writeSnapshot(const Trace &trace, size_t index) {
    const TraceSnapshot &now = trace.snapshots[index];
    static const TraceSnapshot Nothing;
    const TraceSnapshot &before = index ? trace.snapshots[index - 1] : Nothing;
    if (index % FullSnapshotEvery == 0) {
      lastFull_ = out_->tell();
      record("snapshot", {{"full", Json(*now.lines)}});
    } else {
      record("snapshot", {{"edits", editsJson(diffLines(*before.lines, *now.lines))}});
    }
#define FACET(Type, member) writePart(#member, before.member, now.member);
#include "core/facets/facets.def"
  }

  template <typename T>
  void writePart(const char *kind, const SharedPart<T> &before, const SharedPart<T> &now) {
    if (before != now)
      record(kind, {{kind, toJson(*now)}});
  }

  void endPass(const TracePass &pass, size_t index) {
    uint64_t offset = out_->tell();
    Json fields{{"index", index},
                {"name", pass.name},
                {"options", pass.options},
                {"depth", pass.depth},
                {"status", toJson(pass.status)},
                {"snapshot", pass.snapshot},
                {"verdicts", toJson(pass.verdicts)}};
    if (!pass.remarks.empty())
      fields["remarks"] = toJson(pass.remarks);
    fields["previousPassEnd"] = passEnds_.empty() ? Json() : Json(passEnds_.back());
    fields["lastFull"] = lastFull_;
    record("passEnd", std::move(fields));
    passEnds_.push_back(offset);
    record("time", {{"index", index}, {"wallMicroseconds", pass.wallMicroseconds}});
    out_->flush();
  }

  std::string path_;
  std::unique_ptr<llvm::raw_fd_ostream> out_;
  size_t lineCount_ = 0;
  size_t snapshotCount_ = 0;
  uint64_t lastFull_ = 0;          // byte offset of the last full snapshot record
  std::vector<uint64_t> passEnds_; // byte offsets of passEnd records
};

TraceWriter::TraceWriter(std::string path, std::unique_ptr<llvm::raw_fd_ostream> out)
    : impl_(std::make_unique<Impl>(std::move(path), std::move(out))) {}

TraceWriter::~TraceWriter() = default;

llvm::Expected<std::unique_ptr<TraceWriter>> TraceWriter::open(const std::string &path) {
  std::error_code code;
  auto out = std::make_unique<llvm::raw_fd_ostream>(path, code);
  if (code)
    return llvm::createStringError(code, "cannot write trace '%s': %s", path.c_str(),
                                   code.message().c_str());
  return std::unique_ptr<TraceWriter>(new TraceWriter(path, std::move(out)));
}

void TraceWriter::writeHeader(const TraceHeader &header) { impl_->writeHeader(header); }

void TraceWriter::beginPass(llvm::StringRef name, llvm::StringRef options) {
  impl_->beginPass(name, options);
}

void TraceWriter::writePass(const Trace &trace, size_t index) { impl_->writePass(trace, index); }

llvm::Error TraceWriter::close(const Trace &trace) { return impl_->close(trace); }

} // namespace tilescope
