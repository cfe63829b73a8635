#include "core/frontend/source_modules.h"

#include "core/syntax/parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace tilescope::frontend {

// More files than a kernel has, and than anyone waits for.
static constexpr size_t MaxImportedFiles = 500;

namespace path = llvm::sys::path;

static std::string joined(llvm::StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> whole(folder);
  path::append(whole, name);
  path::remove_dots(whole);
  return whole.str().str();
}

// "..": of the current folder, which is "".
static std::string folderAbove(llvm::StringRef folder) {
  bool isAbove = folder.empty() || path::filename(folder) == "..";
  if (isAbove)
    return joined(folder, "..");
  return path::has_parent_path(folder) || folder == path::filename(folder)
             ? path::parent_path(folder).str()
             : folder.str();
}

// "a.b" in files: "a/b"
static std::string inFolders(llvm::StringRef name) {
  std::string inner = name.str();
  std::replace(inner.begin(), inner.end(), '.', '/');
  return inner;
}

SourceModules::SourceModules(std::string kernelPath) {
  modules_.push_back(std::make_unique<SourceModule>(std::move(kernelPath), ""));
  modules_.front()->isLoaded = true;
}

void SourceModules::searchIn(const ImportSearch &search, SourceFiles &files) {
  search_ = search;
  files_ = &files;
  std::string kernel = joined("", kernelFile().scope.path());
  byPath_[kernel] = modules_.front().get();
  std::string folder = path::parent_path(kernel).str();
  folders_.push_back(folder);
  while (read(joined(folder, "__init__.py")) && folderAbove(folder) != folder)
    folder = folderAbove(folder);
  if (folder != folders_.front())
    folders_.push_back(folder);
  llvm::append_range(folders_, search.pythonPath);
}

SourceModule *SourceModules::read(const std::string &path) {
  auto known = byPath_.find(path);
  if (known != byPath_.end())
    return known->second;
  std::optional<std::string> text;
  if (search_.read && modules_.size() <= MaxImportedFiles)
    text = search_.read(path);
  if (!text)
    return byPath_[path] = nullptr;
  modules_.push_back(std::make_unique<SourceModule>(path, std::move(*text)));
  return byPath_[path] = modules_.back().get();
}

std::optional<FoundModule> SourceModules::findIn(llvm::StringRef folder, llvm::StringRef name) {
  std::string place = joined(folder, inFolders(name));
  if (SourceModule *package = read(joined(place, "__init__.py")))
    return FoundModule{package, place};
  if (SourceModule *file = name.empty() ? nullptr : read(place + ".py"))
    return FoundModule{file, ""};
  return std::nullopt;
}

std::vector<std::string> SourceModules::foldersFor(llvm::StringRef name,
                                                   const ModuleScope &from) const {
  size_t dots = name.size() - name.ltrim('.').size();
  if (dots == 0)
    return folders_;
  std::string folder = path::parent_path(from.path()).str();
  for (size_t level = 1; level < std::min<size_t>(dots, MaxImportedFiles); ++level)
    folder = folderAbove(folder);
  return {folder};
}

std::optional<FoundModule> SourceModules::find(llvm::StringRef name, const ModuleScope &from) {
  for (const std::string &folder : foldersFor(name, from))
    if (std::optional<FoundModule> found = findIn(folder, name.ltrim('.')))
      return found;
  return std::nullopt;
}

std::optional<FoundModule> SourceModules::findFirst(llvm::StringRef name, const ModuleScope &from) {
  llvm::StringRef first = name.split('.').first;
  for (const std::string &folder : foldersFor(name, from))
    if (findIn(folder, name)) {
      std::optional<FoundModule> package = findIn(folder, first);
      return package ? package : FoundModule{nullptr, joined(folder, first)};
    }
  return std::nullopt;
}

SourceModule *SourceModules::ownModule(llvm::StringRef space) {
  struct OwnModule {
    llvm::StringRef space, path, text;
  };
  static constexpr OwnModule All[] = {
#define OWN_MODULE(space, path, text) {space, path, text},
#include "core/frontend/own_modules.def"
  };
  for (const OwnModule &own : All) {
    if (own.space != space || !files_)
      continue;
    auto [known, isNew] = byPath_.try_emplace(own.path, nullptr);
    if (!known->second) {
      modules_.push_back(std::make_unique<SourceModule>(own.path.str(), own.text.str()));
      known->second = modules_.back().get();
    }
    return known->second;
  }
  return nullptr;
}

void SourceModules::parse(SourceModule &module) {
  Diagnostics found;
  FileId file = files_->add(module.scope.path(), module.text);
  module.syntax = parseModule(file, *files_, found);
  if (found.hasErrors())
    module.firstError = found.all().front();
}

} // namespace tilescope::frontend
