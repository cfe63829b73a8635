// Where the records of a trace file lie, and their bytes.
#pragma once

#include "core/trace_file/trace_records.h"

#include <memory>

namespace tilescope {

// One line of the file: bytes [offset, offset + bytes), with the end of the line if it has one.
struct RecordPlace {
  RecordHead head;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint64_t count = 0; // lines: how many; a snapshot: 1 if it is full

  uint64_t end() const { return offset + bytes; }
};

// A file that is open for reading.
class RecordSource {
public:
  static llvm::Expected<std::unique_ptr<RecordSource>> open(const std::string &path);
  ~RecordSource();
  RecordSource(const RecordSource &) = delete;
  RecordSource &operator=(const RecordSource &) = delete;

  // The same file, to be read by another thread; nullptr: there are too many open files.
  std::unique_ptr<RecordSource> again() const;

  // What tells one state of a file from another. `path` may by now name another file.
  struct State {
    uint64_t device = 0;
    uint64_t file = 0;
    uint64_t bytes = 0;
    uint64_t changed = 0; // nanoseconds

    friend bool operator==(const State &, const State &) = default;
  };
  static std::optional<State> stateOf(const std::string &path);
  State state() const;

  // Bytes [offset, offset + bytes), as many as there are. Valid until the next call.
  llvm::StringRef read(uint64_t offset, uint64_t bytes);
  // The line that begins at `offset`, without its end; `isEnded`: it has one. Valid as above.
  llvm::StringRef readLine(uint64_t offset, bool &isEnded);
  // The last line before `end`, without its end. Valid as above.
  llvm::StringRef readLastLine(uint64_t end, uint64_t &offset);
  // The bytes of a record, without the end of its line; a problem if it is not of the kind that it
  // was said to be. Valid as above.
  RecordProblem readRecord(const RecordPlace &place, llvm::StringRef &text);

  uint64_t bytesRead() const { return bytesRead_; }

private:
  explicit RecordSource(int file) : file_(file) {}

  int file_;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  uint64_t bytesRead_ = 0;
};

// The records of [begin, end), found line by line without reading them whole. The last line counts
// also if it has no end, provided that it is JSON. `problem`: why the scan stopped short, after the
// records that it found.
std::vector<RecordPlace> scanRecords(RecordSource &source, uint64_t begin, uint64_t end,
                                     RecordProblem &problem);

// By the closing record of a file of `bytes`. Empty: it has none, or one of format 1.0; if it has
// one that cannot be right, `problem` says why.
std::vector<RecordPlace> indexedRecords(RecordSource &source, uint64_t bytes,
                                        RecordProblem &problem);

} // namespace tilescope
