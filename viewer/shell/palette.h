// What lies over the panels: the palette of everything, the table of keys, the field for a path.
#pragma once

#include "viewer/panels/theme.h"
#include "viewer/shell/palette_entries.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tilescope {

// A field to type into, and what of everything (palette_entries.h) matches.
class Palette {
public:
  void open() { wasOpened_ = true; }
  // What was chosen in this frame.
  std::optional<PaletteEntry> draw(const Theme &theme, const Document &document,
                                   const Selection &selection, const RequestHistory &history);

private:
  std::vector<PaletteEntry> entriesOf(const Document &document, const Selection &selection,
                                      const RequestHistory &history);

  bool wasOpened_ = false;
  std::string typed_;
  int chosen_ = 0;
  std::tuple<std::string, uint64_t, size_t> linesOf_; // what is typed, revision, pass
  std::vector<PaletteEntry> lines_;
};

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

// Whether one of these is: it takes its keys itself.
bool isOverlayOpen();

// The longest continuation of a path that all files that begin so share.
std::string completePath(const std::string &typed);

} // namespace tilescope
