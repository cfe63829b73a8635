// The journal of a sweep: what is finished, kept on disk while the sweep runs, so that one that is
// killed and resumed loses nothing and repeats nothing. A shard's result is its journal.
//
// It is text. The first line describes the sweep, each further line is a row, in the order in which
// points finished; a line is written at once, and what follows the last line break is torn.
//
//     {"format":4,"kernel":"gemm.py:matmul","fileHash":"9f...","axes":[...],"targets":["sm_80"],...}
//     {"point":3,"problem":"A: float16[...","peakBytes":49152,"proof":"optimal",...}
//     {"point":0,"error":"unknown dtype 'float12'"}
#pragma once

#include "core/sweep/grid.h"
#include "core/sweep/sweep_row.h"

#include <memory>

namespace tilescope {

// What is swept: two journals of one sweep agree on it but for the shard.
struct SweepHeader {
  int format = 0;
  std::string toolVersion;
  std::string kernel;   // FILE[:FUNCTION] as given; may differ between machines
  std::string function; // "": the only one
  std::string fileHash; // of the kernel file
  SweepGrid grid;
  SweepShard shard;
  std::string planFor;  // "occupancy"; "": the default
  std::string previous; // file of the plan that was to be kept; "": none
  bool usesPtxas = false;
  std::string gpu;                  // name of the one that points are timed on; "": they are not
  std::vector<std::string> patches; // hashes of their texts
};

inline constexpr int SweepFormat = 4;

struct SweepJournal {
  SweepHeader header;
  std::vector<SweepRow> rows;
  size_t goodBytes = 0; // up to the end of the last whole line
};

// Each point is there at most once, and belongs to the shard. `name` is for messages. nullopt: the
// text ends in its first line.
llvm::Expected<std::optional<SweepJournal>> readJournal(llvm::StringRef text, llvm::StringRef name);

// In what two headers differ: "the values of 'block_M'". "": they are of one sweep.
std::string differenceOf(const SweepHeader &a, const SweepHeader &b);

// All rows, by point. The error says what is missing, given twice or of another sweep. `names` are
// those of the journals.
llvm::Expected<SweepJournal> mergeJournals(std::vector<SweepJournal> journals,
                                           llvm::ArrayRef<std::string> names);

// Appends to a journal. Two processes cannot open one.
class JournalWriter {
public:
  // Makes the file, or with `isResumed` goes on after what it has; then rows() are those that it
  // holds. The error is that the file is there already (without `isResumed`), that it is of another
  // sweep, or what the system says.
  static llvm::Expected<std::unique_ptr<JournalWriter>>
  open(const std::string &path, const SweepHeader &header, bool isResumed);
  ~JournalWriter();

  llvm::Error append(const SweepRow &row);
  const std::vector<SweepRow> &rows() const { return rows_; }

private:
  JournalWriter(std::string path, int file) : path_(std::move(path)), file_(file) {}
  llvm::Error start(const SweepHeader &header);
  llvm::Error writeLine(const std::string &line);

  std::string path_;
  int file_ = -1;
  std::vector<SweepRow> rows_;
};

template <typename Archive> void fields(Archive &archive, SweepAxis &axis) {
  archive.always("name", axis.name);
  archive.always("values", axis.values);
  archive("isPassOption", axis.isPassOption);
}

template <typename Archive> void fields(Archive &archive, SweepShard &shard) {
  archive.always("index", shard.index);
  archive.always("count", shard.count);
}

template <typename Archive> void fields(Archive &archive, SweepHeader &header) {
  archive.always("format", header.format);
  archive("toolVersion", header.toolVersion);
  archive("kernel", header.kernel);
  archive("function", header.function);
  archive("fileHash", header.fileHash);
  archive.always("axes", header.grid.axes);
  archive.always("targets", header.grid.targets);
  archive("shard", header.shard);
  archive("planFor", header.planFor);
  archive("previous", header.previous);
  archive("usesPtxas", header.usesPtxas);
  archive("gpu", header.gpu);
  archive("patches", header.patches);
}

} // namespace tilescope
