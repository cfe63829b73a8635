#include "core/trace_file/record_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace tilescope {

namespace {

constexpr uint64_t BlockBytes = uint64_t(1) << 18;
// Enough of a record to tell its kind, and how many lines it brings.
constexpr uint64_t HeadBytes = 128;

RecordSource::State stateOf(const struct stat &status) {
  return {status.st_dev, status.st_ino, static_cast<uint64_t>(status.st_size),
          static_cast<uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
              static_cast<uint64_t>(status.st_mtim.tv_nsec)};
}

// A line of IR text takes at least the bytes of `["",0,0,0],`.
constexpr uint64_t LeastLineBytes = 11;

} // namespace

llvm::Expected<std::unique_ptr<RecordSource>> RecordSource::open(const std::string &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::error_code code(file < 0 ? errno : 0, std::generic_category());
  std::unique_ptr<RecordSource> source(file < 0 ? nullptr : new RecordSource(file));
  struct stat status = {};
  if (!code && ::fstat(file, &status) != 0)
    code = std::error_code(errno, std::generic_category());
  if (!code && S_ISDIR(status.st_mode))
    code = std::make_error_code(std::errc::is_a_directory);
  if (code)
    return llvm::createStringError("cannot read '" + path + "': " + code.message());
  return source;
}

std::unique_ptr<RecordSource> RecordSource::again() const {
  int file = ::fcntl(file_, F_DUPFD_CLOEXEC, 0);
  return std::unique_ptr<RecordSource>(file < 0 ? nullptr : new RecordSource(file));
}

RecordSource::~RecordSource() { ::close(file_); }

std::optional<RecordSource::State> RecordSource::stateOf(const std::string &path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0)
    return std::nullopt;
  return tilescope::stateOf(status);
}

RecordSource::State RecordSource::state() const {
  struct stat status = {};
  return ::fstat(file_, &status) == 0 ? tilescope::stateOf(status) : State();
}

llvm::StringRef RecordSource::read(uint64_t offset, uint64_t bytes) {
  // A count that is not true must not become memory.
  uint64_t size = state().bytes;
  bytes = offset < size ? std::min(bytes, size - offset) : 0;
  if (capacity_ < bytes) {
    buffer_.reset();
    buffer_ = std::make_unique_for_overwrite<char[]>(bytes);
    capacity_ = bytes;
  }
  uint64_t done = 0;
  while (done < bytes) {
    ssize_t count =
        ::pread(file_, buffer_.get() + done, bytes - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    done += static_cast<uint64_t>(count);
  }
  bytesRead_ += done;
  return {buffer_.get(), done};
}

RecordProblem RecordSource::readRecord(const RecordPlace &place, llvm::StringRef &text) {
  text = read(place.offset, place.bytes);
  if (text.size() != place.bytes)
    return "is cut off";
  text.consume_back("\n");
  RecordHead head;
  RecordProblem problem = readHead(text, head);
  if (problem.empty() && head != place.head)
    return "is of another kind";
  return problem;
}

llvm::StringRef RecordSource::readLine(uint64_t offset, bool &isEnded) {
  for (uint64_t wanted = 4096;; wanted *= 8) {
    llvm::StringRef text = read(offset, wanted);
    size_t end = text.find('\n');
    isEnded = end != llvm::StringRef::npos;
    if (isEnded || text.size() < wanted)
      return text.take_front(end);
  }
}

llvm::StringRef RecordSource::readLastLine(uint64_t end, uint64_t &offset) {
  for (uint64_t wanted = 4096;; wanted *= 8) {
    uint64_t begin = end - std::min(wanted, end);
    llvm::StringRef text = read(begin, end - begin);
    text.consume_back("\n");
    size_t before = text.rfind('\n');
    offset = before == llvm::StringRef::npos ? begin : begin + before + 1;
    if (before != llvm::StringRef::npos || begin == 0)
      return before == llvm::StringRef::npos ? text : text.drop_front(before + 1);
  }
}

namespace {

// What a scan knows of a record from its first bytes, or else by reading all of it.
RecordProblem describe(RecordSource &source, RecordPlace &place, bool isEnded) {
  llvm::StringRef text = source.read(place.offset, std::min(place.bytes, HeadBytes));
  bool isKnown = readHeadQuickly(text, place.head);
  bool isCounted = place.head.kind != RecordKind::Lines || text.contains("\"count\":");
  if (!isEnded || !isKnown || !isCounted)
    text = source.read(place.offset, place.bytes);
  RecordProblem problem;
  if (!isEnded) {
    Trace nowhere;
    problem = takeRecord(RecordKind::Other, text, nowhere);
  }
  if (problem.empty() && !isKnown)
    problem = readHead(text, place.head);
  if (problem.empty() && place.head.kind == RecordKind::Lines)
    problem = readLineCount(text, place.count);
  if (problem.empty() && place.head.kind == RecordKind::Lines &&
      place.count > place.bytes / LeastLineBytes)
    problem = "is corrupt (a count of lines that do not fit)";
  if (place.head.kind == RecordKind::Snapshot)
    place.count = isFullSnapshot(text);
  return problem;
}

} // namespace

std::vector<RecordPlace> scanRecords(RecordSource &source, uint64_t begin, uint64_t end,
                                     RecordProblem &problem) {
  std::vector<RecordPlace> places;
  RecordPlace line{{}, begin, 0, 0};
  // Block by block, so that a file of nonsense is left at its first line.
  for (uint64_t at = begin; at < end && problem.empty();) {
    llvm::StringRef block = source.read(at, std::min(BlockBytes, end - at));
    if (block.empty())
      break;
    size_t described = places.size();
    for (size_t newline = block.find('\n'); newline != llvm::StringRef::npos;
         newline = block.find('\n', newline + 1)) {
      line.bytes = at + newline + 1 - line.offset;
      places.push_back(line);
      line.offset += line.bytes;
    }
    at += block.size();
    for (; described != places.size() && problem.empty(); ++described)
      problem = describe(source, places[described], /*isEnded=*/true);
    if (!problem.empty())
      places.resize(described - 1);
  }
  line.bytes = end - line.offset;
  if (problem.empty() && line.bytes != 0) {
    problem = describe(source, line, /*isEnded=*/false);
    if (problem.empty())
      places.push_back(line);
  }
  return places;
}

std::vector<RecordPlace> indexedRecords(RecordSource &source, uint64_t bytes,
                                        RecordProblem &problem) {
  uint64_t indexOffset = 0;
  llvm::StringRef text = source.readLastLine(bytes, indexOffset);
  RecordHead head;
  std::vector<IndexEntry> entries;
  if (!readHeadQuickly(text, head) || head.kind != RecordKind::Index)
    return {};
  problem = readIndex(text, entries);
  if (!problem.empty() || entries.empty())
    return {};
  std::vector<RecordPlace> places;
  uint64_t offset = 0;
  for (const IndexEntry &entry : entries) {
    RecordPlace place{headOf(entry.kind), offset, entry.bytes, entry.count};
    bool isLines = place.head.kind == RecordKind::Lines;
    bool isSensible = entry.bytes > 1 && entry.bytes <= indexOffset - offset &&
                      (!isLines || entry.count <= entry.bytes / LeastLineBytes) &&
                      (place.head.kind == RecordKind::Header) == (offset == 0);
    if (!isSensible) {
      problem = "names a record that cannot be";
      return {};
    }
    places.push_back(place);
    offset = place.end();
  }
  if (offset != indexOffset) {
    problem = "does not name all records";
    return {};
  }
  places.push_back({{RecordKind::Index, Facet::None}, indexOffset, bytes - indexOffset, 0});
  return places;
}

} // namespace tilescope
