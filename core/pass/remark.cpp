#include "core/pass/remark.h"

namespace tilescope {

namespace {

struct RemarkInfo {
  const char *name;
  const char *text;
};

constexpr RemarkInfo Table[] = {
#define REMARK(Name, text) {#Name, text},
#include "core/pass/remarks.def"
    {nullptr, nullptr}};

} // namespace

llvm::StringRef nameOf(RemarkId id) { return Table[static_cast<size_t>(id)].name; }
const char *textOf(RemarkId id) { return Table[static_cast<size_t>(id)].text; }

} // namespace tilescope
