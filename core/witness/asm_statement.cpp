#include "core/witness/asm_statement.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>
#include <tuple>
#include <vector>

namespace tilescope {

namespace {

constexpr llvm::StringRef Begin = "asm volatile(";

struct Operand {
  std::string constraint; // "=r"
  std::string text;

  // Written, and not read.
  bool isOutput() const { return llvm::StringRef(constraint).starts_with("="); }
};

// Reads one statement, from behind its parenthesis on. Nothing: it is not one.
class AsmReader {
public:
  explicit AsmReader(llvm::StringRef text) : rest_(text) {}

  std::optional<std::string> call() {
    std::optional<std::string> instruction = readString();
    if (!instruction)
      return std::nullopt;
    // Outputs, then inputs; what is clobbered is of no use here.
    for (int section = 0; section != 2 && consume(":"); ++section)
      if (!readOperands())
        return std::nullopt;
    if (consume(":") && !readString())
      return std::nullopt;
    if (!consume(")"))
      return std::nullopt;
    return callOf(*instruction);
  }

  llvm::StringRef rest() const { return rest_; }

private:
  bool consume(llvm::StringRef token) {
    rest_ = rest_.ltrim();
    return rest_.consume_front(token);
  }

  // Adjacent literals are one.
  std::optional<std::string> readString() {
    std::string text;
    bool isString = false;
    while (consume("\"")) {
      auto [part, behind] = rest_.split('"');
      text += part;
      rest_ = behind;
      isString = true;
    }
    return isString ? std::optional(text) : std::nullopt;
  }

  bool readOperands() {
    while (rest_.ltrim().starts_with("\"")) {
      Operand operand;
      operand.constraint = *readString();
      if (!consume("("))
        return false;
      size_t length = lengthInParentheses();
      operand.text = rest_.take_front(length).str();
      rest_ = rest_.drop_front(length);
      operands_.push_back(operand);
      if (!consume(")"))
        return false;
      consume(",");
    }
    return true;
  }

  // Up to the parenthesis that closes the one before.
  size_t lengthInParentheses() const {
    int depth = 0;
    for (auto [at, letter] : llvm::enumerate(rest_)) {
      if (letter == ')' && depth-- == 0)
        return at;
      depth += letter == '(';
    }
    return rest_.size();
  }

  std::optional<std::string> operandOf(llvm::StringRef place) const {
    size_t number = 0;
    if (!place.consume_front("%"))
      return place.str();
    if (place.getAsInteger(10, number) || number >= operands_.size())
      return std::nullopt;
    return "(" + operands_[number].text + ")";
  }

  std::optional<std::string> callOf(llvm::StringRef instruction) const {
    // Under a predicate of its own: that an operand is zero.
    bool hasPredicate = instruction.consume_front("{.reg .pred p; setp.eq.b32 p, ");
    llvm::StringRef tested;
    if (hasPredicate)
      std::tie(tested, instruction) = instruction.split(", 0; ");
    // One that has a predicate as its result, which becomes operand 0.
    bool hasResult = !hasPredicate && instruction.consume_front("{.reg .pred p; ") &&
                     instruction.consume_back(" selp.u32 %0, 1, 0, p;}");
    auto [name, places] = instruction.rtrim(hasPredicate ? ";} " : "; ").split(' ');
    std::string text = "(";
    for (const Operand &operand : operands_)
      if (operand.isOutput())
        text += "::witness::forget(" + operand.text + "), ";
    std::vector<std::string> arguments;
    llvm::SmallVector<llvm::StringRef> parts;
    places.split(parts, ',', -1, false);
    for (llvm::StringRef part : parts) {
      part = part.trim(" {}[]");
      if (part == "_" || (hasResult && part == "p"))
        continue;
      bool isPredicate = hasPredicate && part == "p";
      std::optional<std::string> operand = operandOf(isPredicate ? tested : part);
      if (!operand)
        return std::nullopt;
      arguments.push_back(isPredicate ? *operand + " == 0" : *operand);
    }
    if (hasResult)
      text += "(" + operands_[0].text + ") = ";
    return text + "::witness::Instruction<\"" + name.str() + "\">::run(" +
           llvm::join(arguments, ", ") + "))";
  }

  llvm::StringRef rest_;
  std::vector<Operand> operands_;
};

bool isInComment(llvm::StringRef text, size_t at) {
  llvm::StringRef before = text.take_front(at);
  return before.substr(before.rfind('\n') + 1).contains("//");
}

} // namespace

llvm::Expected<std::string> replaceAsmStatements(llvm::StringRef text) {
  std::string result;
  size_t done = 0;
  for (size_t at = 0; (at = text.find(Begin, at)) != llvm::StringRef::npos;) {
    if (isInComment(text, at)) {
      at += Begin.size();
      continue;
    }
    AsmReader reader(text.drop_front(at + Begin.size()));
    std::optional<std::string> call = reader.call();
    if (!call)
      return llvm::createStringError("cannot read the asm statement " +
                                     text.drop_front(at).split('\n').first);
    size_t end = text.size() - reader.rest().size();
    result += text.slice(done, at);
    result += *call;
    result.append(text.slice(at, end).count('\n'), '\n');
    done = at = end;
  }
  result += text.drop_front(done);
  return result;
}

} // namespace tilescope
