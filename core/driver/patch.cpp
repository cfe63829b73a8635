#include "core/driver/patch.h"

#include "core/driver/compile.h"
#include "core/driver/patched_pipeline.h"
#include "core/ir/printer.h"
#include "core/ir/text_form.h"
#include "core/support/unified_diff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

llvm::Expected<std::string> applyPatch(const Patch &patch, llvm::StringRef text) {
  llvm::Expected<std::vector<FileDiff>> diffs = parseUnifiedDiff(patch.text);
  if (!diffs)
    return diffs.takeError();
  std::string result = text.str();
  for (const FileDiff &diff : *diffs) {
    llvm::Expected<std::string> after = applyDiff(diff, result);
    if (!after)
      return after.takeError();
    result = std::move(*after);
  }
  return result;
}

//     S = T.alloc_shared((64,), "float16", offset=1024)  #@ b4 span=9:5-9:40
//                                          ^      ^
std::optional<std::string> withOffset(llvm::StringRef taggedText, BufferId buffer,
                                      int64_t offsetBytes) {
  constexpr llvm::StringLiteral Key = "offset=";
  std::string tag = "b" + std::to_string(buffer.value);
  for (llvm::StringRef rest = taggedText; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    auto [code, tags] = line.split(TagMark);
    size_t at = code.rfind(Key);
    if (tags.split(' ').first != tag || !code.contains("= T.alloc_") || at == llvm::StringRef::npos)
      continue;
    llvm::StringRef digits = code.drop_front(at + Key.size()).take_while(llvm::isDigit);
    std::string text = taggedText.str();
    return text.replace(static_cast<size_t>(digits.data() - taggedText.data()), digits.size(),
                        std::to_string(offsetBytes));
  }
  return std::nullopt;
}

} // namespace tilescope
