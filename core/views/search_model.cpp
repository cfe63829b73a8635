#include "core/views/search_model.h"

#include "core/trace/pass_figures.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

std::vector<PassHits> hitsOfPasses(const Trace &trace, HitCounts &counts,
                                   const CountedHits *elsewhere) {
  const HitsOfSnapshots &known = counts.ofSnapshots(trace);
  std::vector<PassHits> passes;
  for (size_t pass = 0; pass != trace.passes.size(); ++pass) {
    size_t snapshot = trace.passes[pass].snapshot;
    std::optional<TextHits> hits = known[snapshot];
    if (!hits && elsewhere && snapshot < elsewhere->ofSnapshot.size())
      hits = elsewhere->ofSnapshot[snapshot];
    TextHits counted = hits.value_or(TextHits());
    passes.push_back(
        {pass, trace.passes[pass].name, counted.lines, counted.hits, hits.has_value()});
  }
  return passes;
}

void addHit(std::vector<SearchHit> &hits, const TextQuery &query, size_t index,
            llvm::StringRef text) {
  std::vector<TextSpan> spans = query.find(text);
  if (!spans.empty())
    hits.push_back({static_cast<uint32_t>(index + 1), text.str(), std::move(spans), StmtId(), 0});
}

std::vector<SearchHit> hitsInIr(const Trace &trace, const TraceSnapshot &snapshot,
                                HitCounts &counts) {
  std::vector<SearchHit> hits;
  for (size_t i = 0; i != snapshot.lines->size(); ++i) {
    LineId id = (*snapshot.lines)[i];
    if (counts.ofLine(trace, id) == 0)
      continue;
    const TraceLine &line = trace.lines[id];
    addHit(hits, counts.query(), i, line.text);
    hits.back().stmt = line.stmt;
    hits.back().sourceLine = line.sourceLine();
  }
  return hits;
}

std::vector<SearchHit> hitsInText(llvm::StringRef text, const TextQuery &query) {
  std::vector<SearchHit> hits;
  for (size_t i = 0; !text.empty(); ++i) {
    auto [line, rest] = text.split('\n');
    addHit(hits, query, i, line.rtrim('\r'));
    text = rest;
  }
  return hits;
}

std::vector<SearchHit> hitsInSource(const Trace &trace, const TextQuery &query) {
  std::vector<SearchHit> hits = hitsInText(trace.header.fileText, query);
  for (SearchHit &hit : hits)
    hit.sourceLine = hit.line;
  return hits;
}

std::vector<SearchHit> hitsInCuda(const Trace &trace, const TextQuery &query) {
  std::vector<SearchHit> hits = hitsInText(trace.cuda, query);
  for (SearchHit &hit : hits) {
    // By line: emission goes from the first to the last.
    auto mapped =
        llvm::lower_bound(trace.cudaMap, hit.line,
                          [](const CudaLine &line, uint32_t wanted) { return line.line < wanted; });
    if (mapped == trace.cudaMap.end() || mapped->line != hit.line)
      continue;
    hit.stmt = mapped->stmt;
    hit.sourceLine = mapped->sourceLine();
  }
  return hits;
}

void printHits(llvm::StringRef title, const std::vector<SearchHit> &hits, llvm::raw_ostream &out) {
  if (hits.empty())
    return;
  out << '\n';
  write(out, title, {Ink::Strong});
  out << ": " << hitsText(hits) << '\n';
  for (const SearchHit &hit : hits) {
    out << llvm::formatv("{0,5}  ", hit.line);
    size_t end = 0;
    for (TextSpan span : hit.spans) {
      out << llvm::StringRef(hit.text).slice(end, span.begin);
      write(out, textOf(hit.text, span), {Ink::Notice});
      end = span.end;
    }
    out << llvm::StringRef(hit.text).drop_front(end) << '\n';
  }
}

llvm::Error findIn(const Trace &trace, llvm::StringRef text, std::optional<FindResult> &found) {
  llvm::Expected<Predicate> predicate = parsePredicate(text);
  if (!predicate)
    return predicate.takeError();
  if (!llvm::all_of(trace.snapshots, isLoaded))
    return llvm::createStringError(
        "of this large trace a part is loaded: 'tilescope find' asks all of it");
  llvm::Expected<FindResult> result = find(trace, text, *predicate, /*every=*/true);
  if (!result)
    return result.takeError();
  found = std::move(*result);
  return llvm::Error::success();
}

std::vector<PassHits> passesOf(const Trace &trace, const FindResult &found) {
  std::vector<PassHits> passes;
  for (size_t pass = 0; pass != trace.passes.size(); ++pass)
    passes.push_back({pass, trace.passes[pass].name, 0, 0, !isOnlyGroup(trace, pass)});
  for (const FindHit &hit : found.hits)
    if (hit.pass < passes.size())
      passes[hit.pass].lines = passes[hit.pass].hits = 1;
  return passes;
}

void askPredicate(const Trace &trace, llvm::StringRef text, SearchMemory &memory,
                  SearchView &view) {
  if (!memory.found)
    if (llvm::Error error = findIn(trace, text, memory.found)) {
      view.error = llvm::toString(std::move(error));
      return;
    }
  view.found = memory.found;
  view.passes = passesOf(trace, *view.found);
}

void printFound(const SearchView &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{{"#", "after", "holds"}};
  for (const PassHits &hits : view.passes)
    rows.push_back({std::to_string(hits.pass), hits.name,
                    !hits.isCounted ? "a group"
                    : hits.hits     ? "yes"
                                    : "no"});
  printTable(out, rows, 3);
  for (const FindHit &hit : view.found->hits) {
    out << '\n';
    write(out, "after " + hit.name, {Ink::Strong});
    out << '\n';
    for (const SearchHit &fact : factsAfter(view, hit.pass))
      out << "  " << fact.text << '\n';
  }
  for (const std::string &name : view.found->unknownBuffers)
    out << "\nno buffer is called '" << name << "' after any pass\n";
}

} // namespace

std::optional<llvm::StringRef> predicateOf(llvm::StringRef query) {
  return query.consume_front("find ") ? std::optional(query.trim()) : std::nullopt;
}

std::vector<SearchHit> factsAfter(const SearchView &view, size_t pass) {
  std::vector<SearchHit> facts;
  for (const FindHit &hit : view.found->hits)
    for (const FindFact &fact : hit.facts)
      if (hit.pass == pass)
        facts.push_back(
            {fact.line, fact.predicate + ": " + fact.text, {}, fact.stmt, fact.sourceLine});
  return facts;
}

std::string hitsText(size_t hits, size_t lines) {
  std::string text = llvm::formatv("{0} {1}", hits, hits == 1 ? "hit" : "hits");
  return hits < 2 ? text
                  : text + llvm::formatv(" in {0} {1}", lines, lines == 1 ? "line" : "lines").str();
}

std::string hitsText(const std::vector<SearchHit> &lines) {
  size_t hits = 0;
  for (const SearchHit &line : lines)
    hits += line.spans.size();
  return hitsText(hits, lines.size());
}

std::string progressText(const SearchView &view) {
  size_t all = view.passes.size();
  std::string text =
      llvm::formatv("{0} of {1} passes are counted", all - view.uncountedPasses, all);
  return text + (view.problem.empty() ? " so far" : ": " + view.problem);
}

SearchView buildSearch(const Trace &trace, const Selection &selection) {
  SearchMemory memory(selection.query);
  return buildSearch(trace, selection, memory, nullptr);
}

SearchView buildSearch(const Trace &trace, const Selection &selection, SearchMemory &memory,
                       const CountedHits *elsewhere) {
  SearchView view;
  view.query = selection.query;
  view.pass = selectedPlace(trace, selection);
  if (view.query.empty())
    return view;
  if (std::optional<llvm::StringRef> predicate = predicateOf(view.query)) {
    askPredicate(trace, *predicate, memory, view);
    return view;
  }
  const TextQuery &query = memory.counts.query();
  view.error = query.error();
  if (!view.error.empty())
    return view;
  view.passes = hitsOfPasses(trace, memory.counts, elsewhere);
  view.uncountedPasses = static_cast<size_t>(
      llvm::count_if(view.passes, [](const PassHits &hits) { return !hits.isCounted; }));
  view.problem = elsewhere ? elsewhere->problem : "";
  view.ir = hitsInIr(trace, selectedSnapshot(trace, selection), memory.counts);
  if (!memory.source)
    memory.source = hitsInSource(trace, query);
  if (!memory.cuda)
    memory.cuda = hitsInCuda(trace, query);
  view.source = *memory.source;
  view.cuda = *memory.cuda;
  return view;
}

void print(const SearchView &view, llvm::raw_ostream &out) {
  if (view.query.empty()) {
    out << "nothing is searched for: give --query\n";
    return;
  }
  if (!view.error.empty()) {
    out << view.query << ": " << view.error << '\n';
    return;
  }
  if (view.found)
    return printFound(view, out);
  std::vector<std::vector<std::string>> rows{{"#", "IR after", "hits", "lines"}};
  for (const PassHits &hits : view.passes)
    rows.push_back({std::to_string(hits.pass), hits.name, std::to_string(hits.hits),
                    std::to_string(hits.lines)});
  printTable(out, rows, 2);
  printHits("IR after " + view.pass, view.ir, out);
  printHits("kernel file", view.source, out);
  printHits("CUDA", view.cuda, out);
}

} // namespace tilescope
