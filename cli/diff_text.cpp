#include "cli/diff_output.h"

#include "core/diff/diff_tables.h"
#include "core/views/view.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

Ink inkOf(DiffVerdict verdict) {
  switch (verdict) {
  case DiffVerdict::Same:
    return {Ink::Quiet};
  case DiffVerdict::Changed:
  case DiffVerdict::Smaller:
  case DiffVerdict::Larger:
    return {Ink::Notice};
  case DiffVerdict::Better:
    return {Ink::Good};
  case DiffVerdict::Worse:
  case DiffVerdict::NotCompared:
  case DiffVerdict::Failed:
    return {Ink::Bad};
  }
  return {};
}

void printDetails(const CompileDiff &diff, llvm::raw_ostream &out) {
  for (const DiffTable &table : tablesOf(diff)) {
    out << '\n';
    write(out, table.title, {Ink::Strong});
    out << '\n';
    printTable(out, table.rows, table.leftColumns);
  }
  std::vector<std::string> sentences = sentencesOf(diff);
  if (!sentences.empty())
    out << '\n';
  for (const std::string &sentence : sentences)
    out << sentence << '\n';
}

void printKernel(const KernelComparison &kernel, llvm::raw_ostream &out) {
  write(out, nameOf(kernel.verdict()), inkOf(kernel.verdict()));
  out << "  " << kernel.name() << ": " << summaryOf(kernel) << '\n';
  if (!kernel.counted.empty()) {
    write(out, "counts", {Ink::Bad});
    out << ": " << llvm::join(kernel.counted, ", ") << '\n';
  }
  if (!kernel.suppressed.empty())
    out << "suppressed: " << llvm::join(kernel.suppressed, ", ") << '\n';
  if (kernel.hasDetails())
    printDetails(*kernel.diff, out);
}

} // namespace

void printText(const DiffReport &report, llvm::raw_ostream &out) {
  out << "before  " << report.before << "\nafter   " << report.after << '\n';
  write(out, headlineOf(report), inkOf(report.verdict()));
  out << '\n';
  bool followsDetails = true, showsBlocks = false;
  for (const KernelComparison *kernel : byWeight(report)) {
    bool hasDetails = !kernel->isQuiet();
    if (hasDetails || followsDetails)
      out << '\n';
    printKernel(*kernel, out);
    followsDetails = hasDetails;
    showsBlocks |= hasDetails && knowsBlocks(*kernel);
  }
  if (showsBlocks)
    out << '\n' << blocksNote() << '\n';
}

} // namespace tilescope
