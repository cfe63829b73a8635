#include "viewer/shell/settings.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdlib>

namespace tilescope {

namespace {

constexpr size_t MaxRecent = 12;

} // namespace

void Settings::remember(const std::string &line) {
  llvm::SmallString<256> absolute(line);
  (void)llvm::sys::fs::make_absolute(absolute);
  auto nameOf = [](llvm::StringRef of) { return of.take_front(of.find(" --")); };
  std::erase_if(recent,
                [&](const std::string &before) { return nameOf(before) == nameOf(absolute); });
  recent.insert(recent.begin(), absolute.str().str());
  recent.resize(std::min(recent.size(), MaxRecent));
}

std::string settingsPath() {
  llvm::SmallString<256> path;
  if (const char *configured = std::getenv("XDG_CONFIG_HOME"); configured && configured[0] == '/')
    path = configured;
  else if (const char *home = std::getenv("HOME"); home && home[0] == '/')
    llvm::sys::path::append(path, home, ".config");
  else
    return "";
  llvm::sys::path::append(path, "tilescope", "view.json");
  return path.str().str();
}

Settings readSettings(const std::string &path) {
  Settings settings;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (buffer) {
    llvm::StringRef text = (*buffer)->getBuffer();
    try {
      settings = nlohmann::json::parse(text.begin(), text.end()).get<Settings>();
    } catch (const nlohmann::json::exception &) {
      settings = Settings();
    }
  }
  settings.layout.sanitise();
  settings.textPixels = std::clamp(settings.textPixels, 8.0, 40.0);
  settings.width = std::clamp<int64_t>(settings.width, 320, 16384);
  settings.height = std::clamp<int64_t>(settings.height, 240, 16384);
  settings.recent.resize(std::min(settings.recent.size(), MaxRecent));
  return settings;
}

llvm::Error writeSettings(const Settings &settings, const std::string &path) {
  if (path.empty())
    return llvm::Error::success();
  if (std::error_code code = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
    return llvm::createStringError(code, "cannot make the folder of '%s'", path.c_str());
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << nlohmann::json(settings).dump(2) << '\n';
    return llvm::Error::success();
  });
}

} // namespace tilescope
