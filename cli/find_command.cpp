// find: the first pass after which a predicate holds.
#include "cli/found_instance.h"
#include "cli/kernel_list.h"

#include "core/json/json_value.h"
#include "core/support/nearest_name.h"
#include "core/views/view.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <map>
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
    "  fails                              the pass, or a check; fails verify, arena, hazards or "
    "run: it\n"
    "  planned                            offsets are final; before that they are a preview\n\n"
    "A line of the CUDA that no statement becomes, such as an #include, is written by the "
    "emission,\n"
    "'emit-cuda', which follows the last pass.\n\n"
    "Of a folder of traces each is asked, and those in which it holds are printed.\n\n"
    "They combine with and, or, not and parentheses. Words of the predicate may be several words\n"
    "of the command line.\n"
    "Exit code: 0 found, 1 not found, 2 trouble, also if a trace that is cut off has no such "
    "pass.\n\n"
    "  tilescope find attention.trace 'peak > 160KiB'\n"
    "  tilescope find attention.trace 'text \"ldmatrix\"'\n"
    "  tilescope find attention.trace 'cuda \"__syncthreads\"'\n"
    "  tilescope find attention.trace 'shares(Q_shared, O_shared) and planned'\n"
    "  tilescope find run/ 'peak > 160KiB'      # in which traces of a folder?\n"
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

void warnOfUnknown(const std::string &name, const std::vector<std::string> &known) {
  llvm::WithColor::warning(llvm::errs(), "tilescope")
      << "no buffer is called '" << name << "' after any pass" << didYouMean(name, known) << '\n';
}

int findInOne(const Trace &trace, llvm::StringRef text, const Predicate &predicate, bool every,
              bool asJson) {
  llvm::Expected<FindResult> result = find(trace, text, predicate, every);
  if (!result)
    return report(result.takeError());
  for (const std::string &name : result->unknownBuffers)
    warnOfUnknown(name, bufferNamesOf(trace));
  TerminalText out(llvm::outs());
  if (asJson)
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

// The instances of a folder or a list, one after the other.
class InstanceSearch {
public:
  InstanceSearch(llvm::StringRef text, const Predicate &predicate, bool every, bool asJson)
      : text_(text), predicate_(predicate), every_(every), asJson_(asJson) {}

  int run(const ListedInstances &listed) {
    TerminalText out(llvm::outs());
    for (const ListedInstance &instance : listed.instances) {
      FoundInstance one{instance.trace, instance.path, labelOf(instance)};
      if (llvm::Error error = ask(instance, one))
        one.error = llvm::toString(std::move(error));
      add(std::move(one), out);
    }
    for (const UnreadTrace &trace : listed.unread)
      add({.trace = trace.path, .error = trace.why}, out);
    for (const auto &[name, count] : unknown_)
      if (count == asked_)
        warnOfUnknown(name, {known_.begin(), known_.end()});
    if (asJson_)
      out << dumpJson(toJson(all_));
    else
      out << llvm::formatv("holds in {0} of {1} {2}\n", hits_, all_.size(),
                           all_.size() == 1 ? "instance" : "instances");
    if (asked_ != all_.size())
      return report(llvm::createStringError(
          llvm::formatv("{0} of {1} were not asked", all_.size() - asked_, all_.size()).str()));
    return hits_ > 0 ? Fine : Findings;
  }

private:
  llvm::Error ask(const ListedInstance &instance, FoundInstance &one) {
    llvm::Expected<LoadedInstance> loaded = load(instance);
    if (!loaded)
      return loaded.takeError();
    if (loaded->trace.passes.empty())
      return llvm::createStringError(loaded->failure);
    llvm::Expected<FindResult> result = find(loaded->trace, text_, predicate_, every_);
    if (!result)
      return result.takeError();
    for (const std::string &name : result->unknownBuffers)
      ++unknown_[name];
    if (!result->unknownBuffers.empty())
      for (std::string &name : bufferNamesOf(loaded->trace))
        known_.insert(std::move(name));
    one.found = std::move(*result);
    return llvm::Error::success();
  }

  void add(FoundInstance one, llvm::raw_ostream &out) {
    bool isHit = one.found && !one.found->hits.empty();
    hits_ += isHit;
    asked_ += one.error.empty();
    if (!one.error.empty())
      report(llvm::createStringError(one.error));
    if (isHit && !asJson_) {
      std::string name = one.trace.empty() ? one.file : llvm::sys::path::filename(one.trace).str();
      write(out, name + "  " + one.instance, {Ink::Strong});
      out << '\n';
      print(*one.found, out);
    }
    if (!asJson_)
      one.found.reset();
    all_.push_back(std::move(one));
  }

  llvm::StringRef text_;
  const Predicate &predicate_;
  bool every_;
  bool asJson_;
  std::vector<FoundInstance> all_;
  size_t hits_ = 0;
  size_t asked_ = 0;                      // that could be
  std::map<std::string, size_t> unknown_; // names of buffers, and how many lack them
  std::set<std::string> known_;           // of those that lack one
};

} // namespace

int runFind(const CommandLine &given) {
  CommandLine commandLine = given;
  std::vector<std::string> storage;
  keepListArguments(commandLine, storage);
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
  llvm::Expected<std::optional<ListedInstances>> many = manyOf(source);
  if (!many)
    return report(many.takeError());
  if (*many)
    return InstanceSearch(text, *predicate, every, format.isJson()).run(**many);
  llvm::Expected<Trace> trace = source.load();
  return trace ? findInOne(*trace, text, *predicate, every, format.isJson())
               : report(trace.takeError());
}

} // namespace tilescope
