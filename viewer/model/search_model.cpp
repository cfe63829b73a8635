#include "viewer/model/search_model.h"

#include "core/support/text_query.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Most lines are in many snapshots: each is searched once, and each snapshot is summed up once.
std::vector<PassHits> hitsOfPasses(const Trace &trace, const TextQuery &query) {
  std::vector<size_t> hitsOfLine;
  hitsOfLine.reserve(trace.lines.size());
  for (const TraceLine &line : trace.lines)
    hitsOfLine.push_back(query.count(line.text));
  std::vector<PassHits> ofSnapshot;
  for (const TraceSnapshot &snapshot : trace.snapshots) {
    PassHits &hits = ofSnapshot.emplace_back();
    for (LineId id : *snapshot.lines) {
      hits.hits += hitsOfLine[id];
      hits.lines += hitsOfLine[id] != 0;
    }
  }
  std::vector<PassHits> passes;
  for (size_t pass = 0; pass != trace.passes.size(); ++pass) {
    passes.push_back(ofSnapshot[trace.passes[pass].snapshot]);
    passes.back().pass = pass;
    passes.back().name = trace.passes[pass].name;
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
                                const TextQuery &query) {
  std::vector<SearchHit> hits;
  for (size_t i = 0; i != snapshot.lines->size(); ++i) {
    const TraceLine &line = trace.lines[(*snapshot.lines)[i]];
    size_t before = hits.size();
    addHit(hits, query, i, line.text);
    if (hits.size() != before) {
      hits.back().stmt = line.stmt;
      hits.back().sourceLine = line.span.line;
    }
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

} // namespace

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

SearchView buildSearch(const Trace &trace, const Selection &selection) {
  SearchView view;
  view.query = selection.query;
  view.pass = selectedPass(trace, selection).name;
  if (view.query.empty())
    return view;
  TextQuery query(view.query);
  view.error = query.error();
  if (!view.error.empty())
    return view;
  view.passes = hitsOfPasses(trace, query);
  view.unloadedPasses =
      static_cast<size_t>(llvm::count_if(trace.passes, [&](const TracePass &pass) {
        return !isLoaded(trace.snapshots[pass.snapshot]);
      }));
  view.ir = hitsInIr(trace, selectedSnapshot(trace, selection), query);
  view.source = hitsInText(trace.header.fileText, query);
  for (SearchHit &hit : view.source)
    hit.sourceLine = hit.line;
  view.cuda = hitsInText(trace.cuda, query);
  for (SearchHit &hit : view.cuda) {
    // By line: emission goes from the first to the last.
    auto mapped =
        llvm::lower_bound(trace.cudaMap, hit.line,
                          [](const CudaLine &line, uint32_t wanted) { return line.line < wanted; });
    if (mapped == trace.cudaMap.end() || mapped->line != hit.line)
      continue;
    hit.stmt = mapped->stmt;
    hit.sourceLine = mapped->span.line;
  }
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
