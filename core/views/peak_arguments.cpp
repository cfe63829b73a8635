#include "core/views/peak_arguments.h"

#include "core/views/arguments_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

std::vector<std::string> valuesAround(const ArgumentRow &row) {
  constexpr ptrdiff_t Steps = 2;
  if (row.type != "int")
    return {};
  auto numberOf = [](llvm::StringRef literal) {
    int64_t number = 0;
    return literal.getAsInteger(10, number) ? std::optional<int64_t>() : number;
  };
  std::optional<int64_t> now = numberOf(row.value);
  if (!now)
    return {};
  std::vector<std::string> below, above;
  for (const std::string &stop : row.stops) {
    std::optional<int64_t> number = numberOf(stop);
    if (number && *number < *now && *number > 0)
      below.push_back(stop);
    else if (number && *number > *now)
      above.push_back(stop);
  }
  std::vector<std::string> values(below.end() - std::min<ptrdiff_t>(Steps, std::ssize(below)),
                                  below.end());
  values.push_back(row.value);
  above.resize(std::min<size_t>(Steps, above.size()));
  llvm::append_range(values, above);
  return values;
}

std::string toText(const PeakArguments &changed) {
  return llvm::join(
      llvm::map_range(changed.arguments,
                      [](const auto &argument) { return argument.first + "=" + argument.second; }),
      ", ");
}

namespace {

std::string outcomeText(int64_t peakBytes, std::optional<int64_t> blocksPerSm) {
  std::string text = kibText(peakBytes);
  if (blocksPerSm)
    text += ", " + std::to_string(*blocksPerSm) + (*blocksPerSm == 1 ? " block/SM" : " blocks/SM");
  return text;
}

} // namespace

std::string outcomeText(const PeakArguments &changed) {
  if (!changed.error.empty())
    return "does not compile";
  if (changed.isOtherProblem)
    return "other tensors";
  return outcomeText(changed.peakBytes, changed.blocksPerSm);
}

std::string outcomeText(const PeakEdit &edit) {
  return outcomeText(edit.peakBytes, edit.blocksPerSm);
}

namespace {

void printArgumentChanges(const std::vector<PeakArguments> &changes, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{{"  change", "gains", "peak", "blocks/SM"}};
  for (const PeakArguments &changed : changes)
    rows.push_back({"  " + toText(changed), groupedNumber(changed.gainBytes),
                    groupedNumber(changed.peakBytes),
                    changed.blocksPerSm ? std::to_string(*changed.blocksPerSm) : ""});
  out << "\n  other arguments, one step further, compiled\n";
  printTable(out, rows, 1);
}

void printEdits(const std::vector<PeakEdit> &edits, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{{"  edit", "gains", "peak", "blocks/SM"}};
  for (const PeakEdit &edit : edits)
    rows.push_back({"  " + edit.what, groupedNumber(edit.gainBytes), groupedNumber(edit.peakBytes),
                    edit.blocksPerSm ? std::to_string(*edit.blocksPerSm) : ""});
  out << "\n  edits of the IR, compiled\n";
  printTable(out, rows, 1);
}

void printMap(const PeakMap &map, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{{"  " + map.down + " \\ " + map.across}};
  llvm::append_range(rows[0], map.acrossValues);
  for (size_t i = 0; i != map.cells.size(); ++i) {
    if (i % map.acrossValues.size() == 0)
      rows.push_back({"  " + map.downValues[i / map.acrossValues.size()]});
    rows.back().push_back(outcomeText(map.cells[i]) + (map.cells[i].isNow ? " *" : ""));
  }
  out << "\n  " << map.down << " and " << map.across << ", compiled; * as it is\n";
  printTable(out, rows, 1);
}

} // namespace

void print(const PeakTrials &trials, llvm::raw_ostream &out) {
  if (!trials.changes.empty())
    printArgumentChanges(trials.changes, out);
  if (!trials.edits.empty())
    printEdits(trials.edits, out);
  if (!trials.map.cells.empty())
    printMap(trials.map, out);
}

} // namespace tilescope
