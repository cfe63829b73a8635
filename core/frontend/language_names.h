// The names of tilelang.language, as the registries of the frontend know them: what works, and of
// what does not what a kernel may write instead.
#pragma once

#include <string>
#include <vector>

namespace tilescope {

struct LanguageName {
  std::string name; // without "T."; "TYPExN" stands for the vectors of every type
  bool works = false;
  std::string parameters; // as "src, dst, *, pred?"; "" where they are not of a table: of classes
  // Of what does not work: for which targets TileLang has it ("": every GPU), and what a kernel may
  // write instead ("": nothing does the same).
  std::string targets;
  std::string instead;
  std::string ignoredFor; // of what is taken and changes nothing, why; "" of all else
};

// By name, each once.
std::vector<LanguageName> languageNames();

} // namespace tilescope
