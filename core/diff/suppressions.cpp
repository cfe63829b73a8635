#include "core/diff/suppressions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/GlobPattern.h"

namespace tilescope {

namespace {

// Braces multiply: no more than that many.
constexpr size_t MaxSubPatterns = 64;

// Refers to `pattern`.
llvm::Expected<llvm::GlobPattern> globOf(llvm::StringRef pattern) {
  return llvm::GlobPattern::create(pattern, MaxSubPatterns);
}

llvm::Expected<Suppression> parseLine(llvm::StringRef text) {
  auto [names, pattern] = text.split(' ');
  pattern = pattern.trim();
  if (pattern.empty())
    return llvm::createStringError("wants NAME[,NAME] and a pattern of kernels");
  Suppression suppression;
  suppression.text = text.str();
  llvm::SmallVector<llvm::StringRef> parts;
  names.split(parts, ',');
  for (llvm::StringRef name : parts) {
    if (!llvm::is_contained(conditionNames(), name))
      return llvm::createStringError("'" + name + "' is neither a metric nor a reason");
    suppression.names.push_back(name.str());
  }
  if (llvm::Expected<llvm::GlobPattern> checked = globOf(pattern); !checked)
    return checked.takeError();
  suppression.kernels = pattern.str();
  return suppression;
}

} // namespace

llvm::Expected<std::vector<Suppression>> parseSuppressions(llvm::StringRef text,
                                                           llvm::StringRef fileName) {
  std::vector<Suppression> suppressions;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (const auto &[index, whole] : llvm::enumerate(lines)) {
    llvm::StringRef line = whole.split('#').first.trim();
    if (line.empty())
      continue;
    llvm::Expected<Suppression> suppression = parseLine(line);
    if (!suppression)
      return llvm::createStringError(fileName + ":" + llvm::Twine(index + 1) + ": " +
                                     llvm::toString(suppression.takeError()));
    suppression->line = index + 1;
    suppressions.push_back(std::move(*suppression));
  }
  return suppressions;
}

bool suppresses(std::vector<Suppression> &suppressions, const FailCondition &condition,
                llvm::StringRef kernel) {
  bool isSuppressed = false;
  for (Suppression &suppression : suppressions)
    if (llvm::is_contained(suppression.names, condition.name) &&
        llvm::cantFail(globOf(suppression.kernels)).match(kernel)) {
      suppression.wasUsed = true;
      isSuppressed = true;
    }
  return isSuppressed;
}

} // namespace tilescope
