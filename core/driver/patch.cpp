#include "core/driver/patch.h"

#include "core/driver/compile.h"
#include "core/driver/patched_pipeline.h"
#include "core/ir/printer.h"
#include "core/support/unified_diff.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

std::string patchPlaceOf(const Trace &trace, size_t index) {
  while (trace.passes[index].name == PatchPassName && index > 0)
    --index;
  const std::string &name = trace.passes[index].name;
  auto before = llvm::ArrayRef(trace.passes).take_front(index);
  return placeName(name,
                   llvm::count_if(before, [&](const TracePass &p) { return p.name == name; }));
}

llvm::Expected<std::string> taggedTextAfter(CompileRequest request, std::string place) {
  request.stopAfter = std::move(place);
  CompileResult result = compile(request);
  for (const Diagnostic &diagnostic : result.diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      return llvm::createStringError(diagnostic.text);
  return printModule(*result.module, /*tagged=*/true);
}

std::string makePatchText(llvm::StringRef place, llvm::StringRef before, llvm::StringRef after) {
  return makeUnifiedDiff(before, after, ("after " + place).str());
}

} // namespace tilescope
