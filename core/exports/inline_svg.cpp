#include "core/exports/inline_svg.h"

#include "llvm/ADT/SmallVector.h"

#include <array>

namespace tilescope {

namespace {

std::string scopedSelectors(llvm::StringRef selectors, llvm::StringRef scope) {
  llvm::SmallVector<llvm::StringRef> list;
  selectors.split(list, ',');
  std::string out;
  for (llvm::StringRef selector : list) {
    selector = selector.trim();
    out += out.empty() ? "." : ", .";
    out += scope;
    // "svg" and ":root" are the picture itself.
    if (selector != "svg" && selector != ":root")
      out += " " + selector.str();
  }
  return out;
}

// Our style sheets hold rules, and @media around rules; no comments, no strings with braces.
std::string scopedStyle(llvm::StringRef style, llvm::StringRef scope) {
  std::string out;
  while (true) {
    style = style.ltrim();
    size_t end = style.find_first_of("{}");
    if (end == style.npos)
      return out;
    llvm::StringRef head = style.take_front(end).rtrim();
    bool isClosing = style[end] == '}'; // of an @media
    style = style.drop_front(end + 1);
    if (isClosing) {
      out += "}\n";
    } else if (head.starts_with("@")) {
      out += head.str() + " {\n";
    } else {
      auto [declarations, rest] = style.split('}');
      out += scopedSelectors(head, scope) + " {" + declarations.str() + "}\n";
      style = rest;
    }
  }
}

// The ids that a tag gives or uses.
std::string scopedTag(llvm::StringRef tag, llvm::StringRef scope) {
  constexpr std::array<llvm::StringLiteral, 3> Marks = {" id=\"", "url(#", "href=\"#"};
  std::string out;
  while (!tag.empty()) {
    size_t next = tag.size(), length = 0;
    for (llvm::StringRef mark : Marks) {
      if (size_t at = tag.find(mark); at < next) {
        next = at;
        length = mark.size();
      }
    }
    out += tag.take_front(next + length);
    if (length != 0)
      out += scope.str() + "-";
    tag = tag.drop_front(next + length);
  }
  return out;
}

// Text between tags may hold anything but "<" and ">".
std::string scopedMarkup(llvm::StringRef markup, llvm::StringRef scope) {
  std::string out;
  while (!markup.empty()) {
    auto [text, rest] = markup.split('<');
    size_t end = rest.find('>');
    out += text;
    if (text.size() != markup.size())
      out += "<" + scopedTag(rest.take_front(end), scope);
    markup = rest.substr(end);
  }
  return out;
}

} // namespace

std::string inlineSvg(llvm::StringRef document, llvm::StringRef scope) {
  constexpr llvm::StringLiteral Begin = "<style>", End = "</style>";
  auto [head, rest] = document.split(Begin);
  auto [style, body] = rest.split(End);
  std::string out = scopedMarkup(head, scope);
  if (llvm::StringRef(out).starts_with("<svg "))
    out.insert(5, "class=\"" + scope.str() + "\" ");
  if (!rest.empty())
    out += Begin.str() + "\n" + scopedStyle(style, scope) + End.str() + scopedMarkup(body, scope);
  return out;
}

} // namespace tilescope
