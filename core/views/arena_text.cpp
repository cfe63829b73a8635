// What `tilescope show arena` prints.
#include "core/views/arena_model.h"

#include "core/views/placement_words.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// The bytes of a buffer drawn on the scale of the whole arena.
std::string barOf(const ArenaRow &row, int64_t peakBytes) {
  constexpr int64_t Width = 32;
  std::string bar(Width, '.');
  if (peakBytes == 0)
    return bar;
  int64_t begin = row.offsetBytes * Width / peakBytes;
  int64_t end = std::max(begin + 1, (row.offsetBytes + row.sizeBytes) * Width / peakBytes);
  for (int64_t i = begin; i < std::min(end, Width); ++i)
    bar[i] = '#';
  return bar;
}

std::string textOf(const std::vector<LiveInterval> &live) {
  std::string text;
  for (const LiveInterval &interval : live)
    text += llvm::formatv("{0}[{1}, {2})", text.empty() ? "" : " ", interval.begin, interval.end);
  return text;
}

void printLaunchSized(const ArenaFunction &function, llvm::raw_ostream &out) {
  if (function.launchSized.empty())
    return;
  out << "  sized at launch, above these bytes; the certificate does not cover them\n";
  std::vector<std::vector<std::string>> rows{{"  buffer", "type", "region", "live", "why"}};
  for (const LaunchSizedRow &row : function.launchSized)
    rows.push_back({"  " + row.name, row.type, std::to_string(row.region), textOf(row.live),
                    row.sharesWith.empty()
                        ? "alone"
                        : "shares bytes with " + llvm::join(row.sharesWith, ", ")});
  printTable(out, rows, 5, [&](size_t row, size_t column) {
    if (row == 0)
      return Ink{Ink::Strong};
    return column == 0 ? Ink::ofHue(function.launchSized[row - 1].hueDegrees) : Ink();
  });
}

} // namespace

std::string toText(const ArenaConflict &conflict, const ArenaFunction &function) {
  return llvm::formatv("conflict: {0} and {1} both hold bytes [{2}, {3}) at points [{4}, {5})",
                       function.buffers[conflict.first].name,
                       function.buffers[conflict.second].name, groupedNumber(conflict.beginBytes),
                       groupedNumber(conflict.endBytes), conflict.points.begin,
                       conflict.points.end);
}

namespace {

void printConflicts(const ArenaFunction &function, llvm::raw_ostream &out) {
  for (const ArenaConflict &conflict : function.conflicts) {
    write(out, "  " + toText(conflict, function), {Ink::Bad});
    out << '\n';
  }
}

std::string proofText(const ArenaFunction &function) {
  bool fits = function.capacityBytes == 0 || function.peakBytes <= function.capacityBytes;
  if (function.proof == "optimal")
    return fits ? "optimal" : "no plan is lower";
  if (function.boundBytes == 0)
    return "least height not known";
  return kibText(function.peakBytes - function.boundBytes) + " above the bound";
}

void printFunction(const ArenaFunction &function, llvm::raw_ostream &out) {
  bool fits = function.capacityBytes == 0 || function.peakBytes <= function.capacityBytes;
  write(out, function.function, {Ink::Strong});
  out << ": ";
  write(out, groupedNumber(function.peakBytes), {fits ? Ink::Strong : Ink::Bad});
  if (function.capacityBytes > 0)
    out << " of " << groupedNumber(function.capacityBytes);
  out << " bytes" << (function.preview ? " (preview)" : "") << "\n  ";
  write(out, function.certificate,
        {!fits                         ? Ink::Bad
         : function.proof == "optimal" ? Ink::Good
                                       : Ink::Notice});
  out << '\n';
  if (function.occupancy)
    out << "  " << toText(*function.occupancy) << '\n';
  printConflicts(function, out);
  if (std::string open = unknownText(function.preview, function.unknown); !open.empty())
    out << "  " << open << '\n';
  printStatics(function.statics, function.function, out);
  if (function.buffers.empty() && function.launchSized.empty())
    return;
  std::vector<std::vector<std::string>> rows{
      {"  buffer", "type", "arena", "live", "why", "bytes", "size"}};
  for (const ArenaRow &row : function.buffers) {
    rows.push_back({"  " + row.name, row.type, barOf(row, function.peakBytes), textOf(row.live),
                    row.reason,
                    llvm::formatv("[{0}, {1})", groupedNumber(row.offsetBytes),
                                  groupedNumber(row.offsetBytes + row.sizeBytes)),
                    groupedNumber(row.sizeBytes)});
  }
  constexpr size_t Name = 0, Bar = 2;
  printTable(out, rows, 5, [&](size_t row, size_t column) {
    if (row == 0)
      return Ink{Ink::Strong};
    bool isBuffer = column == Name || column == Bar;
    return isBuffer ? Ink::ofHue(function.buffers[row - 1].hueDegrees) : Ink();
  });
  printLaunchSized(function, out);
}

} // namespace

std::string headlineOf(const ArenaFunction &function) {
  int64_t over = function.peakBytes - function.capacityBytes;
  std::string text;
  if (function.capacityBytes > 0 && over > 0)
    text = "does not fit, " + kibText(over) + " over: ";
  text += kibText(function.peakBytes);
  if (function.capacityBytes > 0)
    text += " of " + kibText(function.capacityBytes);
  if (function.occupancy && over <= 0)
    text += llvm::formatv(", {0} block{1}/SM", function.occupancy->blocks,
                          function.occupancy->blocks == 1 ? "" : "s");
  if (!function.launchSized.empty())
    text += ", more at launch";
  if (function.preview)
    text += ", preview";
  text += ", " + proofText(function) + ", " + function.function;
  if (function.occupancy && function.occupancy->nextBlocks > 0)
    text += llvm::formatv(", {0} block{1}/SM need{2} {3} less", function.occupancy->nextBlocks,
                          function.occupancy->nextBlocks == 1 ? "" : "s",
                          function.occupancy->nextBlocks == 1 ? "s" : "",
                          kibText(function.occupancy->lessBytes));
  return text;
}

void print(const ArenaView &view, llvm::raw_ostream &out) {
  out << "shared memory after " << view.pass << "\n\n";
  if (view.functions.empty())
    out << "this kernel uses no shared memory\n";
  for (const ArenaFunction &function : view.functions)
    printFunction(function, out);
}

} // namespace tilescope
