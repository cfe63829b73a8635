#include "core/ir/kernel_source.h"

#include "core/ir/text_form.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral PathMark = "#@ kernel=";
constexpr llvm::StringLiteral LineMark = "#|";

} // namespace

std::optional<SourceFile> kernelSourceIn(llvm::StringRef irText) {
  size_t at = irText.find(("\n" + PathMark).str());
  if (at == llvm::StringRef::npos)
    return std::nullopt;
  auto [first, rest] = irText.drop_front(at + 1 + PathMark.size()).split('\n');
  std::optional<std::string> path = unquoted(first);
  if (!path)
    return std::nullopt;
  SourceFile kernel{*path, ""};
  while (rest.consume_front(LineMark)) {
    rest.consume_front(" ");
    auto [line, below] = rest.split('\n');
    kernel.text += line;
    kernel.text += '\n';
    rest = below;
  }
  return kernel;
}

std::string printKernelSource(const SourceFile &kernel) {
  std::string result = PathMark.str() + quoted(kernel.path) + '\n';
  llvm::StringRef text = kernel.text;
  if (text.empty())
    return result;
  text.consume_back("\n");
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    result += LineMark;
    result += line.empty() ? "" : " ";
    llvm::copy_if(line, std::back_inserter(result), [](char c) { return c != '\r'; });
    result += '\n';
  }
  return result;
}

} // namespace tilescope
