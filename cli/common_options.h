// What every verb takes besides its own options (common_options.def).
#pragma once

#include "cli/command_line.h"

namespace tilescope {

enum class ColourUse : uint8_t { Auto, Always, Never };

struct CommonOptions {
  ColourUse colours = ColourUse::Auto;
  std::optional<std::string> configuration; // --config; nullopt: it is looked for
  bool hasPager = true;
  bool isWatching = false;
};

// Takes them out of the words, the name of the program first. The error says what is wrong with a
// value. A word that an option before it takes as its value is to be written behind "=".
llvm::Expected<CommonOptions> takeCommonOptions(CommandLine &commandLine);

struct CommonOptionText {
  const char *name;
  const char *value; // "": a flag
  const char *help;
};

inline constexpr CommonOptionText AllCommonOptions[] = {
#define COMMON_OPTION(name, value, help) {name, value, help},
#include "cli/common_options.def"
};

} // namespace tilescope
