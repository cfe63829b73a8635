// View `history`: the commits that changed the kernel's file, each with the shared memory that the
// kernel takes there, and last the kernel as it is open.
//
//     commit    title              arena    delta     live
//     1a2b3c4d  Start             81,920            65,536
//     5e6f7a8b  Two stages more  163,840  +81,920  147,456
//     open                       163,840           147,456
#pragma once

#include "core/views/view.h"

#include <optional>

namespace tilescope {

// Bytes of the highest arena after the last pass.
struct ArenaBytes {
  int64_t arenaBytes = 0; // its height
  int64_t liveBytes = 0;  // of what is live where most is

  friend bool operator==(const ArenaBytes &, const ArenaBytes &) = default;
};

struct KernelCommit {
  std::string hash; // in full
  std::string title;
  bool isCompiled = false;         // whether it is known what follows
  std::optional<ArenaBytes> bytes; // nullopt: `error` says why
  std::string error;
};

// What is known so far of a kernel's history.
struct KernelHistory {
  std::string missing;               // why there is none; "": there is
  std::vector<KernelCommit> commits; // oldest first
};

// The most that are asked for.
inline constexpr size_t MostCommits = 20;

// With what its compile made of it; an error says why there is no trace.
KernelCommit compiledCommit(KernelCommit commit, llvm::Expected<Trace> compiled);

struct HistoryRow {
  std::string commit; // eight digits, which are enough to name it; "open"
  std::string title;
  bool isPending = false; // it is being compiled
  std::optional<ArenaBytes> bytes;
  int64_t deltaBytes = 0; // of the arena, from the last row before that has one
  std::string error;
};

struct HistoryView {
  std::string missing;
  std::vector<HistoryRow> rows;
  int64_t mostBytes = 0; // of any row
  int64_t capacityBytes = 0;
};

inline constexpr llvm::StringLiteral OpenKernel = "open";

HistoryView buildHistory(const Trace &trace, const KernelHistory &history);
// Nothing where there is none.
void print(const HistoryView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, ArenaBytes &bytes) {
  archive.always("arenaBytes", bytes.arenaBytes);
  archive.always("liveBytes", bytes.liveBytes);
}

template <typename Archive> void fields(Archive &archive, HistoryRow &row) {
  archive.always("commit", row.commit);
  archive("title", row.title);
  archive.always("bytes", row.bytes);
  archive.always("deltaBytes", row.deltaBytes);
  archive("error", row.error);
}

template <typename Archive> void fields(Archive &archive, HistoryView &view) {
  archive("missing", view.missing);
  archive.always("rows", view.rows);
  archive.always("capacityBytes", view.capacityBytes);
}

} // namespace tilescope
