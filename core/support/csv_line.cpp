#include "core/support/csv_line.h"

namespace tilescope {

std::string csvField(llvm::StringRef text) {
  bool isBlankAround = text != text.trim(" \t");
  if (!isBlankAround && text.find_first_of(",\"\r\n") == llvm::StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char byte : text)
    quoted += byte == '"' ? "\"\"" : std::string(1, byte);
  return quoted + "\"";
}

// `rest` stands behind the opening quote, and is moved behind the closing one.
static llvm::Expected<std::string> takeQuoted(llvm::StringRef &rest, size_t number) {
  std::string field;
  while (true) {
    size_t quote = rest.find('"');
    if (quote == llvm::StringRef::npos)
      return llvm::createStringError("the quote of field " + llvm::Twine(number) +
                                     " is not closed in its line");
    field += rest.take_front(quote);
    rest = rest.drop_front(quote + 1);
    if (!rest.consume_front("\""))
      return field;
    field += '"';
  }
}

llvm::Expected<std::vector<std::string>> splitCsvLine(llvm::StringRef line) {
  std::vector<std::string> fields;
  while (true) {
    llvm::StringRef rest = line.ltrim(" \t");
    if (rest.consume_front("\"")) {
      llvm::Expected<std::string> field = takeQuoted(rest, fields.size() + 1);
      if (!field)
        return field.takeError();
      fields.push_back(std::move(*field));
      rest = rest.ltrim(" \t");
      if (!rest.empty() && rest.front() != ',')
        return llvm::createStringError("text stands behind the quotes of field " +
                                       llvm::Twine(fields.size()));
    } else {
      size_t comma = rest.find(',');
      fields.push_back(rest.take_front(comma).rtrim(" \t").str());
      rest = rest.drop_front(std::min(comma, rest.size()));
    }
    if (!rest.consume_front(","))
      return fields;
    line = rest;
  }
}

} // namespace tilescope
