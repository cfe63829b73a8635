// The peak as text.
#include "core/views/peak_model.h"

#include "core/views/capacity_text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

std::string toText(const PeakChange &change) {
  if (change.change == "fewer-stages")
    return "num_stages=" + std::to_string(change.stages) + lineText(" in line ", change.sourceLine);
  if (change.change == "fewer-versions")
    return "one version less of " + change.buffer;
  if (change.change == "no-padding")
    return "no more alignment of " + change.buffer + " than the others need";
  return change.buffer + " not live at that point";
}

std::string toText(const PeakStep &step) {
  std::string names;
  for (size_t i = 0; i != step.buffers.size(); ++i)
    names += (i == 0 ? "" : i + 1 == step.buffers.size() ? " and " : ", ") + step.buffers[i];
  return llvm::formatv("one stage less of {0} (num_stages={1}{2})", names, step.stages,
                       lineText(" in line ", step.sourceLine))
      .str();
}

std::string stepsHeading(const PeakFunction &function) {
  if (function.steps.empty())
    return "";
  return llvm::formatv("towards {0} blocks/SM, {1} bytes or less", function.occupancy->nextBlocks,
                       groupedNumber(function.occupancy->nextBytes))
      .str();
}

std::string stepsResult(const PeakFunction &function) {
  if (function.steps.empty())
    return "";
  int64_t tooMany = function.steps.back().peakBytes - function.occupancy->nextBytes;
  if (tooMany <= 0)
    return llvm::formatv("fits {0} blocks/SM", function.occupancy->nextBlocks).str();
  return "still " + groupedNumber(tooMany) + " bytes too many: fewer stages alone do not do it";
}

namespace {

void printLive(const PeakFunction &function, llvm::raw_ostream &out) {
  out << "\n  most is live at " << toText(function.at) << ": " << groupedNumber(function.liveBytes)
      << " bytes\n";
  std::vector<std::vector<std::string>> rows{
      {"  buffer", "written", "last read", "bytes", "versions"}};
  for (const WhyBuffer &buffer : function.live)
    rows.push_back({"  " + buffer.name, buffer.definition ? toText(*buffer.definition) : "never",
                    buffer.lastUse ? toText(*buffer.lastUse) : "never",
                    groupedNumber(buffer.sizeBytes), std::to_string(buffer.versions)});
  printTable(out, rows, 3, [&](size_t row, size_t column) {
    return row > 0 && column == 0 ? Ink::ofHue(function.live[row - 1].hueDegrees)
                                  : headingInk(row, column);
  });
}

void printChanges(const PeakFunction &function, llvm::raw_ostream &out) {
  if (function.changes.empty())
    return;
  auto tooLarge = [&](int64_t bytes) {
    return function.capacityBytes > 0 && bytes > function.capacityBytes;
  };
  out << "\n  single changes that would lower it\n";
  std::vector<std::vector<std::string>> rows{{"  change", "gains", "peak", "blocks/SM"}};
  for (const PeakChange &change : function.changes)
    rows.push_back({"  " + toText(change), groupedNumber(change.gainBytes),
                    groupedNumber(change.peakBytes),
                    tooLarge(change.peakBytes) ? "too large"
                    : change.blocksPerSm > 0   ? std::to_string(change.blocksPerSm)
                                               : ""});
  printTable(out, rows, 1);
}

void printSteps(const PeakFunction &function, llvm::raw_ostream &out) {
  if (function.steps.empty())
    return;
  std::vector<std::vector<std::string>> rows{{"  " + stepsHeading(function), "gains", "peak"}};
  for (const PeakStep &step : function.steps)
    rows.push_back(
        {"  " + toText(step), groupedNumber(step.gainBytes), groupedNumber(step.peakBytes)});
  out << '\n';
  printTable(out, rows, 1);
  out << "  " << stepsResult(function) << '\n';
}

void printFunction(const PeakFunction &function, llvm::raw_ostream &out) {
  printContext(function.context, out);
  out << llvm::formatv("  {0}; {1}\n", capacityText(function.peakBytes, function.capacityBytes),
                       function.certificate);
  if (!function.conflict.empty()) {
    write(out, "  " + function.conflict, {Ink::Bad});
    out << '\n';
  }
  if (function.occupancy)
    out << "  " << toText(*function.occupancy) << '\n';
  if (!function.cannotFit.empty())
    out << "  cannot fit together: " << llvm::join(function.cannotFit, ", ") << '\n';
  if (!function.live.empty())
    printLive(function, out);
  printChanges(function, out);
  printSteps(function, out);
}

} // namespace

void print(const PeakView &view, llvm::raw_ostream &out) {
  if (view.functions.empty() && view.statics.empty())
    out << "this kernel uses no shared memory\n";
  const char *separator = "";
  std::set<std::string> printed;
  for (const PeakFunction &function : view.functions) {
    out << separator;
    printFunction(function, out);
    printStatics(view.statics, function.context.function, out);
    printed.insert(function.context.function);
    separator = "\n";
  }
  for (const StaticArray &array : view.statics) {
    if (!printed.insert(array.function).second)
      continue;
    out << separator << array.function << ": no dynamic shared memory\n";
    printStatics(view.statics, array.function, out);
    separator = "\n";
  }
  print(view.trials, out);
}

} // namespace tilescope
