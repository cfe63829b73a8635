// Panel `search`: where a query is found: in the IR after each pass, the kernel file and the CUDA.
// A query is as in text_query.h; one that begins with "find " is a predicate, as `tilescope find`
// takes it, and is asked of the state after each pass.
#pragma once

#include "core/find/finder.h"
#include "core/views/hit_counts.h"
#include "core/views/view.h"

namespace tilescope {

struct SearchHit {
  uint32_t line = 0; // from 1
  std::string text;
  std::vector<TextSpan> spans; // sorted, disjoint, not empty
  StmtId stmt;
  KernelLine sourceLine;
};

// Where the query is found in the IR after a pass. Of a predicate that holds: one hit in one line.
struct PassHits {
  size_t pass = 0; // index into Trace::passes
  std::string name;
  size_t lines = 0; // with at least one hit
  size_t hits = 0;
  bool isCounted = true; // false: its text is not loaded, and nobody has counted; or a predicate
                         // does not ask it, since it is but a group of passes
};

struct SearchView {
  std::string query;          // "": nothing is searched for
  std::string error;          // of the regular expression or the predicate; "": none
  size_t uncountedPasses = 0; // of a large trace, of which a part is loaded
  std::string problem;        // why some of them cannot be counted; ""
  std::string pass;           // the selected one, of which `ir` is
  std::vector<PassHits> passes;
  std::vector<SearchHit> ir;
  std::vector<SearchHit> source;
  std::vector<SearchHit> cuda;
  std::optional<FindResult> found; // of a predicate without error; the hits in texts are empty then
};

// The predicate of a query; nullopt: it is a text.
std::optional<llvm::StringRef> predicateOf(llvm::StringRef query);
// "peak > 160KiB: 229,376 bytes", a fact a hit, of a predicate that holds after a pass: an index as
// in FindHit.
std::vector<SearchHit> factsAfter(const SearchView &view, size_t pass);

// "5 hits in 4 lines", "1 hit".
std::string hitsText(size_t hits, size_t lines);
std::string hitsText(const std::vector<SearchHit> &lines);

SearchView buildSearch(const Trace &trace, const Selection &selection);

// What is found once for a query and a trace, whatever pass is shown.
struct SearchMemory {
  explicit SearchMemory(const std::string &query) : counts(query) {}

  HitCounts counts;
  std::optional<std::vector<SearchHit>> source, cuda;
  std::optional<FindResult> found;
};
// The same by a memory of the query and the trace, and with what was counted elsewhere for them;
// nullptr: nothing.
SearchView buildSearch(const Trace &trace, const Selection &selection, SearchMemory &memory,
                       const CountedHits *elsewhere);
// "12 of 200 passes are counted so far".
std::string progressText(const SearchView &view);
void print(const SearchView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, SearchHit &hit) {
  archive("line", hit.line);
  archive("text", hit.text);
  archive("spans", hit.spans);
  archive("stmt", hit.stmt);
  lineFields(archive, hit.sourceLine);
}

template <typename Archive> void fields(Archive &archive, PassHits &hits) {
  archive.always("pass", hits.pass);
  archive("name", hits.name);
  archive.always("lines", hits.lines);
  archive.always("hits", hits.hits);
}

template <typename Archive> void fields(Archive &archive, SearchView &view) {
  archive("query", view.query);
  archive("error", view.error);
  archive("uncountedPasses", view.uncountedPasses);
  archive("pass", view.pass);
  archive("passes", view.passes);
  archive.always("ir", view.ir);
  archive.always("source", view.source);
  archive.always("cuda", view.cuda);
  archive("found", view.found);
}

} // namespace tilescope
