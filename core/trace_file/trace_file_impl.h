// The inside of TraceFile: where everything lies in the file, and what of it is loaded. Opening and
// following are in trace_file.cpp, loading in trace_file_loading.cpp.
#pragma once

#include "core/trace/trace_origin.h"
#include "core/trace_file/facets_ahead.h"
#include "core/trace_file/record_source.h"
#include "core/trace_file/trace_file.h"

namespace tilescope {

// Lines [first, first + count) of the trace.
struct LinesPlace {
  size_t record = 0;
  size_t first = 0;
  bool isLoaded = false;
};

struct TextPlace {
  size_t record = 0;
  size_t lineCount = 0;       // of the trace when it was written: it names no later line
  size_t snapshot = NoRecord; // that shows it
};

// Indices of records, or NoRecord.
struct SnapshotPlace {
  size_t text = NoRecord; // index into the texts
  FacetRecords facets;
  bool isLoaded = false;
};

struct LastText {
  size_t text = NoRecord; // index into the texts
  SharedPart<LineId> lines;
};

class TraceFile::Impl {
public:
  static llvm::Expected<std::unique_ptr<Impl>> open(const std::string &path,
                                                    const TraceFileOptions &options);

  llvm::Error load(size_t pass);
  llvm::Expected<SharedPart<LineId>> loadText(size_t pass);
  // What is worked out of a state depends on those before.
  bool isWhole() const { return isForeign(trace.header) || state_.bytes <= options.wholeBytes; }
  Change follow();
  std::vector<TraceSnapshot> lookAround(size_t pass, bool goesBack,
                                        const std::function<void()> &wake);
  bool isAtHand(size_t pass) const;
  uint64_t bytesRead() const { return earlierBytes_ + source->bytesRead() + ahead_.bytesRead(); }

  std::string path;
  TraceFileOptions options;
  std::unique_ptr<RecordSource> source;
  Trace trace;
  std::vector<SnapshotPlace> snapshots; // as in the trace

private:
  llvm::Error readFirstRecord();
  std::string takeIndexed();
  void takeScanned(uint64_t begin, uint64_t end);
  RecordProblem take(size_t record);
  RecordProblem takeOutcome(size_t record);
  RecordProblem readRecord(size_t record, llvm::StringRef &text) {
    return source->readRecord(records_[record], text);
  }
  std::string loadWhole();
  void note(const std::string &text);
  bool isSameTrace();
  void grow(const RecordSource::State &now);
  void updateRecovery();

  RecordProblem loadSnapshot(size_t index);
  RecordProblem noteUnshown(size_t index, const RecordProblem &problem);
  RecordProblem loadWholeText(size_t text, SharedPart<LineId> &part);
  RecordProblem readText(size_t text, std::vector<LineId> &lines);
  RecordProblem loadLinesOf(const std::vector<LineId> &lines);
  RecordProblem loadLines(LinesPlace &place);
  RecordProblem loadFacets(const SnapshotPlace &place, TraceSnapshot &snapshot);
  template <typename T>
  RecordProblem loadPart(size_t record, Facet facet, SharedPart<T> TraceSnapshot::*member,
                         TraceSnapshot &snapshot);
  template <typename T>
  SharedPart<T> knownPart(size_t record, Facet facet, SharedPart<T> TraceSnapshot::*member) const;
  std::optional<TraceSnapshot> knownFacets(const FacetRecords &records) const;
  const FacetRecords *nextFacets(size_t pass, bool goesBack) const;
  void readAhead(const FacetRecords &records, std::function<void()> wake);
  void touch(size_t index);
  void dropOld();
  std::string describe(size_t record, const RecordProblem &problem) const;

  RecordSource::State state_;        // of the file when it was last looked at
  std::vector<RecordPlace> records_; // all that were taken
  uint64_t end_ = 0;                 // of them
  uint64_t checksum_ = 0;            // of those that tell a trace from another
  size_t outcomes_ = 0;              // how many of them show at once
  bool isBroken_ = false;            // what comes after them makes no sense
  std::string notes_;                // what is said of the trace for good
  std::string endNote_;              // and of its end as it is now
  size_t failedRecord_ = NoRecord;   // the record of the last problem while loading

  std::vector<LinesPlace> lines_;
  std::vector<TextPlace> texts_;
  SnapshotPlace pending_; // what the next snapshot holds
  bool hasSnapshot_ = false;
  std::vector<size_t> recent_; // loaded snapshots, the last loaded first
  LastText lastText_;          // loaded
  FacetsAhead ahead_;          // of states that are not loaded
  uint64_t earlierBytes_ = 0;  // read from files that were replaced
};

} // namespace tilescope
