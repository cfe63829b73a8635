// merge: the shards of a sweep as one result.
#include "cli/sweep_output.h"

namespace tilescope {

namespace {

constexpr const char *MergeOverview =
    "Joins what 'tilescope sweep --shard' wrote. The shards must be of one sweep, with the same\n"
    "kernel, values and options, and hold every point once.\n"
    "Exit code: 0 fine, 1 a point failed, 2 trouble.\n\n"
    "  tilescope merge part-*.sweep -o gemm.csv\n";

llvm::Expected<SweepJournal> readShards(const std::vector<std::string> &paths) {
  std::vector<SweepJournal> journals;
  for (const std::string &path : paths) {
    llvm::Expected<std::string> text = readFile(path);
    if (!text)
      return text.takeError();
    llvm::Expected<std::optional<SweepJournal>> journal = readJournal(*text, path);
    if (!journal)
      return journal.takeError();
    if (!*journal)
      return llvm::createStringError("'" + path + "' ends before its first line does");
    journals.push_back(std::move(**journal));
  }
  return mergeJournals(std::move(journals), paths);
}

} // namespace

int runMerge(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope merge");
  llvm::cl::list<std::string> shards(llvm::cl::Positional, llvm::cl::OneOrMore,
                                     llvm::cl::desc("SHARDS"), llvm::cl::cat(category));
  SweepOutput output(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, MergeOverview))
    return *exitCode;
  std::vector<std::string> paths(shards.begin(), shards.end());
  std::vector<NamedFile> inputs;
  inputs.reserve(paths.size());
  for (const std::string &path : paths)
    inputs.push_back({"shard", path});
  if (llvm::Error error = checkOutputs({{"-o", output.path()}}, inputs))
    return report(std::move(error));
  llvm::Expected<SweepJournal> sweep = readShards(paths);
  if (!sweep)
    return report(sweep.takeError());
  return output.write(*sweep);
}

} // namespace tilescope
