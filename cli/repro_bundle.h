// A compile as one archive, to be sent with a report: what it was made from, what it came to, and
// how it is done again.
//
//     bug/recorded.trace    the compile, every pass
//     bug/replay.sh         the command, and the version of the program that recorded it
//     bug/replay.words      the words of that command, one a line
//     bug/tree/             the kernel file and what it imports, as they lie around each other
//     bug/patches/1.patch   --patch
//     bug/previous.trace    --previous
//     bug/libraries/1.so    --load
#pragma once

#include "cli/command.h"

namespace tilescope {

inline constexpr const char *ReproTrace = "recorded.trace";

// Writes all of that into `folder`, which is there and empty, for the trace of a compile of ours,
// whose text is `recorded`. The files that it was made from are read again: the error is that one
// is not there any more, or is a library for another program than this.
llvm::Error writeBundle(const Trace &trace, llvm::StringRef recorded,
                        const std::vector<std::string> &pythonPath, const std::string &folder);

// The command of a bundle, which may come from a stranger: a compile of what is in its folder, that
// writes nothing else.
struct BundleCommand {
  std::vector<std::string> words;
  std::vector<std::string> libraries; // machine code that it runs; files in the folder
};
llvm::Expected<BundleCommand> readBundleCommand(const std::string &folder);

// Runs it. The trace that it recorded.
llvm::Expected<Trace> replayBundle(const std::string &folder, const BundleCommand &command);

// In which a replay differs from what was recorded, a line each; empty: it came to the same.
std::vector<std::string> replayDifferences(const Trace &recorded, const Trace &replayed);

// What a compile came to: its errors, or that there is CUDA.
std::string outcomeText(const Trace &trace);

// By tar, in the form that the suffix says (.tar, .tar.gz, .tar.xz, .tar.zst). The same files are
// the same bytes.
llvm::Error packFolder(const std::string &folder, const std::string &archive);
// Into a folder that is there; returns the folder that the archive holds.
llvm::Expected<std::string> unpackFolder(const std::string &archive, const std::string &into);

} // namespace tilescope
