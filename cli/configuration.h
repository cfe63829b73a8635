// Options that a folder sets for verbs, in a file `.tilescope`:
//
//     # kernels of this repository
//     [check compile]
//     target = sm_90a
//     python-path = lib
//
//     [check]
//     strict = true
//     W = no-layout-ignored
//
// A section names verbs; below it stand options without dashes and their values, to the end of the
// line. A flag is true or false; an option that may be repeated may stand on several lines. Lines
// that begin with # and empty lines are skipped. What the command line gives stands in place of
// what the file says. Files and folders are relative to that of the configuration.
#pragma once

#include "cli/command_line.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// The same for users.
inline constexpr const char *ConfigurationHelp =
    "Options that a folder sets stand in a file .tilescope in the current folder or above it, as "
    "far\n"
    "as the root of the git repository; $TILESCOPE_CONFIG or --config names another.\n\n"
    "  # kernels of this repository\n"
    "  [check compile]\n"
    "  target = sm_90a\n"
    "  python-path = lib\n\n"
    "  [check]\n"
    "  strict = true\n\n"
    "A section names verbs; options stand without dashes, a flag is true or false, an option that\n"
    "may be repeated on several lines, lines with # are skipped. What the command line gives "
    "stands\n"
    "in place of what the file says. Files and folders are relative to that of the "
    "configuration.\n";

struct ConfiguredOption {
  std::string name; // without dashes
  std::string value;
  std::string place; // "FILE:LINE", for messages
};

// The file in `folder`, else in the folders above it as far as the root of its git repository;
// outside of one in no other. "": there is none.
std::string findConfiguration(llvm::StringRef folder);

// All options for the verb, in order. The error names file and line.
llvm::Expected<std::vector<ConfiguredOption>>
readConfiguration(llvm::StringRef text, const std::string &path, llvm::StringRef verb);

// From now on parseCommandLine has the options of $TILESCOPE_CONFIG or `given`, else of the file
// that is found from the current folder; of none for "none".
void useConfiguration(const std::optional<std::string> &given);

// Those that the configuration sets and the words do not, as words of a command line, behind the
// name of the program. Called by parseCommandLine, with the options registered.
llvm::Expected<std::vector<std::string>> configuredWords(const CommandLine &commandLine);

// "FILE:LINE: " of an option that the configuration has set; else "".
std::string configuredPlace(llvm::StringRef name);

} // namespace tilescope
