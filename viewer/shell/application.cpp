#include "viewer/shell/application.h"

#include "core/session/panel_text.h"
#include "core/session/picture_export.h"
#include "core/support/number_text.h"
#include "core/trace/pass_figures.h"
#include "core/trace/passes_not_run.h"
#include "core/trace/trace_queries.h"
#include "core/views/capacity_text.h"
#include "viewer/shell/message_band.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <imgui_internal.h>

namespace tilescope {

namespace {

constexpr double TextStep = 1;
constexpr double LeastText = 8;
constexpr double MostText = 40;

constexpr ImGuiWindowFlags Strip = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoFocusOnAppearing;

// "pass 11 of 13, merge-shared-memory; 163,840 of 166,912 bytes"
std::string placeText(const Trace &trace, const Selection &selection) {
  const TracePass &pass = trace.passes[selection.pass];
  std::string text = llvm::formatv("pass {0} of {1}, {2}", selection.pass + 1,
                                   trace.passes.size() + passesNotRun(trace).size(), pass.name)
                         .str();
  int64_t peak = 0;
  for (const ArenaRecord &arena : *trace.snapshots[pass.snapshot].arenas)
    peak = std::max(peak, arena.plan.heightBytes);
  return text + "; " + capacityText(peak, capacityAfter(trace, selection.pass));
}

std::string pinText(const Pick &pick) {
  std::string text;
  if (pick.buffer)
    text = nameInFunction(*pick.buffer);
  if (pick.version >= 0)
    text += llvm::formatv("[{0}]", pick.version).str();
  return text + lineText(text.empty() ? "line " : ", line ", pick.sourceLine);
}

// Those that a popup does not keep from being carried out: it can be in the picture.
constexpr Command OverPopups[] = {Command::ExportWindow, Command::ExportPanel,
                                  Command::ExportPictures, Command::CopyPicture, Command::Quit};

// What is dragged is one step: it counts when the mouse lets go.
void followArguments(const CommandSet &commands, Workspace &workspace, RequestHistory &history) {
  const Document &document = workspace.document();
  if (!document.isLive)
    return;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left))
    history.note(document.file, document.requested);
  const Requested *wanted = commands.has(Command::UndoArguments)    ? history.undo()
                            : commands.has(Command::RedoArguments)  ? history.redo()
                            : commands.has(Command::ResetArguments) ? history.reset()
                                                                    : nullptr;
  if (wanted)
    workspace.request(*wanted);
}

} // namespace

Application::Application(Settings settings, std::function<void()> wake)
    : workspace(wake), theme(settings.theme == "light" ? Theme::light() : Theme::dark()),
      textPixels(settings.textPixels), panels(std::move(wake)), settings_(std::move(settings)) {
  panels.layout = settings_.layout;
  panels.setToggles(settings_.toggles);
}

Settings Application::settings() const {
  Settings settings = settings_;
  if (workspace.document().isLive)
    settings.remember(workspace.document().line); // with its arguments as they are now
  settings.layout = panels.layout;
  settings.toggles = panels.toggles();
  if (layoutBefore_) {
    settings.layout.areas = layoutBefore_->areas;
    settings.layout.active = layoutBefore_->active;
  }
  settings.theme = theme.isDark() ? "dark" : "light";
  settings.textPixels = textPixels;
  return settings;
}

std::string Application::windowTitle() const {
  if (instances_.isShown())
    return instances_.view().folder + " - Tilescope";
  const Trace *trace = workspace.document().trace;
  if (!trace)
    return "Tilescope";
  std::string title = llvm::sys::path::filename(workspace.path()).str();
  if (!trace->header.function.empty())
    title += ":" + trace->header.function;
  return title + " - Tilescope";
}

std::string Application::pathBeside(llvm::StringRef extension) const {
  llvm::SmallString<256> path(workspace.path());
  llvm::sys::path::replace_extension(path, extension);
  return freePath(path.str().str());
}

void Application::rememberSize(int width, int height) {
  settings_.width = width;
  settings_.height = height;
}

void Application::saveEdits() {
  std::string text = workspace.patchText();
  if (text.empty())
    return say("nothing was edited");
  std::string path = pathBeside("patch");
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << text;
    return llvm::Error::success();
  });
  say(error ? llvm::toString(std::move(error))
            : "wrote " + path + ", for tilescope compile --patch");
}

bool Application::frame() {
  workspace.selection.resume();
  std::string other = workspace.otherPath();
  bool isNew = workspace.update();
  if (workspace.otherPath() != other && !workspace.otherPath().empty())
    showPanel("compare");
  showFailure();
  CommandSet commands = commandsOfFrame();
  if (!commands.isEmpty() || ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    status_.clear();
  act(commands);
  followArguments(commands, workspace, history_);
  const Document &document = workspace.document();
  auto listing = document.listing;
  auto trials = document.trials;
  auto history = document.history;
  const auto &places = panels.places().all(); // of the last frame
  isNew |= panels.hold(document, workspace.selection, workspace.lookAhead());
  workspace.loadShown({.showsListing = places.contains("ptx") || places.contains("sass"),
                       .showsTrials = places.contains("peak"),
                       .showsHistory = places.contains("history")});
  isNew |= listing != document.listing || trials != document.trials || history != document.history;
  if (!alone.empty()) {
    drawAlone();
    return isNew;
  }
  drawMenus();
  const ImGuiViewport *viewport = ImGui::GetMainViewport();
  ImVec2 origin = viewport->WorkPos;
  ImVec2 size = viewport->WorkSize;
  float statusHeight = ImGui::GetFrameHeight();
  size.y -= statusHeight;
  drawStatus(ImVec2(origin.x, origin.y + size.y), ImVec2(size.x, statusHeight));
  if (instances_.isShown()) {
    isNew |= drawInstances(commands, origin, size);
  } else if (!document.trace) {
    drawNothing(origin, size);
  } else {
    pending_ |= drawMessageBand(document, theme, origin, size);
    panels.draw(document, workspace.selection, theme, workspace, commands, origin, size);
    pending_ |= panels.takeGiven();
    actOnCopy(commands);
  }
  drawOverlays();
  return isNew || !pending_.isEmpty();
}

void Application::drawAlone() {
  const Document &document = workspace.document();
  const ImGuiViewport *viewport = ImGui::GetMainViewport();
  if (document.trace)
    panels.drawAlone(alone, document, workspace.selection, theme, workspace, viewport->Size);
}

CommandSet Application::commandsOfFrame() {
  CommandSet commands = std::exchange(pending_, {});
  CommandSet byKeys;
  byKeys.giveByKeys(std::exchange(keys_, {}), ImGui::GetIO().WantTextInput);
  if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup))
    return commands |= byKeys;
  if (!isOverlayOpen() && edit_.place().empty()) {
    // A menu or a list: a key closes it. Esc does no more than that.
    if (!byKeys.isEmpty())
      ImGui::ClosePopupToLevel(0, /*restore_focus_to_window_under_popup=*/false);
    return byKeys.has(Command::ClearSelection) ? commands : commands |= byKeys;
  }
  if (byKeys.has(Command::Search))
    edit_.find();
  for (Command command : OverPopups)
    if (byKeys.has(command))
      commands.give(command);
  if (commands.has(Command::Quit) && !edit_.place().empty()) {
    say("an edit is open: Esc closes it");
    return {};
  }
  return commands;
}

void Application::act(const CommandSet &commands) {
  if (commands.isEmpty())
    return;
  WindowLayout &layout = panels.layout;
  bool wasMaximised = !layout.maximised.empty();
  if (instances_.isShown()) {
    if (commands.has(Command::ClearSelection) && workspace.document().trace)
      instances_.hide();
  } else if (wasMaximised && commands.has(Command::ClearSelection))
    layout.maximised.clear();
  else
    navigate(commands, workspace.document(), workspace.selection);
  actOnFiles(commands);
  actOnPictures(commands);
  actOnView(commands);
  if (commands.has(Command::Bookmark))
    bookmarks_.toggle(workspace.selection);
  if (commands.has(Command::NextBookmark))
    bookmarks_.goToNext(workspace.selection, workspace.document());
  actOnLive(commands);
}

void Application::actOnLive(const CommandSet &commands) {
  if (commands.has(Command::Recompile))
    workspace.recompile();
  if (commands.has(Command::Keep)) {
    workspace.keepToCompare();
    showPanel("compare");
    say("kept: what changes from here on stands in Compare");
  }
  if (commands.has(Command::Break))
    workspace.breakBefore(workspace.isAtBreak() ? std::nullopt
                                                : std::optional(workspace.selection.pass));
  if (commands.has(Command::EditIr))
    edit_.open(workspace);
  if (commands.has(Command::DropEdits))
    workspace.dropEdits();
  if (commands.has(Command::SaveEdits))
    saveEdits();
}

void Application::actOnFiles(const CommandSet &commands) {
  std::string folder = llvm::sys::path::parent_path(workspace.path()).str();
  if (!folder.empty())
    folder += '/';
  isPromptForOther_ =
      commands.has(Command::OpenOther) || (isPromptForOther_ && !commands.has(Command::Open));
  if (commands.has(Command::Open))
    prompt_.open("Open a trace or a kernel", folder);
  if (commands.has(Command::OpenOther))
    prompt_.open("Compare with a trace, or with a revision of the kernel (HEAD~1)", folder);
  if (commands.has(Command::Instances) && !instances_.show())
    say("no folder of traces is open");
  if (commands.has(Command::CloseOther))
    workspace.closeOther();
  if (commands.has(Command::SwapOther))
    workspace.swapOther();
  wantsQuit_ |= commands.has(Command::Quit);
}

void Application::actOnPictures(const CommandSet &commands) {
  if (commands.has(Command::ExportWindow)) {
    ImVec2 size = ImGui::GetIO().DisplaySize;
    wantedPicture_ = {pathBeside("png"), ImVec4(0, 0, size.x, size.y)};
  }
  bool isCopied = commands.has(Command::CopyPicture);
  if (isCopied || commands.has(Command::ExportPanel)) {
    std::string panel = panels.focusedPanel().str();
    auto place = panels.places().all().find(panel);
    if (place == panels.places().all().end())
      say("no panel has the keys: point at one, or press Tab");
    else
      wantedPicture_ = {isCopied ? "" : pathBeside(panel + ".png"), place->second};
  }
  if (commands.has(Command::ExportPictures)) {
    workspace.loadShown(); // the command before may have gone to another pass
    const Trace *trace = workspace.document().trace;
    say(trace ? exportPictures(*trace, workspace.selection, workspace.path()) : "nothing is open");
  }
}

// After the panels were drawn: what is pinned in a text is known there.
void Application::actOnCopy(const CommandSet &commands) {
  std::optional<std::string> pinned = panels.takeCopied();
  const Document &document = workspace.document();
  llvm::StringRef panel = panels.focusedPanel();
  if (commands.has(Command::CopyLink)) {
    copied_ = linkCommand(workspace, panel);
    ImGui::SetClipboardText(copied_.c_str());
    return say("copied: " + copied_);
  }
  bool wantsText = commands.has(Command::Copy) || commands.has(Command::CopyPanel);
  if (panel.empty() || !(wantsText || commands.has(Command::CopyCommand)))
    return;
  ViewSources sources{*document.trace, workspace.selection, document.other, document.listing.get(),
                      document.history.get()};
  std::string text = commands.has(Command::Copy) && pinned ? *pinned : panelText(panel, sources);
  if (text.empty())
    return say("there is nothing to copy here");
  bool isOfKept = panel.starts_with("compare") && !isTraceFile(workspace.otherPath());
  if (commands.has(Command::CopyCommand) && isOfKept)
    return say("no command shows it: what it is compared with is in no trace");
  if (commands.has(Command::CopyCommand))
    text = showCommand(panel, workspace.document().line, workspace.otherPath(), *document.trace,
                       workspace.selection);
  ImGui::SetClipboardText(text.c_str());
  auto lines = static_cast<size_t>(llvm::count(text, '\n'));
  say(lines == 0
          ? "copied: " + text
          : llvm::formatv("copied {0} {1} of {2}", lines, lines == 1 ? "line" : "lines", panel)
                .str());
  copied_ = std::move(text);
}

void Application::actOnView(const CommandSet &commands) {
  WindowLayout &layout = panels.layout;
  if (commands.has(Command::Search))
    showPanel("search");
  if (commands.has(Command::Maximise)) {
    llvm::StringRef focused = panels.focusedPanel();
    layout.maximised = layout.maximised.empty() ? focused.str() : "";
  }
  if (commands.has(Command::ResetLayout)) {
    layout = WindowLayout();
    layoutBefore_.reset();
  }
  if (commands.has(Command::ToggleTheme)) {
    Theme other = theme.isDark() ? Theme::light() : Theme::dark();
    other.mono = theme.mono;
    other.strong = theme.strong;
    other.scale = theme.scale;
    theme = other;
    theme.apply();
  }
  double step = commands.has(Command::LargerText) - commands.has(Command::SmallerText);
  if (step != 0) {
    textPixels = std::clamp(textPixels + step * TextStep, LeastText, MostText);
    wantsFonts_ = true;
  }
  if (commands.has(Command::Palette))
    palette_.open();
  if (commands.has(Command::Help))
    help_.open();
}

void Application::drawMenus() {
  if (!ImGui::BeginMainMenuBar())
    return;
  auto isPossible = [&](Command command) {
    return command == Command::Instances
               ? instances_.hasFolder()
               : canDo(command, workspace.document(), workspace.selection, history_);
  };
  llvm::StringRef open;
  bool isOpen = false;
  for (const CommandInfo &command : allCommands()) {
    if (command.group != open) {
      if (isOpen)
        ImGui::EndMenu();
      open = command.group;
      isOpen = ImGui::BeginMenu(open.str().c_str());
      if (isOpen && open == "File")
        drawRecent();
    }
    if (isOpen && ImGui::MenuItem(command.title.str().c_str(), command.keys.str().c_str(),
                                  /*selected=*/false, isPossible(command.id)))
      pending_.give(command.id);
  }
  if (isOpen)
    ImGui::EndMenu();
  if (const Trace *trace = workspace.document().trace) {
    const TraceHeader &header = trace->header;
    std::string kernel = header.file + (header.function.empty() ? "" : ":") + header.function +
                         "   " + header.target;
    float width = ImGui::CalcTextSize(kernel.c_str()).x;
    float left = ImGui::GetWindowWidth() - width - 10 * theme.scale;
    if (left > ImGui::GetCursorPosX() + 10 * theme.scale) {
      ImGui::SetCursorPosX(left);
      ImGui::TextDisabled("%s", kernel.c_str());
    }
  }
  ImGui::EndMainMenuBar();
}

void Application::drawRecent() {
  if (!ImGui::BeginMenu("Open before", !settings_.recent.empty()))
    return;
  for (const std::string &path : settings_.recent)
    if (ImGui::MenuItem(path.c_str()))
      openFile(path);
  ImGui::EndMenu();
}

void Application::openFile(const std::string &line) {
  if (llvm::sys::fs::is_directory(line)) {
    if (llvm::Error error = openFolder(line))
      say(llvm::toString(std::move(error)));
    return;
  }
  instances_.hide();
  llvm::Expected<LinkedName> linked = splitLink(line);
  if (!linked)
    return say(llvm::toString(linked.takeError()));
  linked_ = linked->place;
  if (workspace.open(linked->name))
    settings_.remember(workspace.document().line);
  showFailure();
}

llvm::Error Application::openFolder(const std::string &path) {
  llvm::Expected<InstanceList> list = InstanceList::open(path);
  if (!list)
    return list.takeError();
  instances_.open(std::move(*list));
  settings_.remember(path);
  return llvm::Error::success();
}

void Application::waitForInstances() {
  while (instances_.isShown() && instances_.readNext()) {
  }
}

// A trace is read each frame, until all are. True: there is one more.
bool Application::drawInstances(const CommandSet &commands, ImVec2 origin, ImVec2 size) {
  bool hasMore = instances_.readNext();
  if (std::optional<std::string> path = instances_.draw(commands, theme, origin, size))
    openFile(*path);
  return hasMore;
}

// What was opened and has failed shows why. Where there is no IR, the source stands in its place.
void Application::showFailure() {
  const Trace *trace = workspace.document().trace;
  WindowLayout &layout = panels.layout;
  bool isBare = workspace.isStandIn();
  if (isBare && !layoutBefore_) {
    layoutBefore_ = layout;
    for (const PanelInfo &panel : allPanels())
      if (panel.name == "source")
        layout.move(panel, Area::Center);
  }
  if (!isBare && layoutBefore_) {
    layout.areas = layoutBefore_->areas;
    layout.active = layoutBefore_->active;
    layoutBefore_.reset();
    if (workspace.selection.pinned == errorPick_)
      workspace.selection.clear();
  }
  if (!workspace.takeOpened() || !trace)
    return;
  if (std::string problem = followLink(std::exchange(linked_, {}), workspace, layout);
      !problem.empty())
    say(std::move(problem));
  if (!hasErrors(*trace))
    return;
  showPanel("findings");
  auto isOfLine = [](const TraceDiagnostic &diagnostic) {
    return diagnostic.severity == "error" && diagnostic.span.line != 0;
  };
  if (auto found = llvm::find_if(trace->diagnostics, isOfLine); found != trace->diagnostics.end()) {
    errorPick_.sourceLine = found->sourceLine();
    workspace.selection.pin(errorPick_);
  }
}

void Application::waitForCompile() {
  workspace.waitForCompile();
  showFailure();
}

void Application::openOther(const std::string &path) {
  workspace.openOther(path);
  showPanel("compare");
}

bool Application::showPanel(llvm::StringRef name) {
  for (const PanelInfo &panel : allPanels())
    if (panel.name == name) {
      panels.layout.activate(panel);
      return true;
    }
  return false;
}

void Application::openKernel(CompileRequest request) {
  settings_.remember(kernelLine(request));
  showPanel("arguments");
  workspace.openKernel(std::move(request));
}

void Application::choose(const PaletteEntry &entry) {
  const Trace *trace = workspace.document().trace;
  Selection &selection = workspace.selection;
  switch (entry.kind) {
  case PaletteEntry::Kind::Command:
    return pending_.give(allCommands()[entry.index].id);
  case PaletteEntry::Kind::Panel:
    panels.focus(allPanels()[entry.index]);
    return;
  case PaletteEntry::Kind::Pass:
    return selection.selectPass(entry.index);
  case PaletteEntry::Kind::Buffer: {
    const TraceSnapshot &snapshot = trace->snapshots[trace->passes[selection.pass].snapshot];
    selection.pin({.buffer = (*snapshot.buffers)[entry.index].key, .version = entry.version});
    showPanel("buffer");
    return;
  }
  case PaletteEntry::Kind::Line:
    selection.pin(entry.pick);
    panels.focus(allPanels()[entry.index]);
    return;
  case PaletteEntry::Kind::Kernel:
    return workspace.request(workspace.document().kernels[entry.index].requested);
  case PaletteEntry::Kind::Arguments:
    for (const auto &[name, value] : entry.arguments)
      workspace.setArgument(name, value);
    return;
  case PaletteEntry::Kind::Edit:
    const PeakEdit &edit = workspace.document().trials->edits[entry.index];
    workspace.addEdit(edit.place, edit.patch);
  }
}

void Application::drawOverlays() {
  if (std::optional<PaletteEntry> entry =
          palette_.draw(theme, workspace.document(), workspace.selection, history_))
    choose(*entry);
  edit_.draw(workspace, theme);
  help_.draw(theme);
  if (std::optional<std::string> path = prompt_.draw(theme, settings_.recent))
    isPromptForOther_ ? openOther(*path) : openFile(*path);
}

void Application::drawStatus(ImVec2 origin, ImVec2 size) {
  const Document &document = workspace.document();
  ImGui::SetNextWindowPos(origin);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImGui::GetStyle().FramePadding);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.color(Meaning::Raised));
  ImGui::Begin("status", nullptr, Strip);
  if (document.trace) {
    std::string text = placeText(*document.trace, workspace.selection);
    std::string pin = pinText(workspace.selection.shown());
    if (!pin.empty())
      text += "   |   " + pin;
    if (bookmarks_.hasOne(workspace.selection.pass))
      text += "   |   bookmark";
    if (std::string edits = editsText(document.edits); !edits.empty())
      text += "   |   " + edits;
    ImGui::TextUnformatted(text.c_str());
  }
  std::optional<size_t> awaited = workspace.selection.awaited();
  std::string right = document.isCompiling ? "compiling ..."
                      : awaited ? llvm::formatv("reading pass {0} ...", *awaited + 1).str()
                      : document.comparing.empty() ? status_
                                                   : "compiling " + document.comparing + " ...";
  if (right.empty())
    right = "? keys   Ctrl+Shift+P commands";
  float left = size.x - ImGui::CalcTextSize(right.c_str()).x - ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(0, 2 * ImGui::GetFontSize());
  if (!status_.empty() || left > ImGui::GetCursorPosX()) {
    ImGui::SetCursorPosX(std::max(left, ImGui::GetCursorPosX()));
    ImGui::TextDisabled("%s", right.c_str());
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void Application::drawNothing(ImVec2 origin, ImVec2 size) {
  ImGui::SetNextWindowPos(origin);
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("nothing", nullptr, Strip | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PushTextWrapPos(0);
  ImGui::Dummy(ImVec2(0, 20 * theme.scale));
  bool isCompiling = workspace.document().isCompiling;
  ImGui::TextUnformatted(isCompiling ? "compiling ..." : workspace.document().message.c_str());
  ImGui::TextDisabled("Drop a trace or a kernel file here, or press Ctrl+O.\n"
                      "A trace is written by: tilescope compile KERNEL.py --trace FILE.trace");
  for (const std::string &path : settings_.recent)
    if (ImGui::Selectable(path.c_str()))
      openFile(path);
  ImGui::PopTextWrapPos();
  ImGui::End();
}

} // namespace tilescope
