#include "core/codegen/line_breaker.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

bool isOperator(char c) { return llvm::StringRef("+-*/%=<>&|?:").contains(c); }

// The place of the space to break at: the last one of least nesting in the second half of the line;
// at equal nesting after a comma, else after an operator.
size_t findBreak(llvm::StringRef text, size_t indent) {
  size_t best = llvm::StringRef::npos;
  int bestCost = 0;
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size() && i <= MaxCudaColumns; ++i) {
    char c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\'))
      inString = !inString;
    if (inString)
      continue;
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    bool late = i > indent + (MaxCudaColumns - indent) / 2;
    bool usable = c == ' ' && i > indent && text.substr(i + 1, 2) != "{";
    bool afterComma = i > 0 && (text[i - 1] == ',' || text[i - 1] == ';');
    bool afterOperator = i > 1 && isOperator(text[i - 1]) && text[i - 2] != '(';
    int cost = depth * 3 + (afterComma ? 0 : afterOperator ? 1 : 2);
    if (usable && late && (best == llvm::StringRef::npos || cost <= bestCost)) {
      best = i;
      bestCost = cost;
    }
  }
  return best;
}

} // namespace

std::vector<std::string> breakLine(llvm::StringRef line) {
  if (line.size() <= MaxCudaColumns)
    return {line.str()};
  size_t indent = line.find_first_not_of(' ');
  if (line.substr(indent).starts_with("//"))
    return {line.substr(0, MaxCudaColumns - 3).str() + "..."};
  std::vector<std::string> parts;
  std::string continuation(indent + 4, ' ');
  std::string rest = line.str();
  while (rest.size() > MaxCudaColumns) {
    size_t place = findBreak(rest, parts.empty() ? indent : indent + 4);
    if (place == std::string::npos)
      break;
    parts.push_back(rest.substr(0, place));
    rest.replace(0, place + 1, continuation);
  }
  parts.push_back(rest);
  return parts;
}

} // namespace tilescope
