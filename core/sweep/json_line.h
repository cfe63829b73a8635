// A line of a journal, and of what the processes of a pool say: a plain struct as one line of JSON.
#pragma once

#include "core/json/json_reader.h"

#include "llvm/Support/raw_ostream.h"

namespace tilescope {

// With its line break.
template <typename T> std::string jsonLine(const T &value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  {
    JsonStream out(stream);
    writeJson(out, value);
  }
  return text + "\n";
}

// Without its line break. `error` is empty where it is no JSON object.
template <typename T> bool readJsonLine(llvm::StringRef line, T &value, std::string &error) {
  constexpr int MaxDepth = 8; // deeper than any line of ours
  return readJson(line, MaxDepth, value, error) == JsonFault::None && error.empty();
}

} // namespace tilescope
