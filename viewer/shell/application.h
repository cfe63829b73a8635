// The viewer without its window: what is open, the panels, menus, keys. One `frame` a frame.
#pragma once

#include "core/session/request_history.h"
#include "core/session/workspace.h"
#include "viewer/shell/edit_window.h"
#include "viewer/shell/frame.h"
#include "viewer/shell/instances_screen.h"
#include "viewer/shell/navigation.h"
#include "viewer/shell/palette.h"
#include "viewer/shell/place_commands.h"
#include "viewer/shell/settings.h"

namespace tilescope {

// A part of the window to be kept as a picture: pixels, as Places has them.
struct WantedPicture {
  std::string path; // of the file; "": to the clipboard
  ImVec4 part;
};

class Application {
public:
  // `wake` is called on other threads when another frame has something new to show.
  Application(Settings settings, std::function<void()> wake);

  // Everything between ImGui::NewFrame and ImGui::Render; the theme has fonts.
  // True: something is new, so that the next frame will differ too.
  bool frame();
  // Opens what Workspace::open takes and remembers it; a folder of traces opens as a table.
  void openFile(const std::string &line);
  // Of a folder: a table of its traces. An error: it is not opened.
  llvm::Error openFolder(const std::string &path);
  // Until all traces of the folder were read.
  void waitForInstances();
  void openKernel(CompileRequest request);
  void openOther(const std::string &path);
  // Until a kernel that was opened is compiled and shown.
  void waitForCompile();
  // To the top of its cell. False: there is none of that name.
  bool showPanel(llvm::StringRef name);
  // A key, as commands.def writes it, for the next frame.
  void press(std::string key) { keys_.push_back(std::move(key)); }
  // As its key would.
  void give(Command command) { pending_.give(command); }

  // What the window has to do after this frame; each is asked once.
  bool takeQuit() { return std::exchange(wantsQuit_, false); }
  std::optional<WantedPicture> takePicture() { return std::exchange(wantedPicture_, {}); }
  bool takeNewFonts() { return std::exchange(wantsFonts_, false); }

  const EditWindow &edit() const { return edit_; }
  const InstancesScreen &instances() const { return instances_; }
  // A line at the foot of the window, until the user does something else.
  void say(std::string text) { status_ = std::move(text); }
  const std::string &said() const { return status_; }
  const std::string &copied() const { return copied_; } // to the clipboard, last
  // Of a new file about what is open: "gemm.png" beside "gemm.trace", "gemm-2.png" if that exists.
  std::string pathBeside(llvm::StringRef extension) const;
  void rememberSize(int width, int height);
  // "gemm.py:matmul - Tilescope"
  std::string windowTitle() const;

  Settings settings() const; // as they are to be remembered
  Workspace workspace;
  Theme theme;
  double textPixels = 15;
  Frame panels;
  std::string alone; // the panel that fills the window, without menus and tabs; "": all of them

private:
  CommandSet commandsOfFrame();
  void act(const CommandSet &commands);
  void actOnFiles(const CommandSet &commands);
  void actOnPictures(const CommandSet &commands);
  void actOnView(const CommandSet &commands);
  void actOnCopy(const CommandSet &commands);
  void actOnLive(const CommandSet &commands);
  void saveEdits();
  void showFailure();
  void drawAlone();
  void drawMenus();
  void drawRecent();
  void drawOverlays();
  void choose(const PaletteEntry &entry);
  void drawStatus(ImVec2 origin, ImVec2 size);
  void drawNothing(ImVec2 origin, ImVec2 size);
  bool drawInstances(const CommandSet &commands, ImVec2 origin, ImVec2 size);

  Settings settings_;
  CommandSet pending_; // given by menus and the palette, for the next frame
  std::vector<std::string> keys_;
  PlaceLink linked_; // of what is being opened
  Bookmarks bookmarks_;
  RequestHistory history_;
  Palette palette_;
  InstancesScreen instances_;
  EditWindow edit_;
  HelpWindow help_;
  PathPrompt prompt_;
  bool isPromptForOther_ = false;
  bool wantsQuit_ = false;
  std::optional<WantedPicture> wantedPicture_;
  bool wantsFonts_ = false;
  std::string status_, copied_;
  std::optional<WindowLayout> layoutBefore_; // while the source stands where the IR would
  Pick errorPick_;                           // the line of the first error of what was opened
};

} // namespace tilescope
