// JSON as a value, for what is printed and not only stored. Include it in sources, not in headers:
// archive.h names `Json`, and the library's header is a large one.
#pragma once

#include "core/json/archive.h"

#include <nlohmann/json.hpp>

namespace tilescope {

// Here, because the library's parser takes seconds to compile. The text is one of writeJson's.
Json parseJson(const std::string &text);

template <typename T> Json toJson(const T &value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  {
    JsonStream out(stream);
    writeJson(out, value);
  }
  return parseJson(text);
}

} // namespace tilescope
