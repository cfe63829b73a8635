#include "cli/problem_options.h"

#include "llvm/Support/WithColor.h"

namespace tilescope {

namespace {

// NAME=VALUE of an option.
llvm::Expected<std::pair<std::string, std::string>> splitSetting(llvm::StringRef option,
                                                                 llvm::StringRef setting) {
  auto [name, value] = setting.split('=');
  if (name.empty() || value.empty())
    return llvm::createStringError("--" + option.str() + " wants NAME=VALUE, not '" +
                                   setting.str() + "'");
  return std::pair(name.str(), value.str());
}

llvm::Error readSettings(llvm::ArrayRef<std::string> dims, llvm::ArrayRef<std::string> fills,
                         ProblemOptions &options) {
  for (const std::string &text : dims) {
    auto setting = splitSetting("dim", text);
    if (!setting)
      return setting.takeError();
    options.scalars[setting->first] = setting->second;
  }
  for (const std::string &text : fills) {
    if (text.find('=') == std::string::npos) {
      options.fillOfFloats = text;
      continue;
    }
    auto setting = splitSetting("fill", text);
    if (!setting)
      return setting.takeError();
    options.fills.insert(*setting);
  }
  return llvm::Error::success();
}

} // namespace

ProblemOption::ProblemOption(llvm::cl::OptionCategory &category)
    : seed_("seed", llvm::cl::desc("Seed of the inputs (default: 0)"), llvm::cl::init(0),
            llvm::cl::cat(category)),
      dims_(
          "dim",
          llvm::cl::desc("Value of a dynamic dimension or scalar parameter, as its type is "
                         "written: m=1000, scale=0.125, causal=true; m=1..1000: one of these, "
                         "by the seed (default: extents 100, other integers 1, floats 0.5, true)"),
          llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category)),
      fills_(
          "fill",
          llvm::cl::desc("What a tensor starts as: random, integers, zeros, ones, arange, nan, a "
                         "number, LOW..HIGH, a list of numbers or @FILE.npy (default: random, of "
                         "indices those in range); HOW alone: of all other floats"),
          llvm::cl::value_desc("[TENSOR=]HOW"), llvm::cl::cat(category)) {}

llvm::Expected<ProblemOptions> ProblemOption::given() const {
  ProblemOptions options;
  options.seed = seed_;
  if (llvm::Error error = readSettings(dims_, fills_, options))
    return error;
  return options;
}

void printChosen(const Problem &problem) {
  if (!problem.chosen.empty())
    llvm::WithColor::note(llvm::errs(), "tilescope")
        << "known only at launch, chosen here: " << problem.chosen << " (--dim)\n";
}

} // namespace tilescope
