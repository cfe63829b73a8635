#include "cli/diff_output.h"

#include "core/diff/diff_tables.h"
#include "core/support/printable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Text of strangers in a cell: no mark-up, no new cell, no mention of a person.
std::string escaped(llvm::StringRef text) {
  std::string plain = withoutControls({text.data(), text.size()}, "");
  auto isWord = [&](size_t at) { return at < plain.size() && llvm::isAlnum(plain[at]); };
  std::string result;
  for (size_t i = 0; i < plain.size(); ++i) {
    bool isInWord = plain[i] == '_' && i > 0 && isWord(i - 1) && isWord(i + 1);
    if (!isInWord && llvm::StringRef("\\`*_]<|~#@&").contains(plain[i]))
      result += llvm::formatv("&#{0};", int(plain[i])).str();
    else
      result += plain[i];
  }
  return result;
}

std::string rowOf(const std::vector<std::string> &cells) {
  std::string row = "|";
  for (const std::string &cell : cells)
    row += " " + escaped(cell) + " |";
  return row + "\n";
}

std::string tableOf(const std::vector<std::vector<std::string>> &rows, size_t leftColumns) {
  std::string text = rowOf(rows.front()) + "|";
  for (size_t column = 0; column < rows.front().size(); ++column)
    text += column < leftColumns ? "---|" : "---:|";
  text += "\n";
  for (size_t row = 1; row < rows.size(); ++row)
    text += rowOf(rows[row]);
  return text;
}

std::string overviewOf(const DiffReport &report) {
  std::vector<std::vector<std::string>> rows{
      {"kernel", "verdict", "peak bytes", "change", "capacity", "blocks/SM"}};
  size_t same = 0;
  bool showsBlocks = false;
  for (const KernelComparison *kernel : byWeight(report)) {
    if (kernel->isQuiet()) {
      ++same;
      continue;
    }
    showsBlocks |= knowsBlocks(*kernel);
    for (const DiffFigures &figures : figuresOf(*kernel))
      rows.push_back({figures.kernel, figures.verdict, figures.peak, figures.delta,
                      figures.capacity, figures.blocks});
  }
  std::string text;
  if (rows.size() > 1)
    text += "\n" + tableOf(rows, 2);
  if (showsBlocks)
    text += "\n" + blocksNote() + "\n";
  if (same > 0)
    text += llvm::formatv("\n{0} {1} the same.\n", same, same == 1 ? "kernel is" : "kernels are");
  return text;
}

std::string detailsOf(const KernelComparison &kernel) {
  if (!kernel.hasDetails() && kernel.counted.empty() && kernel.suppressed.empty())
    return "\n" + escaped(kernel.name()) + ": " + escaped(summaryOf(kernel)) + "\n";
  std::string text = "\n<details><summary>" + escaped(kernel.name()) + ": " +
                     escaped(summaryOf(kernel)) + "</summary>\n";
  if (!kernel.counted.empty())
    text += "\ncounts: " + escaped(llvm::join(kernel.counted, ", ")) + "\n";
  if (!kernel.suppressed.empty())
    text += "\nsuppressed: " + escaped(llvm::join(kernel.suppressed, ", ")) + "\n";
  if (kernel.hasDetails()) {
    for (const DiffTable &table : tablesOf(*kernel.diff))
      text += "\n**" + escaped(table.title) + "**\n\n" + tableOf(table.rows, table.leftColumns);
    std::vector<std::string> sentences = sentencesOf(*kernel.diff);
    text += sentences.empty() ? "" : "\n";
    for (const std::string &sentence : sentences)
      text += "- " + escaped(sentence) + "\n";
  }
  return text + "\n</details>\n";
}

// Cut at the end of a line.
std::string cutTo(std::string text, size_t length) {
  if (text.size() <= length)
    return text;
  text.resize(length);
  size_t end = text.rfind('\n');
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text;
}

} // namespace

std::string markdownOf(const DiffReport &report, size_t maxLength) {
  constexpr size_t Reserve = 200; // for what is said of parts that are left out
  size_t room = maxLength > Reserve ? maxLength - Reserve : 0;
  std::string text =
      llvm::formatv("{0}\n**tilescope**, {1} to {2}: {3}{4}\n", MarkdownMarker,
                    escaped(report.before), escaped(report.after), escaped(headlineOf(report)),
                    report.isCounted() ? ". **This counts.**" : "");
  text += overviewOf(report);
  for (const std::string &warning : report.warnings)
    text += "\nwarning: " + escaped(warning) + "\n";
  if (text.size() > room)
    return cutTo(std::move(text), room) + "\nThe rest was left out: it is too long.\n";
  size_t left = 0;
  for (const KernelComparison *kernel : byWeight(report)) {
    std::string details = kernel->isQuiet() ? "" : detailsOf(*kernel);
    if (text.size() + details.size() > room)
      ++left;
    else
      text += details;
  }
  if (left > 0)
    text += llvm::formatv("\nThe details of {0} {1} were left out: they are too long.\n", left,
                          left == 1 ? "kernel" : "kernels");
  return text;
}

} // namespace tilescope
