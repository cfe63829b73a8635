// tilescope-view: a trace or a kernel in a window, or as a picture.
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/program.h"
#include "core/session/place_link.h"
#include "core/trace_file/trace_reader.h"
#include "core/views/stages_model.h"
#include "core/views/steps_model.h"
#include "viewer/app/fonts.h"
#include "viewer/app/offscreen.h"
#include "viewer/app/state_report.h"
#include "viewer/app/window.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilescope;

namespace {

constexpr int MostPixels = 16384;
// The first frames learn sizes; a picture is of a frame that is settled.
constexpr int FramesOfPicture = 5;

constexpr const char *Overview =
    "Shows what every pass did to a kernel and to its shared memory: passes, IR, CUDA, arena,\n"
    "lifetimes, stages, in one window. Opens a trace, or a kernel file, which it compiles again\n"
    "whenever it is saved. Of two, the second is shown and compared with the first, which is a\n"
    "trace: 'view A B' shows what 'diff A B' tells, A before and B after. A folder of traces "
    "opens\n"
    "as a table: a click or Enter opens one of them, i comes back.\n\n"
    "  tilescope view gemm.trace\n"
    "  tilescope view 'gemm.trace#pass=inject-pipeline&tab=stages'\n"
    "  tilescope view gemm.py:matmul --set M=1024 --set num_stages=3\n"
    "  tilescope view run/               # as TILESCOPE_RECORD=run left it\n"
    "  tilescope view old.trace new.trace\n"
    "  tilescope view old.trace gemm.py:matmul --set M=1024\n"
    "  tilescope view gemm.trace --screenshot arena.png --pass merge-shared-memory --panel arena\n";

struct Options {
  Options() {
    theme.offer({"dark", "light"});
    std::vector<std::string> panels;
    for (const PanelInfo &info : allPanels())
      panels.push_back(info.name.str());
    panel.offer(std::move(panels));
  }

  llvm::cl::OptionCategory category{"tilescope view"};
  KernelOptions kernel{category, /*isRequired=*/false};
  llvm::cl::opt<std::string> second{llvm::cl::Positional, llvm::cl::desc("[AFTER[:FUNCTION]]"),
                                    llvm::cl::cat(category)};
  PatchOption patches{category};
  AfterPassOption pass{category, "State after this pass (default: the last)"};
  llvm::cl::opt<std::string> select{"select",
                                    llvm::cl::desc("Buffer to select, or a version: A[1]"),
                                    llvm::cl::value_desc("BUFFER"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> query{"query", llvm::cl::desc("Text to search for"),
                                   llvm::cl::cat(category)};
  WordOption theme{"theme", llvm::cl::desc("dark or light (default: as last time)"),
                   llvm::cl::cat(category)};
  WordOption panel{
      "panel",
      llvm::cl::desc(
          "Panel to bring to the top; with --screenshot the picture is of it alone: as it "
          "stands in the window, or of --size"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> moment{
      "moment",
      llvm::cl::desc("Tick of a pipelined loop that Stages and Arena show: 25, or LINE:25"),
      llvm::cl::value_desc("[LINE:]TICK"), llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> step{
      "step",
      llvm::cl::desc("Step of a run on the CPU that Steps shows, from 0 (default: the last)"),
      llvm::cl::value_desc("number"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> screenshot{"screenshot",
                                        llvm::cl::desc("Write a picture instead; needs no display"),
                                        llvm::cl::value_desc("FILE.png"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> size{"size",
                                  llvm::cl::desc("Pixels of the window or the picture (1600x1000)"),
                                  llvm::cl::value_desc("WxH"), llvm::cl::cat(category)};
  llvm::cl::opt<double> scale{"scale", llvm::cl::desc("Of the screen, for --screenshot (1)"),
                              llvm::cl::init(1), llvm::cl::cat(category)};
  llvm::cl::opt<bool> printState{"print-state",
                                 llvm::cl::desc("Print a JSON line whenever what is shown changes"),
                                 llvm::cl::cat(category)};
};

llvm::Error failure(const llvm::Twine &text) { return llvm::createStringError(text.str()); }

llvm::Error parseSize(llvm::StringRef text, Settings &settings) {
  auto [width, height] = text.split('x');
  if (width.getAsInteger(10, settings.width) || height.getAsInteger(10, settings.height) ||
      settings.width < 100 || settings.height < 100 || settings.width > MostPixels ||
      settings.height > MostPixels)
    return failure("--size wants WIDTHxHEIGHT from 100x100 to 16384x16384, not '" + text + "'");
  return llvm::Error::success();
}

// A picture is the same on every machine, whatever its user's window looks like.
llvm::Expected<Settings> settingsOf(const Options &options) {
  bool isPicture = !options.screenshot.empty();
  Settings settings = isPicture ? Settings() : readSettings(settingsPath());
  if (!options.theme.empty())
    settings.theme = options.theme;
  if (settings.theme != "dark" && settings.theme != "light")
    return failure("--theme is dark or light, not '" + settings.theme + "'");
  if (!options.size.empty())
    if (llvm::Error error = parseSize(options.size, settings))
      return error;
  bool isScale = options.scale >= 0.5 && options.scale <= 8; // not-a-number is none
  if (!isScale)
    return failure("--scale is from 0.5 to 8");
  return settings;
}

// Of a file that was not opened.
llvm::Error refusalOf(const Workspace &workspace) {
  llvm::StringRef message = llvm::StringRef(workspace.document().message).rtrim();
  message.consume_front("tilescope: error: "); // who prints it says that
  return failure(message);
}

llvm::Error openShown(const Options &options, const std::string &kernel, Application &application) {
  std::string path = splitKernelName(kernel).first;
  if (isTraceFile(path)) {
    std::string given = options.patches.isGiven() ? "--patch" : options.kernel.compileOption();
    if (!given.empty())
      return failure("'" + path + "' is a trace: " + given + " is for a kernel that is compiled");
    application.openFile(path);
  } else {
    llvm::Expected<CompileRequest> request = options.kernel.request(kernel);
    if (!request)
      return request.takeError();
    if (llvm::Error error = options.patches.addTo(*request, {{"--screenshot", options.screenshot}}))
      return error;
    application.openKernel(std::move(*request));
    application.waitForCompile();
  }
  return application.workspace.document().trace ? llvm::Error::success()
                                                : refusalOf(application.workspace);
}

// A table of its traces: what is said of one of them has no place there.
llvm::Error openFolder(const Options &options, Application &application) {
  const std::string &folder = options.kernel.kernel();
  std::string given = options.patches.isGiven()              ? "--patch"
                      : options.pass.isGiven()               ? "--pass"
                      : !options.select.empty()              ? "--select"
                      : !options.query.empty()               ? "--query"
                      : !options.moment.empty()              ? "--moment"
                      : options.step.getNumOccurrences() > 0 ? "--step"
                      : !options.panel.empty()               ? "--panel"
                                                             : options.kernel.compileOption();
  if (!options.second.empty())
    return failure("'" + folder +
                   "' is a folder: two traces are compared here, 'tilescope diff' "
                   "compares two folders");
  if (!given.empty())
    return failure("'" + folder + "' is a folder: " + given + " is for one trace or kernel");
  if (llvm::Error error = application.openFolder(folder))
    return error;
  if (!options.screenshot.empty())
    application.waitForInstances();
  return llvm::Error::success();
}

// What is shown, and where a link to it leads.
llvm::Expected<LinkedName> shownName(const Options &options) {
  return splitLink(options.second.empty() ? options.kernel.kernel() : options.second);
}

llvm::Error openFiles(const Options &options, Application &application) {
  const std::string &first = options.kernel.kernel();
  if (first.empty())
    return llvm::Error::success();
  if (llvm::sys::fs::is_directory(first))
    return openFolder(options, application);
  bool areTwo = !options.second.empty();
  if (areTwo && !isTraceFile(first))
    return failure("'" + first + "' is no trace: what another is compared with must be one");
  llvm::Expected<LinkedName> shown = shownName(options);
  if (!shown)
    return shown.takeError();
  if (llvm::Error error = openShown(options, shown->name, application))
    return error;
  if (!areTwo)
    return llvm::Error::success();
  application.openOther(first);
  application.waitForCompile();
  const Workspace &workspace = application.workspace;
  return workspace.document().other ? llvm::Error::success() : refusalOf(workspace);
}

// Of the selected pass, beside the buffer that is pinned.
llvm::Error chooseMoment(const std::string &text, const Trace &trace, Selection &selection) {
  if (text.empty())
    return llvm::Error::success();
  PassState state(trace, selection.pass);
  StagesView view = buildStages(state);
  llvm::Expected<LoopMoment> moment = momentNamed(view, selection.pass, text);
  if (!moment)
    return moment.takeError();
  StagesMoment shown = momentOf(state, *loopOf(view, *moment, selection.pass), moment->tick);
  selection.choose(*moment, shown.stmt, shown.sourceLine);
  return llvm::Error::success();
}

llvm::Error chooseStep(const Options &options, const Trace &trace, Selection &selection) {
  if (options.step.getNumOccurrences() == 0)
    return llvm::Error::success();
  int64_t step = options.step;
  if (llvm::Error error = checkStep(trace, step))
    return error;
  selection.step = step;
  StepsView view = buildSteps(trace, selection);
  selection.chooseStep(step, view.stmt, view.sourceLine);
  return llvm::Error::success();
}

llvm::Error selectPlace(const Options &options, Application &application) {
  const Trace *trace = application.workspace.document().trace;
  if (!trace || application.workspace.isStandIn())
    return llvm::Error::success();
  Selection &selection = application.workspace.selection;
  llvm::Expected<LinkedName> shown = shownName(options);
  if (!shown)
    return shown.takeError();
  if (llvm::Error error = goTo(shown->place, application.workspace))
    return error;
  llvm::Expected<size_t> pass = options.pass.select(*trace, selection.pass);
  if (!pass)
    return pass.takeError();
  selection.selectPass(*pass);
  application.workspace.loadShown();
  selection.query = options.query;
  if (llvm::Error error = chooseStep(options, *trace, selection))
    return error;
  if (!options.select.empty()) {
    llvm::Expected<Pick> pick = pickOfBuffer(options.select, *trace, *pass);
    if (!pick)
      return pick.takeError();
    selection.pin(std::move(*pick));
  }
  return chooseMoment(options.moment, *trace, selection);
}

llvm::Error showPanel(const Options &options, Application &application) {
  llvm::Expected<LinkedName> shown = shownName(options);
  if (!shown)
    return shown.takeError();
  std::string panel = options.panel;
  if (panel.empty())
    panel = shown->place.tab;
  if (panel.empty())
    return llvm::Error::success();
  if (application.showPanel(panel)) {
    if (!options.screenshot.empty() && !options.size.empty() && !options.panel.empty())
      application.alone = panel;
    return llvm::Error::success();
  }
  std::string names;
  for (const PanelInfo &info : allPanels())
    names += " " + info.name.str();
  return failure("no panel '" + panel + "'; there are:" + names);
}

llvm::Error writePicture(const Options &options, Application &application) {
  Settings settings = application.settings();
  application.theme.scale = static_cast<float>(options.scale);
  application.theme.apply();
  loadFonts(application.theme, static_cast<float>(application.textPixels));
  llvm::Expected<std::unique_ptr<Offscreen>> offscreen =
      Offscreen::open(static_cast<int>(settings.width), static_cast<int>(settings.height));
  if (!offscreen)
    return offscreen.takeError();
  auto drawFrames = [&] {
    for (int frame = 0; frame < FramesOfPicture; ++frame)
      (*offscreen)->frame([&] { application.frame(); });
  };
  drawFrames();
  if (application.workspace.waitForCompile())
    drawFrames();
  if (options.printState)
    StateReport().print(application, /*isBehind=*/false);
  Pixels pixels = (*offscreen)->pixels();
  const auto &places = application.panels.places().all();
  if (auto place = places.find(options.panel); place != places.end())
    pixels = crop(pixels, place->second);
  return writeFile(options.screenshot, toPng(pixels));
}

llvm::Error runInWindow(const Options &options, Application &application) {
  llvm::Error error = runWindow(application, {options.printState});
  if (!error)
    error = writeSettings(application.settings(), settingsPath());
  return error;
}

llvm::Error runView(const Options &options) {
  llvm::Expected<Settings> settings = settingsOf(options);
  if (!settings)
    return settings.takeError();
  bool isPicture = !options.screenshot.empty();
  if (isPicture && !llvm::StringRef(options.screenshot).ends_with_insensitive(".png") &&
      options.screenshot != "-")
    return failure("--screenshot writes PNG: name the file .png, not '" + options.screenshot + "'");
  Application application(std::move(*settings), isPicture ? [] {} : wakeWindow);
  for (auto step : {openFiles, selectPlace, showPanel})
    if (llvm::Error error = step(options, application))
      return error;
  if (!isPicture)
    return runInWindow(options, application);
  if (llvm::Error error = writePicture(options, application))
    return error;
  // The picture shows what there is, as 'show' prints it.
  const Document &document = application.workspace.document();
  bool hasFailed = document.isLive && !document.message.empty();
  return hasFailed ? refusalOf(application.workspace) : llvm::Error::success();
}

} // namespace

int main(int argc, char **argv) {
  prepareProgram();
  useConfiguration(std::nullopt);
  Options options;
  CommandLine commandLine(argv, argv + argc);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, options.category, Overview))
    return *exitCode;
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  int exitCode = report(runView(options));
  ImGui::DestroyContext();
  return exitCode;
}
