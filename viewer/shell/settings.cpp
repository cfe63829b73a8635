#include "viewer/shell/settings.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tilescope {

namespace {

constexpr size_t MaxRecent = 12;

// Defaults where it is no JSON, or has a field of a wrong type.
Settings parseSettings(llvm::StringRef text) {
  llvm::json::Path::Root root;
  Settings settings;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value && fromJSON(*value, settings, root))
    return settings;
  llvm::consumeError(value.takeError());
  return Settings();
}

} // namespace

llvm::json::Value toJSON(const Settings &settings) {
  llvm::json::Array recent; // names of files may be any bytes
  for (const std::string &line : settings.recent)
    recent.push_back(llvm::json::fixUTF8(line));
  llvm::json::Object toggles;
  for (const auto &[name, isOn] : settings.toggles)
    toggles[name] = isOn;
  return llvm::json::Object{{"layout", toJSON(settings.layout)}, {"theme", settings.theme},
                            {"textPixels", settings.textPixels}, {"width", settings.width},
                            {"height", settings.height},         {"recent", std::move(recent)},
                            {"toggles", std::move(toggles)}};
}

bool fromJSON(const llvm::json::Value &value, Settings &settings, llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.mapOptional("layout", settings.layout) &&
         map.mapOptional("theme", settings.theme) &&
         map.mapOptional("textPixels", settings.textPixels) &&
         map.mapOptional("width", settings.width) && map.mapOptional("height", settings.height) &&
         map.mapOptional("recent", settings.recent) && map.mapOptional("toggles", settings.toggles);
}

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
  auto buffer = llvm::MemoryBuffer::getFile(path);
  Settings settings = buffer ? parseSettings((*buffer)->getBuffer()) : Settings();
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
    out << llvm::formatv("{0:2}\n", toJSON(settings));
    return llvm::Error::success();
  });
}

} // namespace tilescope
