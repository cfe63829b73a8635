// Which kernel instance of one side is which of the other.
//
// Of two sides with one instance each, that one. Else by file, function and arguments; what is left
// over was moved or renamed, and is paired by what stayed, the surest first:
//
//   before                     after
//   k/a.py:f --set M=512       lib/a.py:f --set M=512     another folder, else another file
//   k/b.py:g --set M=512       k/b.py:g --set M=1024      other arguments, in order
//   k/c.py:h --set M=512       k/c.py:best --set M=512    the one function that is left of a file
//
// Else a change could leave a worse kernel behind by giving it another name. Recorded instances are
// paired by function and arguments alone, those of equal file and configuration first: what ran
// with other arguments is another instance. A default that was changed changes the arguments too:
// if each side has one instance left of a function of a file, for one target, that is the same.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// One side of a kernel instance.
struct ComparedCompile {
  std::string file;      // as the report names it
  std::string function;  // "": the file has one, or it is not known
  std::string arguments; // "--set M=64 --target sm_80"
  // As far as it was compiled; nullopt: not at all.
  std::optional<Trace> trace = std::nullopt;
  std::string error;        // why it does not compile; "": it does
  bool isWholeFile = false; // which instances the file has cannot be read: it stands for all
  // The trace file that `trace` is read from when it is needed, and not kept; "": `trace` is it.
  std::string recordedIn = {};
  std::string configuration = {}; // of a recorded one: see trace_folder.h
  std::string target = {};        // of a recorded one

  // Of the instance in its file.
  std::string label() const;
};

// Whether two compiles can be of one kernel before and after a change: two of these agree: the name
// of the file, that of the function, those of the tensors. A plan alone has none of them.
bool mayBeOneKernel(const Trace &before, const Trace &after);

// Whether the sides are revisions of the same files, or two files that somebody named: what those
// are called says nothing; or what two runs of a program recorded.
enum class SideNames : uint8_t { OfFiles, Given, Recorded };

// Indices of the two sides; nullopt: that side lacks the kernel. One of them is there.
struct KernelPair {
  std::optional<size_t> before;
  std::optional<size_t> after;
};

// The order is that of `after`, then what is gone. A whole file is paired with all that the other
// side has of it: with one of them if it is in `after`, with each if it is in `before`.
std::vector<KernelPair> pairKernels(const std::vector<ComparedCompile> &before,
                                    const std::vector<ComparedCompile> &after, SideNames names);

} // namespace tilescope
