// The files of a kernel: its own and those that imports name, found as Python finds them.
//
//     from .layouts import swizzle           beside the file; a further dot is a folder up
//     from project.layouts import swizzle    below the kernel file's folder, the folder around its
//                                            outermost package, and --python-path, in this order
//
// A file is found and kept here; imports.h says when it is read and what its names are.
#pragma once

#include "core/frontend/frontend.h"
#include "core/frontend/scope.h"

namespace tilescope::frontend {

struct SourceModule {
  SourceModule(std::string path, std::string text)
      : scope(std::move(path)), text(std::move(text)) {}

  ModuleScope scope;
  std::string text;
  bool isLoaded = false;                // its scope is filled
  std::unique_ptr<ast::Module> syntax;  // null before, and where nothing could be parsed
  std::optional<Diagnostic> firstError; // of parsing
};

// A file, the folder of its submodules, or both; of a folder without an `__init__.py` the folder.
struct FoundModule {
  SourceModule *file = nullptr;
  std::string folder; // "": none
};

class SourceModules {
public:
  explicit SourceModules(std::string kernelPath);

  // Without this nothing is found. `files` gets a file for each that is read.
  void searchIn(const ImportSearch &search, SourceFiles &files);
  SourceModule &kernelFile() const { return *modules_.front(); }

  // The module "a.b", or "..a.b" as seen from `from`.
  std::optional<FoundModule> find(llvm::StringRef name, const ModuleScope &from);
  // The module "a", if there is "a.b".
  std::optional<FoundModule> findFirst(llvm::StringRef name, const ModuleScope &from);
  // The module "a.b" below a folder.
  std::optional<FoundModule> findIn(llvm::StringRef folder, llvm::StringRef name);

  // Of own_modules.def; null: there is none.
  SourceModule *ownModule(llvm::StringRef space);

  void parse(SourceModule &module);

private:
  SourceModule *read(const std::string &path);
  std::vector<std::string> foldersFor(llvm::StringRef name, const ModuleScope &from) const;

  ImportSearch search_;
  SourceFiles *files_ = nullptr;
  std::vector<std::string> folders_; // where absolute imports start
  std::vector<std::unique_ptr<SourceModule>> modules_;
  llvm::StringMap<SourceModule *> byPath_; // null: no such file
};

} // namespace tilescope::frontend
