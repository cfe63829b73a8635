#include "core/trace/trace_writer.h"

#include "core/support/line_edits.h"
#include "core/trace/trace_fields.h"
#include "core/trace/trace_records.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

#include <unistd.h>

namespace tilescope {

namespace {

// A full snapshot now and then bounds what a reader must replay.
constexpr size_t FullSnapshotEvery = 32;

void writeCompactLine(JsonStream &out, const TraceLine &line) {
  out.array([&] {
    writeJson(out, line.text);
    writeJson(out, line.stmt);
    writeJson(out, line.buffer);
    writeJson(out, line.span.isValid() ? std::optional(line.span) : std::nullopt);
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

// Opens a file whose first record will overwrite all that is left of an older one. That is one
// byte: ext4 waits for the disk when a file that was cut to nothing is written again (measured:
// 4 ms a trace, else 0.03 ms), and an older record cut to one byte reads as no record.
llvm::Expected<int> openEmptied(const std::string &path) {
  if (path == "-")
    return STDOUT_FILENO;
  int file = -1;
  if (std::error_code code =
          llvm::sys::fs::openFileForWrite(path, file, llvm::sys::fs::CD_OpenAlways))
    return cannotWrite(path, code);
  llvm::sys::fs::file_status status;
  std::error_code code = llvm::sys::fs::status(file, status);
  bool isOlderFile =
      status.type() == llvm::sys::fs::file_type::regular_file && status.getSize() > 0;
  if (!code && isOlderFile)
    code = llvm::sys::fs::resize_file(file, 1);
  if (!code)
    return file;
  (void)llvm::sys::Process::SafelyCloseFileDescriptor(file);
  return cannotWrite(path, code);
}

} // namespace

class TraceWriter::Impl {
public:
  Impl(std::string path, std::unique_ptr<llvm::raw_fd_ostream> out)
      : path_(std::move(path)), out_(std::move(out)) {}

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
    if (!trace.cuda.empty())
      record("cuda", [&](JsonStream &out) {
        writeField(out, "text", trace.cuda);
        writeField(out, "map", trace.cudaMap);
      });
    if (!trace.launches.empty())
      record("launches", [&](JsonStream &out) { writeField(out, "launches", trace.launches); });
    record("index", [&](JsonStream &out) {
      writeField(out, "passEnds", passEnds_);
      writeField(out, "lastFull", lastFull_);
      out.attributeArray("records", [&] {
        for (const IndexEntry &entry : records_)
          writeEntry(out, entry);
      });
    });
    out_->flush();
    if (!out_->has_error())
      return llvm::Error::success();
    return cannotWrite(path_, out_->error());
  }

  uint64_t bytesWritten() const { return out_->tell(); }

private:
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
    writeField(out, "verdicts", pass.verdicts);
    if (pass.figures)
      writeField(out, "figures", pass.figures);
    if (!pass.remarks.empty())
      writeField(out, "remarks", pass.remarks);
    bool isFirst = passEnds_.empty();
    writeField(out, "previousPassEnd", isFirst ? std::nullopt : std::optional(passEnds_.back()));
    writeField(out, "lastFull", lastFull_);
  }

  std::string path_;
  std::unique_ptr<llvm::raw_fd_ostream> out_;
  size_t lineCount_ = 0;
  size_t snapshotCount_ = 0;
  uint64_t lastFull_ = 0;           // byte offset of the last full snapshot record
  std::vector<uint64_t> passEnds_;  // byte offsets of passEnd records
  std::vector<IndexEntry> records_; // all so far
};

TraceWriter::TraceWriter(std::string path, std::unique_ptr<llvm::raw_fd_ostream> out)
    : impl_(std::make_unique<Impl>(std::move(path), std::move(out))) {}

TraceWriter::~TraceWriter() = default;

llvm::Expected<std::unique_ptr<TraceWriter>> TraceWriter::open(const std::string &path) {
  llvm::Expected<int> file = openEmptied(path);
  if (!file)
    return file.takeError();
  auto out = std::make_unique<llvm::raw_fd_ostream>(*file, /*shouldClose=*/true);
  // It is flushed at each pass end; a smaller buffer would only add system calls.
  out->SetBufferSize(size_t{1} << 18);
  return std::unique_ptr<TraceWriter>(new TraceWriter(path, std::move(out)));
}

void TraceWriter::writeHeader(const TraceHeader &header) { impl_->writeHeader(header); }

void TraceWriter::beginPass(llvm::StringRef name, llvm::StringRef options) {
  impl_->beginPass(name, options);
}

void TraceWriter::writePass(const Trace &trace, size_t index) { impl_->writePass(trace, index); }

llvm::Error TraceWriter::close(const Trace &trace) { return impl_->close(trace); }

uint64_t TraceWriter::bytesWritten() const { return impl_->bytesWritten(); }

} // namespace tilescope
