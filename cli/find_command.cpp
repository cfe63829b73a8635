// find: the first pass after which a predicate holds.
#include "cli/command.h"

#include "core/find/finder.h"
#include "core/json/json_value.h"
#include "core/support/nearest_name.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <set>

namespace tilescope {

namespace {

constexpr const char *FindOverview =
    "Prints the first pass after which a predicate holds, and the facts that make it true.\n\n"
    "  text \"ldmatrix\", text /reg[ex]+/   a line of the IR, searched as by 'show search'\n"
    "  cuda \"__syncthreads\"               what becomes such a line of the emitted CUDA\n"
    "  peak > 160KiB                      bytes of the highest kernel; > >= < <= == !=\n"
    "  shares(Q_shared, O_shared)         bytes of shared memory; also: Q_shared overlaps "
    "O_shared\n"
    "  buffer V_shared                    it is there\n"
    "  buffer V_shared appears            it was not there before; also: disappears, renamed\n"
    "  fails                              the pass, or a check; fails verify, arena or hazards: "
    "it\n"
    "  planned                            offsets are final; before that they are a preview\n\n"
    "A line of the CUDA that no statement becomes, such as an #include, is written by the "
    "emission,\n"
    "'emit-cuda', which follows the last pass.\n\n"
    "They combine with and, or, not and parentheses. Words of the predicate may be several words\n"
    "of the command line.\n"
    "Exit code: 0 found, 1 not found, 2 trouble, also if a trace that is cut off has no such "
    "pass.\n\n"
    "  tilescope find attention.trace 'peak > 160KiB'\n"
    "  tilescope find attention.trace 'text \"ldmatrix\"'\n"
    "  tilescope find attention.trace 'cuda \"__syncthreads\"'\n"
    "  tilescope find attention.trace 'shares(Q_shared, O_shared) and planned'\n"
    "  tilescope find gemm.py:matmul --set M=1024 --every 'buffer A_shared and not planned'\n";

void printFacts(const std::vector<FindFact> &facts, llvm::raw_ostream &out) {
  for (const FindFact &fact : facts)
    out << "   " << (fact.holds ? "" : "not ") << fact.predicate << ": " << fact.text << '\n';
}

void print(const FindResult &result, llvm::raw_ostream &out) {
  for (const FindHit &hit : result.hits) {
    out << hit.pass << "  " << hit.name << '\n';
    printFacts(hit.facts, out);
  }
  if (!result.hits.empty())
    return;
  out << llvm::formatv(result.passes == 1 ? "not after the only pass:\n"
                                          : "after none of {0} passes; after the last:\n",
                       result.passes);
  printFacts(result.missing, out);
}

std::vector<std::string> bufferNamesOf(const Trace &trace) {
  std::set<std::string> names;
  for (const TraceSnapshot &snapshot : trace.snapshots)
    for (const BufferRecord &buffer : *snapshot.buffers)
      names.insert(buffer.name);
  return {names.begin(), names.end()};
}

} // namespace

int runFind(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope find");
  TraceOptions source(category);
  llvm::cl::list<std::string> words(llvm::cl::Positional, llvm::cl::OneOrMore,
                                    llvm::cl::desc("PREDICATE"), llvm::cl::cat(category));
  llvm::cl::opt<bool> every("every", llvm::cl::desc("Every pass after which it holds"),
                            llvm::cl::cat(category));
  FormatOption format(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, FindOverview))
    return *exitCode;
  std::string text = llvm::join(words, " ");
  llvm::Expected<Predicate> predicate = parsePredicate(text);
  if (!predicate)
    return report(predicate.takeError());
  llvm::Expected<Trace> trace = source.load();
  if (!trace)
    return report(trace.takeError());
  llvm::Expected<FindResult> result = find(*trace, text, *predicate, every);
  if (!result)
    return report(result.takeError());
  for (const std::string &name : result->unknownBuffers)
    llvm::WithColor::warning(llvm::errs(), "tilescope")
        << "no buffer is called '" << name << "' after any pass"
        << didYouMean(name, bufferNamesOf(*trace)) << '\n';
  TerminalText out(llvm::outs());
  if (format.isJson())
    out << dumpJson(toJson(*result));
  else
    print(*result, out);
  if (!result->isCutOff)
    return result->hits.empty() ? Findings : Fine;
  if (result->hits.empty())
    return report(llvm::createStringError(
        "the trace is cut off: it is not known whether this holds after a later pass"));
  if (every)
    llvm::WithColor::warning(llvm::errs(), "tilescope")
        << "the trace is cut off: later passes were not asked\n";
  return Fine;
}

} // namespace tilescope
