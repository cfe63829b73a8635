#include "core/find/finder.h"

#include "core/support/number_text.h"
#include "core/support/text_query.h"
#include "core/trace/missing_cuda.h"
#include "core/trace/pass_figures.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

constexpr llvm::StringLiteral Emission = "emit-cuda";

bool isNamed(const BufferRecord &record, llvm::StringRef name) {
  return record.name == name || nameInFunction(record.key) == name || toString(record.key) == name;
}

const BufferRecord *bufferOf(const TraceSnapshot &snapshot, llvm::StringRef name) {
  for (const BufferRecord &record : *snapshot.buffers)
    if (isNamed(record, name))
      return &record;
  return nullptr;
}

bool compare(ComparisonOperator comparison, int64_t a, int64_t b) {
  switch (comparison) {
  case ComparisonOperator::Greater:
    return a > b;
  case ComparisonOperator::GreaterEqual:
    return a >= b;
  case ComparisonOperator::Less:
    return a < b;
  case ComparisonOperator::LessEqual:
    return a <= b;
  case ComparisonOperator::Equal:
    return a == b;
  case ComparisonOperator::NotEqual:
    return a != b;
  }
  return false;
}

struct Peak {
  int64_t bytes = 0;
  bool isPreview = false;
};

Peak peakOf(const TraceSnapshot &snapshot) {
  Peak peak;
  for (const ArenaRecord &arena : *snapshot.arenas) {
    if (arena.plan.heightBytes > peak.bytes)
      peak = {arena.plan.heightBytes, arena.preview};
  }
  return peak;
}

// Which lines of a trace a query is found in: most lines are in many snapshots.
class MatchedLines {
public:
  MatchedLines(const Trace &trace, const std::string &query) {
    TextQuery wanted(query);
    for (const TraceLine &line : trace.lines)
      isMatch_.push_back(wanted.count(line.text) != 0);
  }
  bool contains(LineId line) const { return isMatch_[line]; }

private:
  std::vector<bool> isMatch_;
};

struct MatchedCudaLine {
  uint32_t line = 0; // from 1
  llvm::StringRef text;
};

// The lines of the emitted CUDA that a query is found in.
struct MatchedCuda {
  std::map<StmtId, MatchedCudaLine> ofStatements; // the first of each
  std::optional<MatchedCudaLine> loose;           // the first that comes from no statement

  MatchedCuda(const Trace &trace, const std::string &query) {
    std::map<uint32_t, StmtId> statements;
    for (const CudaLine &mapped : trace.cudaMap)
      statements[mapped.line] = mapped.stmt;
    TextQuery wanted(query);
    llvm::StringRef rest = trace.cuda;
    for (uint32_t line = 1; !rest.empty(); ++line) {
      auto [text, next] = rest.split('\n');
      rest = next;
      if (wanted.count(text) == 0)
        continue;
      StmtId stmt = statements[line];
      if (stmt.isValid())
        ofStatements.try_emplace(stmt, MatchedCudaLine{line, text.trim()});
      else if (!loose)
        loose = {line, text.trim()};
    }
  }
};

bool isError(const TraceDiagnostic &diagnostic) { return diagnostic.severity == "error"; }

// No pass is to blame for the error that the compile ended with.
bool failsAfterPasses(const Trace &trace) {
  const TraceVerdicts &last = trace.passes.back().verdicts;
  bool isRefuted = allOf(allOf(last.verified, last.arenaSound), last.hazardFree) == Verdict::No;
  return llvm::any_of(trace.diagnostics, isError) && !isRefuted &&
         llvm::none_of(trace.passes, [](const TracePass &pass) {
           return pass.status == PassStatus::Failed || pass.runsAsWritten == Verdict::No;
         });
}

struct Answer {
  bool holds = false;
  std::vector<FindFact> facts; // what the answer rests on
};

class Finder {
public:
  explicit Finder(const Trace &trace) : trace_(trace) {}

  Answer ask(const Predicate &predicate, size_t pass) {
    switch (predicate.kind) {
    case PredicateKind::And:
      return askList(predicate, pass, /*decisive=*/false);
    case PredicateKind::Or:
      return askList(predicate, pass, /*decisive=*/true);
    case PredicateKind::Not: {
      Answer answer = ask(predicate.operands.front(), pass);
      answer.holds = !answer.holds;
      return answer;
    }
    default:
      FindFact fact = askAtom(predicate, pass);
      fact.predicate = predicate.text;
      return {fact.holds, {std::move(fact)}};
    }
  }

private:
  // Emission, which follows the last pass, changes no IR.
  const TraceSnapshot &after(size_t pass) const {
    return trace_.snapshots[trace_.passes[std::min(pass, trace_.passes.size() - 1)].snapshot];
  }

  // An operand that is `decisive` decides alone, so only such ones count if there are any.
  Answer askList(const Predicate &list, size_t pass, bool decisive) {
    Answer deciding{decisive, {}}, others{!decisive, {}};
    bool isDecided = false;
    for (const Predicate &operand : list.operands) {
      Answer answer = ask(operand, pass);
      isDecided |= answer.holds == decisive;
      Answer &side = answer.holds == decisive ? deciding : others;
      llvm::append_range(side.facts, answer.facts);
    }
    return isDecided ? deciding : others;
  }

  FindFact askAtom(const Predicate &atom, size_t pass) {
    switch (atom.kind) {
    case PredicateKind::Text:
      return askText(atom, pass);
    case PredicateKind::Cuda:
      return askCuda(atom, pass);
    case PredicateKind::Peak:
      return askPeak(atom, pass);
    case PredicateKind::Shares:
      return askShares(atom, pass);
    case PredicateKind::Buffer:
      return atom.event == AskedChange::Renamed ? askRenamed(atom, pass) : askBuffer(atom, pass);
    case PredicateKind::Fails:
      return askFails(atom, pass);
    default:
      return askPlanned(pass);
    }
  }

  FindFact askText(const Predicate &atom, size_t pass) {
    const MatchedLines &matched =
        matchedLines_.try_emplace(atom.query, trace_, atom.query).first->second;
    FindFact fact;
    const std::vector<LineId> &lines = *after(pass).lines;
    auto found = llvm::find_if(lines, [&](LineId line) { return matched.contains(line); });
    fact.holds = found != lines.end();
    fact.text = "no line";
    if (fact.holds)
      tellLine(lines, static_cast<size_t>(found - lines.begin()), fact);
    return fact;
  }

  void tellLine(const std::vector<LineId> &lines, size_t index, FindFact &fact) const {
    const TraceLine &line = trace_.lines[lines[index]];
    fact.line = static_cast<uint32_t>(index) + 1;
    fact.lineText = llvm::StringRef(line.text).trim().str();
    fact.sourceLine = line.sourceLine();
    fact.stmt = line.stmt;
    std::string source = lineText(" (kernel line ", fact.sourceLine, ")");
    fact.text = llvm::formatv("line {0}{1}: {2}", fact.line, source, fact.lineText);
  }

  // A statement keeps its id from the pass that makes it on, so it is known where that of a line
  // of the CUDA was made.
  FindFact askCuda(const Predicate &atom, size_t pass) {
    const MatchedCuda &matched =
        matchedCuda_.try_emplace(atom.query, trace_, atom.query).first->second;
    FindFact fact;
    const std::vector<LineId> &lines = *after(pass).lines;
    auto found = llvm::find_if(
        lines, [&](LineId line) { return matched.ofStatements.contains(trace_.lines[line].stmt); });
    if (found != lines.end()) {
      tellLine(lines, static_cast<size_t>(found - lines.begin()), fact);
      fact.text += " becomes ";
      tellCudaLine(matched.ofStatements.at(fact.stmt), fact);
    } else if (matched.loose && isEmission(pass)) {
      tellCudaLine(*matched.loose, fact);
    } else {
      fact.text = !matched.ofStatements.empty() ? "no statement that such a line comes from"
                  : matched.loose               ? "such lines come from no statement"
                                                : "no line of the CUDA";
    }
    return fact;
  }

  static void tellCudaLine(const MatchedCudaLine &matched, FindFact &fact) {
    fact.holds = true;
    fact.cudaLine = matched.line;
    fact.cudaLineText = matched.text.str();
    fact.text += llvm::formatv("CUDA line {0}: {1}", fact.cudaLine, fact.cudaLineText).str();
  }

  bool isEmission(size_t pass) const {
    return pass == trace_.passes.size() || trace_.passes[pass].name == Emission;
  }

  FindFact askPeak(const Predicate &atom, size_t pass) {
    FindFact fact;
    Peak peak = peakOf(after(pass));
    fact.bytes = peak.bytes;
    fact.isPreview = peak.isPreview;
    fact.holds = compare(atom.comparison, peak.bytes, atom.bytes);
    fact.text = groupedNumber(peak.bytes) + " bytes" + (peak.isPreview ? " in a preview" : "");
    if (pass == 0)
      return fact;
    if (int64_t before = peakOf(after(pass - 1)).bytes; before != peak.bytes)
      fact.text += "; " + groupedNumber(before) + " after " + passPlace(trace_, pass - 1);
    return fact;
  }

  // A name may be that of several buffers.
  static std::set<BufferId> idsOf(const TraceSnapshot &snapshot, llvm::StringRef name) {
    std::set<BufferId> ids;
    for (const BufferRecord &record : *snapshot.buffers)
      if (isNamed(record, name))
        ids.insert(record.id);
    return ids;
  }

  template <typename T>
  static std::vector<const T *> among(const std::vector<T> &all, const std::set<BufferId> &ids) {
    std::vector<const T *> some;
    for (const T &one : all)
      if (ids.contains(one.id))
        some.push_back(&one);
    return some;
  }

  FindFact askShares(const Predicate &atom, size_t pass) const {
    const TraceSnapshot &snapshot = after(pass);
    std::set<BufferId> first = idsOf(snapshot, atom.buffer), second = idsOf(snapshot, atom.other);
    FindFact fact;
    fact.text = "they are not in one arena";
    for (const ArenaRecord &arena : *snapshot.arenas) {
      for (const Placement *a : among(arena.plan.placements, first))
        for (const Placement *b : among(arena.plan.placements, second))
          if (a->id != b->id && !fact.holds)
            compareBytes(*a, *b, arena.preview, fact);
      for (const LaunchSizedBuffer *a : among(arena.launchSized, first))
        for (const LaunchSizedBuffer *b : among(arena.launchSized, second))
          if (a->id != b->id && !fact.holds)
            compareRegions(*a, *b, arena.preview, fact);
    }
    return fact;
  }

  static void compareBytes(const Placement &a, const Placement &b, bool isPreview, FindFact &fact) {
    int64_t begin = std::max(a.offsetBytes, b.offsetBytes);
    int64_t end = std::min(a.offsetBytes + a.sizeBytes, b.offsetBytes + b.sizeBytes);
    fact.holds = begin < end;
    fact.bytes = fact.holds ? end - begin : 0;
    fact.isPreview = isPreview;
    auto range = [](int64_t from, int64_t to) {
      return "[" + groupedNumber(from) + ", " + groupedNumber(to) + ")";
    };
    fact.text = fact.holds
                    ? "bytes " + range(begin, end)
                    : "they lie apart, in " + range(a.offsetBytes, a.offsetBytes + a.sizeBytes) +
                          " and " + range(b.offsetBytes, b.offsetBytes + b.sizeBytes);
    fact.text += isPreview ? " of a preview" : "";
  }

  static void compareRegions(const LaunchSizedBuffer &a, const LaunchSizedBuffer &b, bool isPreview,
                             FindFact &fact) {
    fact.holds = a.region == b.region;
    fact.isPreview = isPreview;
    fact.text = llvm::formatv(fact.holds ? "region {0}, whose size the launch knows"
                                         : "they lie apart, in regions {0} and {1}",
                              a.region, b.region);
  }

  FindFact askBuffer(const Predicate &atom, size_t pass) const {
    FindFact fact;
    const BufferRecord *record = bufferOf(after(pass), atom.buffer);
    bool isNow = record != nullptr;
    bool wasBefore = pass != 0 && bufferOf(after(pass - 1), atom.buffer);
    fact.holds = atom.event == AskedChange::Exists    ? isNow
                 : atom.event == AskedChange::Appears ? isNow && !wasBefore
                                                      : !isNow && wasBefore;
    fact.text = isNow ? "it is there" : "it is not there";
    if (pass != 0)
      fact.text += (isNow == wasBefore ? ", as after " : ", other than after ") +
                   passPlace(trace_, pass - 1);
    if (record)
      fact.sourceLine = record->span.line;
    return fact;
  }

  // By id: a buffer keeps it, whatever it is called.
  FindFact askRenamed(const Predicate &atom, size_t pass) const {
    FindFact fact;
    fact.text = "it keeps its name";
    std::map<BufferId, std::string> before;
    if (pass != 0)
      for (const BufferRecord &record : *after(pass - 1).buffers)
        before[record.id] = record.name;
    for (const BufferRecord &record : *after(pass).buffers) {
      auto old = before.find(record.id);
      if (old == before.end() || old->second == record.name)
        continue;
      if (old->second != atom.buffer && !isNamed(record, atom.buffer))
        continue;
      fact.holds = true;
      fact.text = "'" + old->second + "' is now '" + record.name + "'";
      fact.sourceLine = record.span.line;
      break;
    }
    return fact;
  }

  FindFact askFails(const Predicate &atom, size_t pass) const {
    FindFact fact;
    fact.text = "no check fails";
    bool isAny = atom.check == CheckKind::Any;
    if (isAny && isEmission(pass) && failsAfterPasses(trace_)) {
      fact.holds = true;
      fact.text = "the compile fails";
      tellError(fact);
      return fact;
    }
    if (pass == trace_.passes.size())
      return fact;
    const TracePass &asked = trace_.passes[pass];
    std::string found;
    auto add = [&](bool fails, llvm::StringRef what) {
      if (fails)
        found += (found.empty() ? "" : ", ") + what.str();
    };
    if (isAny || atom.check == CheckKind::Verify)
      add(asked.verdicts.verified == Verdict::No, "the IR does not verify");
    if (isAny || atom.check == CheckKind::Arena)
      add(asked.verdicts.arenaSound == Verdict::No, "the arena is not sound");
    if (isAny || atom.check == CheckKind::Hazards)
      add(asked.verdicts.hazardFree == Verdict::No, "a barrier is missing");
    if (isAny || atom.check == CheckKind::Run)
      add(asked.runsAsWritten == Verdict::No, "the kernel does not run as written");
    if (isAny && found.empty())
      add(asked.status == PassStatus::Failed, "the pass fails");
    fact.holds = !found.empty();
    if (!fact.holds)
      return fact;
    fact.text = found;
    tellError(fact);
    return fact;
  }

  void tellError(FindFact &fact) const {
    auto error = llvm::find_if(trace_.diagnostics, isError);
    if (error == trace_.diagnostics.end())
      return;
    fact.text += ": " + error->text;
    fact.sourceLine = error->sourceLine();
  }

  FindFact askPlanned(size_t pass) const {
    FindFact fact;
    const auto &arenas = *after(pass).arenas;
    fact.holds = !arenas.empty() &&
                 llvm::none_of(arenas, [](const ArenaRecord &arena) { return arena.preview; });
    fact.isPreview = !fact.holds;
    fact.text = arenas.empty() ? "no shared memory"
                : fact.holds   ? "offsets are final"
                               : "offsets are a preview";
    return fact;
  }

  const Trace &trace_;
  std::map<std::string, MatchedLines> matchedLines_;
  std::map<std::string, MatchedCuda> matchedCuda_;
};

void collectNames(const Predicate &predicate, std::set<std::string> &names) {
  for (const std::string &name : {predicate.buffer, predicate.other})
    if (!name.empty())
      names.insert(name);
  for (const Predicate &operand : predicate.operands)
    collectNames(operand, names);
}

std::vector<std::string> unknownBuffersOf(const Trace &trace, const Predicate &predicate) {
  std::set<std::string> names;
  collectNames(predicate, names);
  std::vector<std::string> unknown;
  for (const std::string &name : names)
    if (llvm::none_of(trace.snapshots,
                      [&](const TraceSnapshot &snapshot) { return bufferOf(snapshot, name); }))
      unknown.push_back(name);
  return unknown;
}

bool asks(PredicateKind kind, const Predicate &predicate) {
  return predicate.kind == kind || llvm::any_of(predicate.operands, [&](const Predicate &operand) {
           return asks(kind, operand);
         });
}

llvm::Error refusalOfCuda(const Trace &trace) {
  if (trace.cuda.empty())
    return llvm::createStringError("no CUDA to look into: " + reasonOfMissingCuda(trace));
  if (trace.cudaMap.empty())
    return llvm::createStringError("the trace does not say which statements the lines of its CUDA "
                                   "come from, so 'cuda' cannot be answered");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<FindResult> find(const Trace &trace, llvm::StringRef text,
                                const Predicate &predicate, bool every) {
  bool isCudaAsked = asks(PredicateKind::Cuda, predicate);
  if (isCudaAsked)
    if (llvm::Error refusal = refusalOfCuda(trace))
      return refusal;
  FindResult result;
  result.predicate = text.str();
  result.isCutOff = !trace.complete;
  result.unknownBuffers = unknownBuffersOf(trace, predicate);
  Finder finder(trace);
  size_t passes = trace.passes.size();
  bool isFailureAsked = asks(PredicateKind::Fails, predicate) && failsAfterPasses(trace);
  bool isEmissionAsked = (isCudaAsked || isFailureAsked) && trace.passes.back().name != Emission;
  for (size_t pass = 0; pass != passes + isEmissionAsked; ++pass) {
    if (pass != passes && isOnlyGroup(trace, pass))
      continue;
    result.passes += pass != passes;
    Answer answer = finder.ask(predicate, pass);
    result.missing = std::move(answer.facts);
    if (!answer.holds)
      continue;
    std::string name = pass == passes ? Emission.str() : passPlace(trace, pass);
    result.hits.push_back({pass, std::move(name), std::move(result.missing)});
    if (!every)
      break;
  }
  if (!result.hits.empty())
    result.missing.clear();
  return result;
}

} // namespace tilescope
