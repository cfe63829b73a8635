#include "viewer/panels/widgets/pass_cells.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

std::string linesText(const PassRow &row) {
  return row.linesAdded || row.linesRemoved
             ? llvm::formatv("+{0} -{1}", row.linesAdded, row.linesRemoved).str()
             : "";
}

std::string indented(const std::string &name, int depth) {
  return std::string(2 * static_cast<size_t>(std::clamp(depth, 0, 20)), ' ') + name;
}

std::string sharedText(const PassRow &row) {
  return (row.sharedIsPreview ? "~" : "") + kibNumber(row.sharedBytes);
}

std::string deltaText(int64_t bytes) {
  return bytes == 0 ? "" : (bytes > 0 ? "+" : "") + kibNumber(bytes);
}

std::string millisecondsOf(const PassRow &row) {
  double milliseconds = static_cast<double>(row.wallMicroseconds) / 1000;
  return milliseconds < 9.995   ? llvm::formatv("{0:f2}", milliseconds).str()
         : milliseconds < 99.95 ? llvm::formatv("{0:f1}", milliseconds).str()
                                : llvm::formatv("{0:f0}", milliseconds).str();
}

void drawVerdicts(const PassRow &row, const Theme &theme) {
  llvm::SmallVector<Verdict> verdicts = {row.verdicts.verified, row.verdicts.arenaSound,
                                         row.verdicts.hazardFree};
  if (row.runsAsWritten)
    verdicts.push_back(*row.runsAsWritten);
  for (Verdict verdict : verdicts) {
    constexpr Mark Marks[] = {Mark::Hollow, Mark::Cross, Mark::Check};
    constexpr Meaning Meanings[] = {Meaning::Faint, Meaning::Bad, Meaning::Good};
    auto index = static_cast<size_t>(verdict);
    drawMark(Marks[index], theme.color(Meanings[index]));
    ImGui::SameLine(0, 2 * theme.scale);
  }
}

std::string tooltipOf(const PassRow &row, const std::string &pinned, const std::string &event) {
  std::string text = row.name;
  if (!row.options.empty())
    text += "{" + row.options + "}";
  text += row.failed ? ", failed" : row.changed ? "" : ", changed nothing";
  text += llvm::formatv("\nlines +{0} -{1}\nshared {2} bytes{3}, {4}\n{5} ms, {6} remarks\n"
                        "IR verified: {7}\narena sound: {8}\nfree of hazards: {9}",
                        row.linesAdded, row.linesRemoved, groupedNumber(row.sharedBytes),
                        row.sharedIsPreview ? " (preview)" : "",
                        row.sharedDeltaBytes ? signedNumber(row.sharedDeltaBytes) : "as before",
                        llvm::formatv("{0:f3}", static_cast<double>(row.wallMicroseconds) / 1000),
                        row.remarkCount, textOf(row.verdicts.verified),
                        textOf(row.verdicts.arenaSound), textOf(row.verdicts.hazardFree))
              .str();
  if (row.irBytes)
    text += "\nIR made: " + groupedNumber(row.irBytes) + " bytes";
  if (row.runsAsWritten)
    text += std::string("\nruns as written: ") + textOf(*row.runsAsWritten);
  return event.empty() ? text : text + "\n" + pinned + ": " + event;
}

} // namespace tilescope
