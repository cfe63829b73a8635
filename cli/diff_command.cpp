// diff: what differs between two compiles, or between all kernels of two revisions.
#include "cli/command.h"

#include "cli/compared_sides.h"
#include "cli/device_usage.h"
#include "cli/diff_output.h"
#include "cli/kernel_list.h"
#include "core/diff/diff_fields.h"
#include "core/json/json_value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <filesystem>

namespace tilescope {

namespace {

enum class Format { Text, Json, Markdown, Html };

// A comment on a pull request may have 65,536 characters.
constexpr size_t MarkdownLength = 60'000;
constexpr size_t HtmlLength = 8'000'000;

// As git names it.
std::string pathFromHere(const std::string &file) {
  std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  std::error_code code;
  if (path.is_absolute())
    path = path.lexically_relative(std::filesystem::current_path(code));
  return path.generic_string();
}

struct TraceComparison {
  ComparedSides sides;
  DiffReport report;
  size_t unreadCount = 0; // traces that were not compared
};

std::string diffOverview() {
  return "Compares the shared memory and the code of kernels before and after a change. A and B "
         "are\n"
         "traces, folders of traces, kernel files, or files of a git revision (REV:FILE); --git "
         "compares\n"
         "all kernels of two revisions, or of one and the work tree with its new files, and writes "
         "to\n"
         "neither. Of folders, and of lists @LIST, instances\n"
         "are matched by kernel function, arguments and target, as the traces have them. Of a "
         "kernel file\n"
         "without FUNCTION all instances that it lists are compared ('tilescope lock --help'), "
         "with what\n"
         "--set gives in place of what they say. --git takes lists beside paths, as 'lock' does; "
         "kernels\n"
         "below a folder that no line lists are compared where all their arguments have "
         "defaults.\n\n"
         "Verdicts, from the worst: failed (does not compile any more), not-compared (compiles on\n"
         "neither side), worse, larger, better, smaller, changed, same. Worse or better is what "
         "became\n"
         "unsound or sound, stopped or started to fit or to compile, has other blocks per SM or, "
         "with\n"
         "the same blocks and pipelines, other barriers; larger or smaller is another peak "
         "alone.\n\n"
         "--fail-on takes conditions, separated by commas; exit code 1 if one of them holds:\n"
         "  peak>           the peak grew; peak>+1KiB, peak>+5%: by more; peak>160KiB: is higher\n"
         "                  (B, KiB, MiB, GiB; >= and <= too)\n"
         "  occupancy<      fewer blocks per SM; so for padding, barriers, copies and, where they\n"
         "                  are known, registers and spills (bytes) of a thread\n"
         "  any             anything differs; or one of the reasons:\n  " +
         llvm::join(reasonNames(), ", ") +
         "\n"
         "unsound holds also where a verdict fell (verdict-fell): yes to not established, or\n"
         "anything to no. A trace is judged anew, as by 'tilescope check'.\n"
         "A kernel that was moved, renamed or given other arguments is compared with what it was\n"
         "(reason kernel-renamed). Of one that is new or gone no growth is known: name new and "
         "gone,\n"
         "too, where they should count.\n"
         "A kernel that failed or was not compared always counts. A suppression file has a line\n"
         "'NAME[,NAME] FILE:INSTANCE' for each agreed difference; * and ? stand for any text. NAME "
         "is a\n"
         "metric (peak covers peak>, peak-grew and so on), a reason (peak-grew covers peak>), or "
         "any;\n"
         "--fail-on any is covered where all reasons of the kernel are.\n\n"
         "  tilescope diff old.trace new.trace\n"
         "  tilescope diff before/ after/     # two folders of TILESCOPE_RECORD\n"
         "  tilescope diff HEAD:gemm.py gemm.py --fail-on 'peak>,occupancy<'\n"
         "  tilescope diff gemm.py gemm.py --set-before num_stages=2 --set-after num_stages=3\n"
         "  tilescope diff HEAD:gemm.py gemm.py --ptxas --fail-on 'spills>'   # registers count, "
         "too\n"
         "  tilescope diff --git main HEAD --format markdown -- kernels\n"
         "  tilescope diff --git -- kernels            # HEAD and what is not committed yet\n"
         "  tilescope diff --git main -- kernels       # main..HEAD is two revisions, too\n"
         "  tilescope diff --git main HEAD -- @instances.txt\n";
}

llvm::Error addSettings(llvm::cl::list<std::string> &settings, SideOptions &side) {
  for (llvm::StringRef setting : settings) {
    auto [name, value] = setting.split('=');
    if (name.empty() || !setting.contains('='))
      return llvm::createStringError("--" + settings.ArgStr + " wants NAME=VALUE, not '" + setting +
                                     "'");
    if (llvm::any_of(side.arguments,
                     [&, &name = name](const auto &argument) { return argument.first == name; }))
      return llvm::createStringError("'" + name + "' is set twice");
    side.arguments.emplace_back(name.str(), value.str());
  }
  return llvm::Error::success();
}

bool isUnder(llvm::StringRef file, llvm::StringRef path) {
  path = path.rtrim('/');
  return path == "." || (file.consume_front(path) && (file.empty() || file.front() == '/'));
}

std::string sentenceOf(const NotCompared &one) {
  std::string kernels = one.functions.empty() ? "" : ":" + llvm::join(one.functions, ", ");
  return "'" + one.file + kernels + "' " + (one.functions.size() > 1 ? "were" : "was") +
         " not compared: " + one.why;
}

// An error if there is nothing under a path that could be compared.
llvm::Error checkPath(const LoadedSide &before, const LoadedSide &after, llvm::StringRef path) {
  const NotCompared *first = nullptr;
  for (const LoadedSide *side : {&before, &after}) {
    if (llvm::any_of(side->compiles, [&](const auto &c) { return isUnder(c.file, path); }))
      return llvm::Error::success();
    for (const NotCompared &one : side->notCompared)
      if (isUnder(one.file, path))
        first = &one;
  }
  if (!first)
    return llvm::createStringError("neither revision has a kernel under '" + path + "'");
  return llvm::createStringError(
      "nothing under '" + path + "' can be compared: " + sentenceOf(*first) +
      "; say what to compile with such lines, or with a list of them: @LIST beside the paths "
      "(see 'tilescope lock --help')");
}

// Of kernels that are in the files and were not compared.
void warnOfUnlisted(const LoadedSide &after, DiffReport &report) {
  for (const NotCompared &one : after.notCompared)
    report.warnings.push_back(sentenceOf(one));
  for (const KernelComparison &kernel : report.kernels)
    if (kernel.isGone() && llvm::any_of(after.compiles, [&](const ComparedCompile &compile) {
          return compile.file == kernel.file;
        }))
      report.warnings.push_back("'" + kernel.file + "' no longer lists '" + kernel.label +
                                "', which was not compared");
}

// What differs is then no change of a kernel.
void warnOfUnrelated(const LoadedSide &before, const LoadedSide &after, DiffReport &report) {
  for (const KernelComparison &kernel : report.kernels) {
    if (!kernel.before || !kernel.after)
      continue;
    const std::optional<Trace> &left = before.compiles[*kernel.before].trace;
    const std::optional<Trace> &right = after.compiles[*kernel.after].trace;
    if (left && right && !mayBeOneKernel(*left, *right))
      report.warnings.push_back(llvm::formatv(
          "'{0}' of {1} and '{2}' of {3} look like different kernels: what differs "
          "is no change of one kernel",
          left->header.function, left->header.file, right->header.function, right->header.file));
  }
}

class DiffOptions {
public:
  explicit DiffOptions(llvm::cl::OptionCategory &category)
      : names_(llvm::cl::Positional, llvm::cl::desc("A B, or -- PATHS or @LISTS"),
               llvm::cl::cat(category)),
        revisions_("git", llvm::cl::multi_val(2),
                   llvm::cl::desc("Compare the kernels under PATHS of two revisions; without REV2 "
                                  "the work tree, without both HEAD and the work tree"),
                   llvm::cl::value_desc("[REV1] [REV2]"), llvm::cl::cat(category)),
        settings_("set", llvm::cl::desc("Argument of the kernel on both sides"),
                  llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category)),
        settingsBefore_("set-before", llvm::cl::desc("Argument of A"),
                        llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category)),
        settingsAfter_("set-after", llvm::cl::desc("Argument of B"),
                       llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category)),
        targets_("target",
                 llvm::cl::desc("GPU for kernels that name none (default: sm_80); may be repeated"),
                 llvm::cl::cat(category)),
        ptxas_(category) {}

  llvm::Expected<TraceComparison> compare() const {
    if (llvm::Error error = ptxas_.check())
      return error;
    SideOptions before, after;
    if (llvm::Error error = readSides(before, after))
      return error;
    bool isGit = !revisions_.empty();
    if (revisions_.size() > 2)
      return llvm::createStringError("--git is given twice");
    if (isGit ? names_.empty() : names_.size() != 2)
      return llvm::createStringError(isGit ? "--git wants paths or lists: -- PATHS @LISTS"
                                           : "diff wants two: A B (see 'tilescope diff --help')");
    if (!isGit && llvm::any_of(names_, standsForMany) && llvm::none_of(names_, isOfRevision))
      return compareMany(before, after);
    RevisionKernels kernels;
    if (isGit)
      if (llvm::Error error = readPaths().moveInto(kernels))
        return error;
    TraceComparison comparison;
    DiffReport &report = comparison.report;
    report.before = isGit ? revisions_[0] : names_[0];
    report.after = isGit ? revisions_[1] : names_[1];
    auto load = [&](const std::string &name, const SideOptions &side) {
      return isGit ? loadRevision(name, kernels, side) : loadSide(name, side);
    };
    LoadedSide left, right;
    if (llvm::Error error = load(report.before, before).moveInto(left))
      return error;
    if (llvm::Error error = load(report.after, after).moveInto(right))
      return error;
    if (llvm::Error error = checkUse(left, right))
      return error;
    takeTried(left, right);
    for (const std::string &path : kernels.paths)
      if (llvm::Error error = checkPath(left, right, path))
        return error;
    for (const KernelInstance &instance : kernels.listed)
      if (llvm::Error error = checkPath(left, right, instance.path))
        return error;
    report.kernels = compareKernels(left.compiles, right.compiles,
                                    isGit ? SideNames::OfFiles : SideNames::Given);
    takeWarnings(left, right, comparison);
    warnOfUnlisted(right, report);
    if (!isGit)
      warnOfUnrelated(left, right, report);
    comparison.sides = {std::move(left.compiles), std::move(right.compiles)};
    return comparison;
  }

  std::vector<NamedFile> inputs() const {
    std::vector<NamedFile> files;
    if (revisions_.empty())
      for (const std::string &name : names_)
        files.push_back({"A or B", splitKernelName(name).first});
    return files;
  }

private:
  // Of folders of traces, and of lists.
  llvm::Expected<TraceComparison> compareMany(const SideOptions &before,
                                              const SideOptions &after) const {
    TraceComparison comparison;
    DiffReport &report = comparison.report;
    report.before = listOf(names_[0]).value_or(names_[0]);
    report.after = listOf(names_[1]).value_or(names_[1]);
    LoadedSide left, right;
    if (llvm::Error error = loadInstances(names_[0], before).moveInto(left))
      return error;
    if (llvm::Error error = loadInstances(names_[1], after).moveInto(right))
      return error;
    if (llvm::Error error = checkUse(left, right))
      return error;
    report.kernels = compareInstances(left, right);
    takeWarnings(left, right, comparison);
    comparison.sides = {std::move(left.compiles), std::move(right.compiles)};
    return comparison;
  }

  static void takeWarnings(LoadedSide &before, LoadedSide &after, TraceComparison &comparison) {
    for (LoadedSide *side : {&before, &after}) {
      llvm::append_range(comparison.report.warnings, side->warnings);
      for (const UnreadTrace &trace : side->unread)
        comparison.report.warnings.push_back("not compared: " + trace.why);
      comparison.unreadCount += side->unread.size();
    }
  }

  // What --git is asked of; lists are read as they are now.
  llvm::Expected<RevisionKernels> readPaths() const {
    RevisionKernels kernels;
    for (const std::string &name : names_) {
      std::optional<std::string> list = listOf(name);
      if (!list) {
        kernels.paths.push_back(name);
        continue;
      }
      llvm::Expected<std::string> text = readFile(*list);
      if (!text)
        return text.takeError();
      llvm::Expected<std::vector<KernelInstance>> instances = instancesOfList(*text, *list);
      if (!instances)
        return instances.takeError();
      if (instances->empty())
        return llvm::createStringError("the list '" + *list + "' names no kernel");
      for (KernelInstance &instance : *instances) {
        instance.path = pathFromHere(instance.path);
        kernels.listed.push_back(std::move(instance));
      }
    }
    return kernels;
  }

  llvm::Error readSides(SideOptions &before, SideOptions &after) const {
    for (SideOptions *side : {&before, &after}) {
      side->ptxas = &ptxas_;
      side->targets.assign(targets_.begin(), targets_.end());
      if (side->targets.empty())
        side->targets.push_back("sm_80");
      for (const std::string &target : side->targets)
        if (llvm::Expected<const Target *> known = findTarget(target); !known)
          return known.takeError();
      if (llvm::Error error = addSettings(settings_, *side))
        return error;
    }
    if (llvm::Error error = addSettings(settingsBefore_, before))
      return error;
    return addSettings(settingsAfter_, after);
  }

  // Options for kernels that are compiled, where there are only traces.
  llvm::Error checkUse(const LoadedSide &before, const LoadedSide &after) const {
    auto check = [](const llvm::cl::Option &option, bool isUsed) -> llvm::Error {
      if (isUsed || option.getNumOccurrences() == 0)
        return llvm::Error::success();
      return llvm::createStringError("--" + option.ArgStr +
                                     " is for a kernel that is compiled, not for a trace");
    };
    if (llvm::Error error = check(settingsBefore_, !before.isTrace))
      return error;
    if (llvm::Error error = check(settingsAfter_, !after.isTrace))
      return error;
    bool compiles = !before.isTrace || !after.isTrace;
    if (llvm::Error error = check(settings_, compiles))
      return error;
    return check(targets_, compiles);
  }

  llvm::cl::list<std::string> names_;
  llvm::cl::list<std::string> revisions_;
  mutable llvm::cl::list<std::string> settings_;
  mutable llvm::cl::list<std::string> settingsBefore_;
  mutable llvm::cl::list<std::string> settingsAfter_;
  llvm::cl::list<std::string> targets_;
  PtxasOption ptxas_;
};

struct DiffRules {
  std::vector<FailCondition> conditions;
  std::vector<Suppression> suppressions;
};

llvm::Expected<DiffRules> readDiffRules(const std::string &conditions, const std::string &path) {
  DiffRules rules;
  if (!conditions.empty()) {
    llvm::Expected<std::vector<FailCondition>> parsed = parseFailConditions(conditions);
    if (!parsed)
      return parsed.takeError();
    rules.conditions = std::move(*parsed);
  }
  if (path.empty())
    return rules;
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  llvm::Expected<std::vector<Suppression>> suppressions = parseSuppressions(*text, path);
  if (!suppressions)
    return suppressions.takeError();
  rules.suppressions = std::move(*suppressions);
  return rules;
}

llvm::Error checkLength(const CountOption &maxLength, Format format) {
  if (maxLength.getNumOccurrences() == 0)
    return llvm::Error::success();
  if (format != Format::Markdown && format != Format::Html)
    return llvm::createStringError("--max-length is for --format markdown and html");
  size_t least = format == Format::Html ? LeastHtmlLength : LeastMarkdownLength;
  if (maxLength >= least)
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("--max-length wants at least {0}, not {1}", least, Count(maxLength)).str());
}

llvm::Error print(const TraceComparison &comparison, Format format, const std::string &path,
                  size_t maxLength) {
  const DiffReport &report = comparison.report;
  switch (format) {
  case Format::Json:
    return writeFile(path, dumpJson(toJson(report)));
  case Format::Markdown:
    return writeFile(path, markdownOf(report, maxLength ? maxLength : MarkdownLength));
  case Format::Html:
    return writeFile(path, htmlOf(report, comparison.sides, maxLength ? maxLength : HtmlLength));
  case Format::Text:
    break;
  }
  if (path == "-") {
    TerminalText out(llvm::outs());
    printText(report, out);
    return llvm::Error::success();
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  printText(report, out);
  return writeFile(path, text);
}

// LLVM wants both values of --git: "REV1..REV2" becomes them, and the work tree stands for a second
// one that is not there.
CommandLine withBothRevisions(const CommandLine &words, std::vector<std::string> &storage) {
  CommandLine whole;
  storage.reserve(words.size()); // addresses must stay
  bool isBehindDashes = false;
  for (size_t i = 0; i != words.size(); ++i) {
    llvm::StringRef word = words[i];
    whole.push_back(words[i]);
    isBehindDashes |= word == "--";
    if (isBehindDashes || (word != "--git" && word != "-git"))
      continue;
    auto isRevision = [&](size_t at) {
      return at < words.size() && !llvm::StringRef(words[at]).starts_with("-");
    };
    const char *first = isRevision(i + 1) ? words[++i] : "HEAD";
    auto [from, to] = llvm::StringRef(first).split("..");
    if (!to.empty() && !to.starts_with(".")) {
      whole.push_back(storage.emplace_back(from.empty() ? "HEAD" : from.str()).c_str());
      whole.push_back(to.data());
      continue;
    }
    whole.push_back(first);
    whole.push_back(isRevision(i + 1) ? words[++i] : WorkTree);
  }
  return whole;
}

} // namespace

int runDiff(const CommandLine &words) {
  std::vector<std::string> revisions, storage;
  CommandLine commandLine = withBothRevisions(words, revisions);
  keepListArguments(commandLine, storage);
  llvm::cl::OptionCategory category("tilescope diff");
  DiffOptions options(category);
  llvm::cl::opt<std::string> failOn("fail-on", llvm::cl::desc("When the exit code is 1"),
                                    llvm::cl::value_desc("CONDITIONS"), llvm::cl::cat(category));
  llvm::cl::opt<bool> exitCode("exit-code", llvm::cl::desc("The same as --fail-on any"),
                               llvm::cl::cat(category));
  llvm::cl::opt<std::string> suppress("suppress", llvm::cl::desc("Differences that do not count"),
                                      llvm::cl::value_desc("FILE"), llvm::cl::cat(category));
  ChoiceOption<Format> format(
      "format", llvm::cl::desc("How to print it"), llvm::cl::init(Format::Text),
      llvm::cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
                       clEnumValN(Format::Json, "json", "for scripts"),
                       clEnumValN(Format::Markdown, "markdown", "for a pull request"),
                       clEnumValN(Format::Html, "html", "one page, with pictures")),
      llvm::cl::cat(category));
  CountOption maxLength(
      "max-length", llvm::cl::desc("Most bytes of Markdown (default: 60,000) or HTML (8,000,000)"),
      llvm::cl::init(0), llvm::cl::cat(category));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output (default: standard output)"),
                                    llvm::cl::value_desc("FILE"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  if (std::optional<int> done = parseCommandLine(commandLine, category, diffOverview()))
    return *done;
  if (llvm::Error error = checkLength(maxLength, format))
    return report(std::move(error));

  std::vector<NamedFile> inputs = options.inputs();
  inputs.push_back({"--suppress", suppress});
  if (llvm::Error error = checkOutputs({{"-o", output}}, inputs))
    return report(std::move(error));
  llvm::Expected<DiffRules> rules = readDiffRules(failOn, suppress);
  if (!rules)
    return report(rules.takeError());
  if (exitCode)
    rules->conditions.push_back({"any", "any"});
  llvm::Expected<TraceComparison> found = options.compare();
  if (!found)
    return report(found.takeError());
  applyConditions(rules->conditions, rules->suppressions, found->report);
  for (const std::string &warning : found->report.warnings)
    llvm::WithColor::warning(llvm::errs(), "tilescope") << warning << '\n';
  if (llvm::Error error = print(*found, format, output, maxLength))
    return report(std::move(error));
  if (found->unreadCount > 0)
    return report(
        llvm::createStringError(llvm::formatv("{0} {1} not compared", found->unreadCount,
                                              found->unreadCount == 1 ? "trace was" : "traces were")
                                    .str()));
  return found->report.isCounted() ? Findings : Fine;
}

} // namespace tilescope
