// What lies over the panels: the palette of all commands, the table of keys, the field for a path.
#pragma once

#include "viewer/panels/commands.h"
#include "viewer/panels/theme.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

// A field to type into and the commands that match, best first.
class Palette {
public:
  void open() { wasOpened_ = true; }
  // The command that was chosen in this frame.
  std::optional<Command> draw(const Theme &theme);

private:
  bool wasOpened_ = false;
  std::string typed_;
  int chosen_ = 0;
};

// Commands whose title or name holds every word of `typed`, in any case; all for "".
std::vector<const CommandInfo *> matchingCommands(llvm::StringRef typed);

class HelpWindow {
public:
  void open() { wasOpened_ = true; }
  void draw(const Theme &theme);

private:
  bool wasOpened_ = false;
};

// Asks for the path of a file; offers those that were open before and completes with Tab.
class PathPrompt {
public:
  void open(std::string title, std::string start);
  std::optional<std::string> draw(const Theme &theme, const std::vector<std::string> &recent);

private:
  bool wasOpened_ = false;
  std::string title_;
  std::string typed_;
};

// The longest continuation of a path that all files that begin so share.
std::string completePath(const std::string &typed);

} // namespace tilescope
