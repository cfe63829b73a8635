#include "core/trace_file/trace_writer.h"

#include "core/support/line_edits.h"
#include "core/trace/recorded_verdicts.h"
#include "core/trace/trace_fields.h"
#include "core/trace_file/trace_records.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <unistd.h>

namespace tilescope {

namespace {

// A full snapshot now and then bounds what a reader must replay.
constexpr size_t FullSnapshotEvery = 32;

constexpr const char *PartSuffix = ".part";

void writeCompactLine(JsonStream &out, const TraceLine &line) {
  out.array([&] {
    writeJson(out, line.text);
    writeJson(out, line.stmt);
    writeJson(out, line.buffer);
    writeJson(out, line.span.isValid() ? std::optional(line.span) : std::nullopt);
    if (line.isCarried)
      writeJson(out, true);
  });
}

void writeEdit(JsonStream &out, const LineEdit &edit) {
  out.array([&] {
    writeJson(out, edit.at);
    writeJson(out, edit.removed);
    writeJson(out, edit.inserted);
  });
}

void writeEntry(JsonStream &out, const IndexEntry &entry) {
  out.array([&] {
    out.value(entry.kind);
    out.value(entry.bytes);
    if (entry.count != 0)
      out.value(entry.count);
  });
}

llvm::Error cannotWrite(const std::string &path, std::error_code code) {
  return llvm::createStringError(code, "cannot write trace '%s': %s", path.c_str(),
                                 code.message().c_str());
}

// Where a trace grows. A regular file, or one that is not there yet, grows beside its name, so that
// an older trace stays until the new one is whole; anything else (a pipe, a device) has one name.
struct GrowingFile {
  int descriptor = -1;
  std::string path; // "": the final name itself
};

llvm::Expected<GrowingFile> openGrowing(const std::string &path) {
  if (path == "-")
    return GrowingFile{STDOUT_FILENO, ""};
  llvm::sys::fs::file_status status;
  bool exists = !llvm::sys::fs::status(path, status) && llvm::sys::fs::exists(status);
  GrowingFile file;
  if (exists && !llvm::sys::fs::is_regular_file(status)) {
    if (std::error_code code =
            llvm::sys::fs::openFileForWrite(path, file.descriptor, llvm::sys::fs::CD_OpenAlways))
      return cannotWrite(path, code);
    return file;
  }
  llvm::SmallString<128> unique;
  if (std::error_code code = llvm::sys::fs::createUniqueFile(
          path + ".%%%%%%" + PartSuffix, file.descriptor, unique, llvm::sys::fs::OF_None, 0666))
    return cannotWrite(path, code);
  file.path = unique.str().str();
  return file;
}

// The file that a name stands for: a link goes on pointing to it.
std::string targetOf(const std::string &path) {
  llvm::SmallString<128> target;
  return llvm::sys::fs::real_path(path, target) ? path : target.str().str();
}

} // namespace

class TraceWriter::Impl {
public:
  Impl(std::string path, GrowingFile file)
      : path_(std::move(path)), part_(std::move(file.path)),
        out_(std::make_unique<llvm::raw_fd_ostream>(file.descriptor, /*shouldClose=*/true)) {
    // It is flushed at each pass end; a smaller buffer would only add system calls.
    out_->SetBufferSize(size_t{1} << 18);
  }

  // A stream that still holds an error would abort the program when destroyed.
  ~Impl() { out_->clear_error(); }

  void record(llvm::StringRef kind, llvm::function_ref<void(JsonStream &)> writeRest,
              uint64_t count = 0) {
    uint64_t begin = out_->tell();
    {
      JsonStream out(*out_);
      out.object([&] {
        out.attribute("record", kind);
        writeRest(out);
      });
    }
    *out_ << '\n';
    records_.push_back({kind.str(), out_->tell() - begin, count});
  }

  void writeHeader(const TraceHeader &header) {
    record("trace", [&](JsonStream &out) { writeFields(out, header); });
    out_->flush();
  }

  void beginPass(llvm::StringRef name, llvm::StringRef options) {
    record("passBegin", [&](JsonStream &out) {
      writeField(out, "name", name.str());
      writeField(out, "options", options.str());
    });
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
      record("diagnostics",
             [&](JsonStream &out) { writeField(out, "diagnostics", trace.diagnostics); });
    if (!trace.tags.empty())
      record("tags", [&](JsonStream &out) { writeField(out, "tags", trace.tags); });
    if (!trace.cuda.empty())
      record("cuda", [&](JsonStream &out) {
        if (!trace.codeLanguage.empty())
          writeField(out, "language", trace.codeLanguage);
        writeField(out, "text", trace.cuda);
        writeField(out, "map", trace.cudaMap);
      });
    if (!trace.launches.empty())
      record("launches", [&](JsonStream &out) { writeField(out, "launches", trace.launches); });
    if (trace.device)
      record("device", [&](JsonStream &out) {
        writeField(out, "sass", trace.device->sass);
        writeField(out, "noSass", trace.device->noSass);
        writeField(out, "cubin", trace.device->cubin);
        writeField(out, "kernels", trace.device->kernels);
      });
    if (trace.execution)
      record("execution", [&](JsonStream &out) { writeFields(out, *trace.execution); });
    record("index", [&](JsonStream &out) {
      writeField(out, "passEnds", passEnds_);
      writeField(out, "lastFull", lastFull_);
      out.attributeArray("records", [&] {
        for (const IndexEntry &entry : records_)
          writeEntry(out, entry);
      });
    });
    out_->flush();
    if (out_->has_error())
      return cannotFinish(out_->error());
    return part_.empty() ? llvm::Error::success() : rename(/*hasPasses=*/!trace.passes.empty());
  }

  uint64_t bytesWritten() const { return out_->tell(); }
  const std::string &growingPath() const { return part_.empty() ? path_ : part_; }

private:
  // Of an older trace and one without a pass the older says more.
  llvm::Error rename(bool hasPasses) {
    if (!hasPasses && llvm::sys::fs::exists(path_)) {
      (void)llvm::sys::fs::remove(part_);
      return llvm::Error::success();
    }
    std::error_code code = llvm::sys::fs::rename(part_, targetOf(path_));
    return code ? cannotFinish(code) : llvm::Error::success();
  }

  llvm::Error cannotFinish(std::error_code code) {
    llvm::Error error = cannotWrite(path_, code);
    if (part_.empty())
      return error;
    return llvm::createStringError(llvm::toString(std::move(error)) + "; what was written is '" +
                                   part_ + "'");
  }

  void writeNewLines(const Trace &trace) {
    size_t first = lineCount_;
    lineCount_ = trace.lines.size();
    if (first == lineCount_)
      return;
    auto writeLines = [&](JsonStream &out) {
      out.attribute("count", lineCount_ - first);
      out.attributeArray("lines", [&] {
        for (size_t line = first; line != lineCount_; ++line)
          writeCompactLine(out, trace.lines[static_cast<LineId>(line)]);
      });
    };
    record("lines", writeLines, lineCount_ - first);
  }

  void writeSnapshot(const Trace &trace, size_t index) {
    const TraceSnapshot &now = trace.snapshots[index];
    static const TraceSnapshot Nothing;
    const TraceSnapshot &before = index ? trace.snapshots[index - 1] : Nothing;
    if (index % FullSnapshotEvery == 0) {
      lastFull_ = out_->tell();
      record("snapshot", [&](JsonStream &out) { writeField(out, "full", *now.lines); }, 1);
    } else {
      record("snapshot", [&](JsonStream &out) {
        out.attributeArray("edits", [&] {
          for (const LineEdit &edit : diffLines(*before.lines, *now.lines))
            writeEdit(out, edit);
        });
      });
    }
#define FACET(Type, member) writePart(#member, before.member, now.member);
#include "core/facets/facets.def"
  }

  template <typename T>
  void writePart(const char *kind, const SharedPart<T> &before, const SharedPart<T> &now) {
    if (before != now)
      record(kind, [&](JsonStream &out) { writeField(out, kind, *now); });
  }

  void endPass(const TracePass &pass, size_t index) {
    uint64_t offset = out_->tell();
    record("passEnd", [&](JsonStream &out) { writePassEnd(out, pass, index); });
    passEnds_.push_back(offset);
    record("time", [&](JsonStream &out) {
      writeField(out, "index", index);
      writeField(out, "wallMicroseconds", pass.wallMicroseconds);
    });
    out_->flush();
  }

  void writePassEnd(JsonStream &out, const TracePass &pass, size_t index) const {
    writeField(out, "index", index);
    writeField(out, "name", pass.name);
    writeField(out, "options", pass.options);
    writeField(out, "depth", pass.depth);
    writeField(out, "status", pass.status);
    writeField(out, "snapshot", pass.snapshot);
    writeField(out, "verdicts", RecordedVerdicts(pass.verdicts));
    if (pass.runsAsWritten)
      writeField(out, "runsAsWritten", pass.runsAsWritten);
    if (pass.figures)
      writeField(out, "figures", pass.figures);
    if (pass.irBytes)
      writeField(out, "irBytes", pass.irBytes);
    if (!pass.remarks.empty())
      writeField(out, "remarks", pass.remarks);
    bool isFirst = passEnds_.empty();
    writeField(out, "previousPassEnd", isFirst ? std::nullopt : std::optional(passEnds_.back()));
    writeField(out, "lastFull", lastFull_);
  }

  std::string path_; // the final name
  std::string part_; // the name until the trace is whole; "": the final one
  std::unique_ptr<llvm::raw_fd_ostream> out_;
  size_t lineCount_ = 0;
  size_t snapshotCount_ = 0;
  uint64_t lastFull_ = 0;           // byte offset of the last full snapshot record
  std::vector<uint64_t> passEnds_;  // byte offsets of passEnd records
  std::vector<IndexEntry> records_; // all so far
};

TraceWriter::TraceWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

TraceWriter::~TraceWriter() = default;

llvm::Expected<std::unique_ptr<TraceWriter>> TraceWriter::open(const std::string &path) {
  llvm::Expected<GrowingFile> file = openGrowing(path);
  if (!file)
    return file.takeError();
  auto impl = std::make_unique<Impl>(path, std::move(*file));
  return std::unique_ptr<TraceWriter>(new TraceWriter(std::move(impl)));
}

void TraceWriter::writeHeader(const TraceHeader &header) { impl_->writeHeader(header); }

void TraceWriter::beginPass(llvm::StringRef name, llvm::StringRef options) {
  impl_->beginPass(name, options);
}

void TraceWriter::writePass(const Trace &trace, size_t index) { impl_->writePass(trace, index); }

llvm::Error TraceWriter::close(const Trace &trace) { return impl_->close(trace); }

uint64_t TraceWriter::bytesWritten() const { return impl_->bytesWritten(); }

const std::string &TraceWriter::growingPath() const { return impl_->growingPath(); }

llvm::Error writeTrace(const Trace &trace, const std::string &path) {
  llvm::Expected<std::unique_ptr<TraceWriter>> writer = TraceWriter::open(path);
  if (!writer)
    return writer.takeError();
  (*writer)->writeHeader(trace.header);
  for (size_t index = 0; index != trace.passes.size(); ++index) {
    (*writer)->beginPass(trace.passes[index].name, trace.passes[index].options);
    (*writer)->writePass(trace, index);
  }
  return (*writer)->close(trace);
}

} // namespace tilescope
