// A trace file that is opened without being read whole, and followed while it is written.
//
// At first there are the header, all passes (names, verdicts, figures, remarks), the diagnostics
// and the CUDA; `load` brings the IR text and the facets of one pass. A small file is loaded whole
// when it is opened. The file is read with pread and never mapped: a compile cuts an older trace
// before it writes the new one, and a mapping would end the program then.
#pragma once

#include "core/trace/trace.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <memory>

namespace tilescope {

struct TraceFileOptions {
  // A file of at most so many bytes is loaded whole, and stays so until it has grown beyond.
  uint64_t wholeBytes = uint64_t(4) << 20;
  // Loaded snapshots are dropped, the one that was not asked for longest first, while their records
  // are longer than this: what is kept does not grow with the passes that are visited. A loaded
  // facet takes up to three times its record.
  uint64_t keptBytes = uint64_t(64) << 20;
};

class TraceFile {
public:
  enum class Change : uint8_t {
    None,
    Grown,    // passes, or what comes after them, were added; what was there stays
    Replaced, // another trace: nothing of the one before is left
  };

  // An error if nothing can be shown (see readTrace); what is lost is in Trace::recovery.
  static llvm::Expected<std::unique_ptr<TraceFile>> open(const std::string &path,
                                                         const TraceFileOptions &options = {});
  ~TraceFile();

  // The same object for the life of the file; `load` and `follow` change what is in it. A snapshot
  // that is not loaded has empty parts, a line that is not loaded is empty.
  const Trace &trace() const;
  const std::string &path() const;

  // Whether everything was loaded when the file was opened.
  bool isWhole() const;
  // Whether the snapshot of a pass is in memory.
  bool isLoaded(size_t pass) const;
  // Brings the snapshot of a pass, with the lines of its text. It may drop snapshots that were
  // loaded before, but never the six that were asked for last: a view of two passes loads both,
  // each time that it is built. Who needs a part for longer keeps its SharedPart. Lines are not
  // dropped. An error: the file has changed, or its records make no sense; then nothing of the pass
  // is loaded, `recovery` says it too, and trying again is of use after `follow` only.
  llvm::Error load(size_t pass);

  // The text of a pass without its facets, with the lines that it names. Nothing is dropped for it,
  // and the pass is not loaded by it. An error as with `load`. Quick from each pass to the next.
  llvm::Expected<SharedPart<LineId>> loadText(size_t pass);

  // The facets, without text, of states that may be asked for next: the nearest on both sides of a
  // pass, the first and the last, where they have other facets than it. Given are those that are in
  // memory. The others are read on another thread, one state at a time, first the one after the
  // pass, or before it if `goesBack`; `wake` is called on that thread when there is more to be had
  // here. `load` takes what was read; what was read for elsewhere is dropped. A file that is loaded
  // whole gives none. Of a pass that is not loaded, its own and those before it come first.
  std::vector<TraceSnapshot> lookAround(size_t pass, bool goesBack,
                                        const std::function<void()> &wake);

  // Whether `load` need not read facets of the pass.
  bool isAtHand(size_t pass) const;

  // Takes in what was appended since, or opens the file again if it is not the one that was read:
  // it was cut, or its passes differ, or another file has the name. As long as what replaces it has
  // no whole first record the trace stays as it is. Costs a system call if nothing has changed.
  Change follow();

  // How many bytes were read from the file so far.
  uint64_t bytesRead() const;

private:
  TraceFile();
  class Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace tilescope
