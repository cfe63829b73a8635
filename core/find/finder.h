// After which passes of a trace a predicate holds, and by which facts.
#pragma once

#include "core/find/predicate.h"
#include "core/json/archive.h"
#include "core/trace/trace.h"

namespace tilescope {

// What an atom of the predicate is found to be.
struct FindFact {
  std::string predicate; // the atom, as written
  bool holds = false;
  std::string text;       // "229,376 bytes in a preview; 65,536 after plan-pipeline"
  int64_t bytes = 0;      // peak, or bytes shared
  bool isPreview = false; // of peak and bytes shared: a later pass plans
  uint32_t line = 0;      // of the IR text, from 1, of the first line that matches; 0: none
  std::string lineText;
  KernelLine sourceLine;
  StmtId stmt;
  uint32_t cudaLine = 0; // of the emitted CUDA, from 1, that matches; 0: none
  std::string cudaLineText;
};

struct FindHit {
  size_t pass = 0; // index into Trace::passes; their number: emission, which is none of them
  std::string name;
  std::vector<FindFact> facts; // those that make the predicate true
};

struct FindResult {
  std::string predicate;
  size_t passes = 0;         // that were asked
  std::vector<FindHit> hits; // in order
  // Why the predicate does not hold after the last pass; empty if there are hits.
  std::vector<FindFact> missing;
  // Names in the predicate that no buffer has after any pass.
  std::vector<std::string> unknownBuffers;
  // Passes that ran later are missing in the trace: without hits it is not known whether there
  // would be one.
  bool isCutOff = false;
};

// The first pass, or `every` one. Groups of passes are not asked: their last pass has their state
// (isOnlyGroup of pass_figures.h).
// A predicate about the CUDA is asked of the emission too, which is called "emit-cuda": it writes
// the lines that come from no statement. The trace has at least one pass. The error says why the
// CUDA cannot be asked: it is not there, or nothing says what its lines come from.
llvm::Expected<FindResult> find(const Trace &trace, llvm::StringRef text,
                                const Predicate &predicate, bool every);

template <typename Archive> void fields(Archive &archive, FindFact &fact) {
  archive.always("predicate", fact.predicate);
  archive.always("holds", fact.holds);
  archive.always("text", fact.text);
  archive("bytes", fact.bytes);
  archive("isPreview", fact.isPreview);
  archive("line", fact.line);
  archive("lineText", fact.lineText);
  lineFields(archive, fact.sourceLine);
  archive("stmt", fact.stmt);
  archive("cudaLine", fact.cudaLine);
  archive("cudaLineText", fact.cudaLineText);
}

template <typename Archive> void fields(Archive &archive, FindHit &hit) {
  archive.always("pass", hit.pass);
  archive.always("name", hit.name);
  archive.always("facts", hit.facts);
}

template <typename Archive> void fields(Archive &archive, FindResult &result) {
  archive.always("predicate", result.predicate);
  archive.always("passes", result.passes);
  archive.always("hits", result.hits);
  archive("missing", result.missing);
  archive("unknownBuffers", result.unknownBuffers);
  archive("isCutOff", result.isCutOff);
}

} // namespace tilescope
