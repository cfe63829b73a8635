// What every verb takes, as each of them says itself: completions and the man page are made of it,
// so they cannot be out of date.
#pragma once

#include <string>
#include <vector>

namespace tilescope {

struct ChoiceDescription {
  std::string name;
  std::string help;
};

struct OptionDescription {
  std::string name; // without dashes
  std::string help;
  std::string value; // "FILE"; "": a flag
  bool isRepeated = false;
  bool isList = false;                    // of choices, with commas between them
  bool isCommon = false;                  // every verb has it
  std::string names = {};                 // the kind of names that it takes: completed_names.h
  std::vector<ChoiceDescription> choices; // empty: anything

  // A long one takes its value behind "=" or as the next word, a short one as the next word.
  bool isShort() const { return name.size() == 1; }
  // "--set", "-o"
  std::string dashed() const { return (isShort() ? "-" : "--") + name; }
};

struct VerbDescription {
  std::string name;
  std::string help;        // one line
  std::string overview;    // lines as printed
  std::string positionals; // "FILE[:FUNCTION]"
  // Words that the first positional may be; empty: a file, or anything.
  std::vector<ChoiceDescription> firstWords;
  bool takesFiles = true;                 // as positionals
  std::string names = {};                 // the kind of names behind the first file
  std::vector<OptionDescription> options; // by name
};

// Asks every verb, each in a process of its own, since an option can be declared once in a process.
// One that cannot be asked (`view`, where it is not built) has no options.
std::vector<VerbDescription> describeVerbs();

} // namespace tilescope
