// show: any view as text or JSON.
#include "cli/device_usage.h"
#include "cli/kernel_list.h"
#include "cli/watch.h"

#include "core/driver/kernel_instances.h"
#include "core/driver/revision_compile.h"
#include "core/json/json_value.h"
#include "core/session/panel_text.h"
#include "core/session/peak_trials.h"
#include "core/support/nearest_name.h"
#include "core/toolkit/list_device_code.h"
#include "core/trace/missing_cuda.h"
#include "core/trace/pass_figures.h"
#include "core/trace/trace_queries.h"
#include "core/trace_file/trace_reader.h"
#include "core/views/instances_model.h"
#include "core/views/models.h"
#include "core/views/pictures.h"
#include "core/views/view_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/WithColor.h"

#include <thread>

namespace tilescope {

namespace {

// Of a folder; all others are of one compile.
constexpr llvm::StringLiteral InstancesWord = "instances";
const ViewInfo ViewOfFolder = {InstancesWord, "", ViewNeed::Nothing, nullptr, nullptr};

// nullptr: there is none.
const ViewInfo *viewNamed(llvm::StringRef name) {
  if (name == InstancesWord)
    return &ViewOfFolder;
  const auto *view = llvm::find_if(allViews(), [&](const ViewInfo &v) { return v.name == name; });
  return view == allViews().end() ? nullptr : view;
}

std::string suggestion(llvm::StringRef name) {
  std::vector<std::string> names = {InstancesWord.str()};
  for (const ViewInfo &view : allViews())
    names.push_back(view.name.str());
  return didYouMean(name, names);
}

llvm::Error noPictureOf(llvm::StringRef view) {
  std::string names;
  for (const PictureInfo &picture : allPictures())
    names += " " + picture.name.str();
  return llvm::createStringError("view '" + view + "' has no picture; these have:" + names);
}

std::string showOverview() {
  std::string text =
      "Prints a view of a trace, or of a kernel that it compiles for the purpose.\n\n";
  for (const ViewInfo &view : allViews())
    text += llvm::formatv("  {0,-12} {1}\n", view.name, view.help).str();
  text += "  instances    the traces of a folder: kernel, arguments, peak, soundness as recorded\n";
  return text + "\nIR to be edited and resumed is printed by 'tilescope opt --tagged'.\n"
                "\n  tilescope show arena gemm.trace --pass merge-shared-memory --format json\n"
                "  tilescope show ir gemm.trace --pass all --changed-only   # every pass that did "
                "something\n"
                "  tilescope show arena gemm.py:matmul --set M=1024 --previous old.trace\n"
                "  tilescope show arena gemm.py:matmul --pass-option "
                "inject-pipeline.peel-epilogue=true\n"
                "  tilescope show buffer gemm.trace --buffer A_shared\n"
                "  tilescope show layouts gemm.trace --buffer A_shared --access 1 --warp 2\n"
                "  tilescope show steps gemm.trace --step 412   # of 'exec --trace --steps 0'\n"
                "  tilescope show compare new.trace --other old.trace\n"
                "  tilescope show compare-ir new.trace --other old.trace --pass inject-pipeline\n"
                "  tilescope show peak gemm.py:matmul --set M=1024 --other-arguments\n"
                "  tilescope show arena gemm.trace --ptxas   # blocks per SM by registers too\n"
                "  tilescope show sass gemm.trace     # needs nvcc and nvdisasm\n"
                "  tilescope show history gemm.py:matmul   # of its git repository\n"
                "  tilescope show instances run/      # as TILESCOPE_RECORD=run left it\n";
}

// What some views need besides a trace and a pass.
class ViewOptions {
public:
  explicit ViewOptions(llvm::cl::OptionCategory &category)
      : buffer_("buffer",
                llvm::cl::desc("The buffer that 'show buffer' and 'show layouts' tell of, by name "
                               "or key"),
                llvm::cl::value_desc("NAME"), llvm::cl::cat(category)),
        access_("access",
                llvm::cl::desc("The access of the buffer whose lanes 'show layouts' shows, from 0"),
                llvm::cl::value_desc("number"), llvm::cl::cat(category)),
        warp_("warp", llvm::cl::desc("The warp whose lanes 'show layouts' shows (default: 0)"),
              llvm::cl::value_desc("number"), llvm::cl::cat(category)),
        other_("other",
               llvm::cl::desc(
                   "The trace that 'show compare' and its like compare with, as it was before"),
               llvm::cl::value_desc("TRACE"), llvm::cl::cat(category)),
        query_("query",
               llvm::cl::desc("What 'show search' looks for: text, or /regex/; case counts if it "
                              "has a capital letter"),
               llvm::cl::value_desc("TEXT"), llvm::cl::cat(category)),
        cudaPath_(
            "cuda-path",
            llvm::cl::desc("Folder of the CUDA Toolkit, for 'show ptx', 'show sass' and --ptxas"),
            llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category)),
        moment_("moment",
                llvm::cl::desc("Of 'show stages': what each slot holds at this tick of a loop, "
                               "from 0, and who wrote it"),
                llvm::cl::value_desc("[LINE:]TICK"), llvm::cl::cat(category)),
        step_("step",
              llvm::cl::desc("Of 'show steps': the step of the run, from 0 (default: the last)"),
              llvm::cl::value_desc("number"), llvm::cl::cat(category)),
        changedOnly_("changed-only",
                     llvm::cl::desc("With --pass all: leave out passes that changed nothing"),
                     llvm::cl::cat(category)),
        otherArguments_(
            "other-arguments",
            llvm::cl::desc("Of 'show peak', 'show arguments' and a kernel file: compile "
                           "it with other arguments too, and with edits of its loops, "
                           "and say what they would do"),
            llvm::cl::cat(category)),
        ptxas_(category) {}

  // Nothing is missing and nothing is too much.
  llvm::Error check(const ViewInfo &view, const AfterPassOption &pass) const {
    if (pass.isGiven() && isOfAllPasses(view.name))
      return llvm::createStringError("'show " + view.name + "' does not use --pass NAME");
    if (changedOnly_ && !pass.isAll())
      return llvm::createStringError("--changed-only goes with --pass all");
    bool isOfTwo = view.needs == ViewNeed::Other;
    if (isOfTwo != (other_.getNumOccurrences() > 0))
      return llvm::createStringError("'show " + view.name + "' " +
                                     (isOfTwo ? "needs" : "does not use") + " --other TRACE");
    bool isLayouts = view.name == "layouts";
    bool hasBuffer = buffer_.getNumOccurrences() > 0;
    for (const auto *option : {&access_, &warp_})
      if (option->getNumOccurrences() > 0 && !(isLayouts && hasBuffer))
        return llvm::createStringError("--" + option->ArgStr +
                                       " is of 'show layouts' with --buffer NAME");
    bool isOfBuffer = view.needs == ViewNeed::Buffer;
    if (isOfBuffer != hasBuffer && !isLayouts)
      return llvm::createStringError("'show " + view.name + "' " +
                                     (isOfBuffer ? "needs" : "does not use") + " --buffer NAME");
    if (otherArguments_ && view.name != "peak" && view.name != "arguments")
      return llvm::createStringError("'show " + view.name + "' does not use --other-arguments");
    bool countsBlocks = view.name == "arena" || view.name == "peak" || view.name == "compare";
    if (ptxas_.isGiven() && !countsBlocks)
      return llvm::createStringError("'show " + view.name + "' does not use --ptxas");
    if (cudaPath_.getNumOccurrences() > 0 && view.needs != ViewNeed::Listing && !ptxas_.isGiven())
      return llvm::createStringError("'show " + view.name + "' does not use --cuda-path FOLDER");
    if (moment_.getNumOccurrences() > 0 && view.name != "stages")
      return llvm::createStringError("'show " + view.name + "' does not use --moment TICK");
    if (step_.getNumOccurrences() > 0 && view.name != "steps")
      return llvm::createStringError("'show " + view.name + "' does not use --step N");
    bool isSearch = view.needs == ViewNeed::Query;
    if (isSearch == query_.empty())
      return llvm::createStringError("'show " + view.name + "' " +
                                     (isSearch ? "needs" : "does not use") + " --query TEXT");
    return llvm::Error::success();
  }

  // After check.
  llvm::Expected<std::optional<Trace>> loadOther() const {
    if (other_.getNumOccurrences() == 0)
      return std::nullopt;
    noteRead(other_);
    llvm::Expected<Trace> trace = readTraceFile(other_);
    if (!trace)
      return trace.takeError();
    if (!trace->recovery.empty())
      llvm::WithColor::warning(llvm::errs(), "tilescope")
          << other_ << ": " << trace->recovery << '\n';
    if (trace->passes.empty())
      return llvm::createStringError("'" + other_ + "' has no finished pass");
    if (llvm::Error error = countRegisters(*trace))
      return error;
    return std::move(*trace);
  }

  // Of a view of one.
  DeviceListing list(const Trace &trace, const ViewInfo &view) const {
    std::shared_ptr<const DeviceListing> recorded = deviceOf(trace);
    if (recorded && view.name != "sass")
      return *recorded;
    if (trace.cuda.empty())
      return {};
    return listDeviceCode({trace.cuda, trace.header.target, cudaPath_, nullptr, recorded});
  }

  llvm::Error countRegisters(Trace &trace) const { return ptxas_.addTo(trace, cudaPath_); }

  const std::string &query() const { return query_; }
  bool triesArguments() const { return otherArguments_; }
  bool isChangedOnly() const { return changedOnly_; }

  llvm::Error chooseMoment(const Trace &trace, Selection &selection) const {
    if (moment_.getNumOccurrences() == 0)
      return llvm::Error::success();
    llvm::Expected<LoopMoment> moment = momentNamed(buildStages(PassState(trace, selection.pass)),
                                                    selection.pass, moment_.getValue());
    if (!moment)
      return moment.takeError();
    selection.moment = *moment;
    return llvm::Error::success();
  }

  llvm::Error chooseStep(const Trace &trace, Selection &selection) const {
    if (step_.getNumOccurrences() == 0)
      return llvm::Error::success();
    selection.step = step_;
    return checkStep(trace, selection.step);
  }

  llvm::Error pinBuffer(const Trace &trace, Selection &selection) const {
    if (buffer_.getNumOccurrences() == 0)
      return llvm::Error::success();
    llvm::Expected<BufferKey> key = bufferKeyOf(trace, selection, buffer_);
    if (!key)
      return key.takeError();
    selection.pinned = Pick::ofBuffer(*key);
    if (access_.getNumOccurrences() > 0)
      selection.lanes.access = access_;
    selection.lanes.warp = warp_;
    return llvm::Error::success();
  }

private:
  llvm::cl::opt<std::string> buffer_;
  llvm::cl::opt<unsigned> access_;
  llvm::cl::opt<unsigned> warp_;
  llvm::cl::opt<std::string> other_;
  llvm::cl::opt<std::string> query_;
  llvm::cl::opt<std::string> cudaPath_;
  llvm::cl::opt<std::string> moment_;
  llvm::cl::opt<unsigned> step_;
  llvm::cl::opt<bool> changedOnly_;
  llvm::cl::opt<bool> otherArguments_;
  PtxasOption ptxas_;
};

// The commits of the kernel's file, each compiled with the arguments of the kernel.
KernelHistory historyOf(const Trace &trace) {
  CompileRequest request = requestOfCommits(trace.header);
  KernelHistory history;
  llvm::Expected<std::vector<GitCommit>> commits = commitsOf(request, MostCommits);
  if (!commits)
    return {.missing = llvm::toString(commits.takeError())};
  for (const GitCommit &commit : *commits)
    history.commits.push_back(compiledCommit({.hash = commit.hash, .title = commit.subject},
                                             compileAtRevision(request, commit.hash)));
  return history;
}

// "": there is something to show.
std::string whyNothing(const ViewInfo &view, const ViewSources &shown) {
  if (view.name == "layouts")
    return buildLayouts(shown.trace, shown.selection).missing;
  if (view.name == "steps")
    return buildSteps(shown.trace, shown.selection).missing;
  if (view.name == "compare-ir")
    return buildCompareIr(shown.trace, *shown.other, shown.selection).missing;
  if (view.name == "compare-cuda")
    return buildCompareCuda(shown.trace, *shown.other, shown.selection).missing;
  if (view.needs == ViewNeed::Listing) {
    std::string why = whyNoListing(shown.trace, *shown.listing);
    return why.empty() && view.name == "sass" ? shown.listing->noSass : why;
  }
  if (view.needs == ViewNeed::History)
    return shown.history->missing;
  return view.name == "cuda" && shown.trace.cuda.empty()
             ? "no CUDA: " + reasonOfMissingCuda(shown.trace)
             : "";
}

template <typename View> int showWhole(const View &view, const FormatOption &format) {
  if (format.isJson())
    return report(writeFile("-", dumpJson(toJson(view))));
  TerminalText out(llvm::outs());
  print(view, out);
  return Fine;
}

int show(const ViewInfo &view, const ViewSources &shown, const FormatOption &format) {
  // JSON says it in a key of its own.
  if (std::string why = whyNothing(view, shown); !why.empty() && !format.isJson())
    return report(llvm::createStringError(why));
  if (view.name == "arguments" && !format.isSvg())
    return showWhole(argumentsOf(shown.trace, shown.selection), format);
  if (format.isJson())
    return report(writeFile("-", dumpJson(view.json(shown))));
  if (format.isSvg()) {
    const PictureInfo *picture = pictureOf(view.name);
    return report(picture ? writeFile("-", picture->draw(shown.trace, shown.selection))
                          : noPictureOf(view.name));
  }
  TerminalText out(llvm::outs());
  view.print(shown, out);
  return Fine;
}

// The passes that `--pass all` stands for: not groups, which end as their last pass does.
std::vector<size_t> eachPass(const Trace &trace, bool isChangedOnly) {
  std::vector<size_t> passes;
  for (size_t pass = 0; pass != trace.passes.size(); ++pass) {
    bool isLeftOut = isChangedOnly && trace.passes[pass].status == PassStatus::Unchanged;
    if (!isOnlyGroup(trace, pass) && !isLeftOut)
      passes.push_back(pass);
  }
  return passes;
}

int showEach(const ViewInfo &view, const ViewSources &shown, bool isChangedOnly,
             const FormatOption &format) {
  if (format.isSvg())
    return report(llvm::createStringError("a picture is of one pass, not of --pass all"));
  Json all = Json::array();
  TerminalText out(llvm::outs());
  for (size_t pass : eachPass(shown.trace, isChangedOnly)) {
    Selection selection = shown.selection;
    selection.pass = pass;
    ViewSources sources{shown.trace, selection, shown.other, shown.listing, shown.history};
    if (format.isJson()) {
      all.push_back(view.json(sources));
      continue;
    }
    std::string place = placeToFind(shown.trace, pass);
    write(out, ("# *** " + view.name + " after " + place + " ***\n").str(), {Ink::Strong});
    std::string why = whyNothing(view, sources);
    if (why.empty())
      view.print(sources, out);
    else
      out << why << '\n';
  }
  if (format.isJson())
    out << dumpJson(all);
  return Fine;
}

// The peak or the arguments of a kernel file, with what other arguments would do.
int showTrials(bool isPeak, const TraceOptions &source, const ViewSources &shown,
               const FormatOption &format) {
  if (!source.isCompiled() || source.hasPatches() || source.hasPasses())
    return report(llvm::createStringError(
        "--other-arguments wants a kernel file, and the passes as they are"));
  llvm::Expected<CompileRequest> request = source.kernel().request();
  if (!request)
    return report(request.takeError());
  PeakTrials trials = tryArguments(std::move(*request), shown.trace.header,
                                   std::max(1U, std::thread::hardware_concurrency()));
  if (isPeak) {
    PeakView view = buildPeak(PassState(shown.trace, shown.selection.pass));
    view.trials = std::move(trials);
    return showWhole(view, format);
  }
  ArgumentsView view = argumentsOf(shown.trace, shown.selection);
  view.trials = std::move(trials);
  return showWhole(view, format);
}

int showInstances(const TraceOptions &source, const FormatOption &format) {
  const std::string &name = source.kernel().kernel();
  llvm::Expected<std::optional<ListedInstances>> many = manyOf(source);
  if (!many)
    return report(many.takeError());
  if (!*many)
    return report(llvm::createStringError("'show instances' wants a folder of traces, and '" +
                                          name + "' is none"));
  if (format.isSvg())
    return report(noPictureOf(InstancesWord));
  InstancesView view = instancesViewOf(listOf(name).value_or(name), **many);
  TerminalText out(llvm::outs());
  if (format.isJson())
    out << dumpJson(toJson(view));
  else
    print(view, out);
  return reportUnread((*many)->unread);
}

} // namespace

int runShow(const CommandLine &given) {
  CommandLine commandLine = given;
  std::vector<std::string> storage;
  keepListArguments(commandLine, storage);
  llvm::cl::OptionCategory category("tilescope show");
  llvm::cl::opt<std::string> what(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("VIEW"),
                                  llvm::cl::cat(category));
  TraceOptions source(category);
  ViewOptions options(category);
  AfterPassOption pass(category, "State after this pass (default: the last), or all: after each");
  FormatOption format(category, /*draws=*/true);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, showOverview()))
    return *exitCode;

  const ViewInfo *view = viewNamed(what);
  if (!view)
    return report(llvm::createStringError("no view '" + what + "'" + suggestion(what) +
                                          "; see 'tilescope show --help'"));
  if (llvm::Error error = options.check(*view, pass))
    return report(std::move(error));
  if (view == &ViewOfFolder)
    return showInstances(source, format);
  llvm::Expected<Trace> trace = source.load();
  if (!trace)
    return report(trace.takeError());
  if (llvm::Error error = options.countRegisters(*trace))
    return report(std::move(error));
  llvm::Expected<std::optional<Trace>> other = options.loadOther();
  if (!other)
    return report(other.takeError());
  Selection selection;
  size_t last = trace->passes.size() - 1;
  llvm::Expected<size_t> index = pass.isAll() ? last : pass.select(*trace, last);
  if (!index)
    return report(index.takeError());
  selection.pass = *index;
  selection.query = options.query();
  if (llvm::Error error = options.pinBuffer(*trace, selection))
    return report(std::move(error));
  if (llvm::Error error = options.chooseMoment(*trace, selection))
    return report(std::move(error));
  if (llvm::Error error = options.chooseStep(*trace, selection))
    return report(std::move(error));
  DeviceListing listing;
  if (view->needs == ViewNeed::Listing)
    listing = options.list(*trace, *view);
  KernelHistory history;
  if (view->needs == ViewNeed::History)
    history = historyOf(*trace);
  ViewSources shown{*trace, selection, *other ? &**other : nullptr, &listing, &history};
  int exitCode = options.triesArguments() ? showTrials(view->name == "peak", source, shown, format)
                 : pass.isAll()           ? showEach(*view, shown, options.isChangedOnly(), format)
                                          : show(*view, shown, format);
  return exitCode == Fine ? source.exitCode() : exitCode;
}

} // namespace tilescope
