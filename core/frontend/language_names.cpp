#include "core/frontend/language_names.h"

#include "core/frontend/builtins.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// Names of types that are another's.
static constexpr llvm::StringRef TypeAliases[] = {"short", "int",   "long",   "uint",
                                                  "half",  "float", "double", "float8_e4m3"};

std::vector<LanguageName> languageNames() {
  std::vector<LanguageName> names;
  for (const frontend::BuiltinInfo *info : frontend::builtinsOf("T"))
    names.push_back({info->name.str(), info->handler != nullptr || !info->ownModule.empty(),
                     info->params.str(), info->targets.str(), info->instead.str(),
                     info->ignoredFor.str()});
  for (DType dtype : allDTypes())
    names.push_back({dtype.name(), true, "", "", "", ""});
  for (llvm::StringRef alias : TypeAliases)
    names.push_back({alias.str(), true, "", "", "", ""});
  names.push_back({"GemmWarpPolicy", true, "", "", "", ""});
  names.push_back({"TYPExN", true, "", "", "", ""});
  llvm::sort(names, [](const LanguageName &a, const LanguageName &b) { return a.name < b.name; });
  names.erase(llvm::unique(names, [](const LanguageName &a,
                                     const LanguageName &b) { return a.name == b.name; }),
              names.end());
  return names;
}

} // namespace tilescope
