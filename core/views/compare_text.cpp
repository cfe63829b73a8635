// A comparison as text; what became of a buffer: each change with what it was and what it is.
#include "core/views/compare_model.h"
#include "core/views/why_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

std::string fromTo(const std::string &before, const std::string &after) {
  return before + " -> " + after;
}

// "float16 (128, 32)" of "float16 (128, 32) x3"
std::string typeOf(const CompareSide &side) {
  llvm::StringRef type = side.type;
  if (side.versions > 1)
    type.consume_back(" x" + std::to_string(side.versions));
  return type.str();
}

std::string typesText(const CompareSide &before, const CompareSide &after) {
  if (typeOf(before) != typeOf(after))
    return "type " + fromTo(typeOf(before), typeOf(after));
  return "memory " + fromTo(before.scope, after.scope);
}

std::string sizesText(const CompareSide &before, const CompareSide &after) {
  auto ofOne = [](const CompareSide &side) {
    return side.sizeBytes ? groupedNumber(*side.sizeBytes / std::max<int64_t>(side.versions, 1))
                          : "?";
  };
  bool hasVersions = before.versions > 1 || after.versions > 1;
  return fromTo(ofOne(before), ofOne(after)) + (hasVersions ? " bytes a version" : " bytes");
}

// Those of `some` that are not in `all`, the first few.
std::string namesBeyond(const std::vector<std::string> &some, const std::vector<std::string> &all) {
  constexpr size_t Most = 4;
  std::vector<std::string> names;
  for (const std::string &name : some)
    if (!llvm::is_contained(all, name))
      names.push_back(name);
  if (names.empty())
    return "others"; // of another buffer of that name
  if (names.size() > Most) {
    std::string rest = std::to_string(names.size() - Most) + " more";
    names.resize(Most);
    names.push_back(rest);
  }
  return llvm::join(names, ", ");
}

std::string livesText(const std::vector<LiveInterval> &live) {
  constexpr size_t Most = 3;
  std::vector<LiveInterval> first = llvm::ArrayRef(live).take_front(Most).vec();
  if (first.empty())
    return "never";
  return toText(first) + (live.size() > Most ? " ..." : "");
}

std::string offsetText(const CompareSide &side) {
  return side.offsetBytes ? groupedNumber(*side.offsetBytes) : "?";
}

std::string layoutText(const CompareSide &side) {
  return side.layout.empty() ? "none" : side.layout;
}

std::string changeText(BufferChange change, const CompareSide &before, const CompareSide &after) {
  switch (change) {
  case BufferChange::Resized:
    return sizesText(before, after);
  case BufferChange::VersionsChanged:
    return "versions " + fromTo(std::to_string(before.versions), std::to_string(after.versions));
  case BufferChange::TypeChanged:
    return typesText(before, after);
  case BufferChange::LayoutChanged:
    return "layout " + fromTo(layoutText(before), layoutText(after));
  case BufferChange::Moved:
    return "moved " + fromTo(offsetText(before), offsetText(after));
  case BufferChange::LifetimeChanged:
    return "live " + fromTo(livesText(before.live), livesText(after.live));
  case BufferChange::Renamed:
    return "renamed";
  case BufferChange::NowShares:
    return "now shares with " + namesBeyond(after.sharesWith, before.sharesWith);
  case BufferChange::NoLongerShares:
    return "no longer shares with " + namesBeyond(before.sharesWith, after.sharesWith);
  case BufferChange::New:
  case BufferChange::Gone:
    break;
  }
  return nameOf(change);
}

std::string bytesText(std::optional<int64_t> bytes) {
  return bytes ? groupedNumber(*bytes) : "none";
}

std::string deltaText(int64_t bytes) { return bytes == 0 ? "the same" : signedNumber(bytes); }

// Growth is not red: it is no fault.
Ink deltaInk(int64_t bytes) { return bytes == 0 ? Ink{Ink::Quiet} : Ink{Ink::Notice}; }

void printPeaks(const CompareView &view, llvm::raw_ostream &out) {
  write(out, "peak", {Ink::Strong});
  out << ' ' << groupedNumber(view.peakBefore) << " -> " << groupedNumber(view.peakAfter)
      << " bytes, ";
  write(out, deltaText(view.peakAfter - view.peakBefore),
        deltaInk(view.peakAfter - view.peakBefore));
  out << '\n';
  for (const CompareKernel &kernel : view.kernels) {
    out << "  " << kernel.function << ": " << bytesText(kernel.bytesBefore) << " -> "
        << bytesText(kernel.bytesAfter);
    if (std::string blocks = blocksText(kernel); !blocks.empty())
      out << "; " << blocks << " by " << BlocksWithoutRegisters;
    if (std::string registers = registersText(kernel); !registers.empty())
      out << "; " << registers;
    out << (kernel.isPreview ? " (preview)\n" : "\n");
  }
}

void printBuffers(const CompareView &view, llvm::raw_ostream &out) {
  if (view.buffers.empty())
    return;
  std::vector<std::vector<std::string>> rows{
      {"buffer", "what changed", "type", "before", "after", "bytes"}};
  for (const CompareBuffer &buffer : view.buffers) {
    bool isRenamed = llvm::is_contained(buffer.changes, BufferChange::Renamed);
    rows.push_back({isRenamed ? buffer.before->name + " -> " + buffer.name : buffer.name,
                    changesText(buffer), (buffer.after ? buffer.after : buffer.before)->type,
                    placeText(buffer.before), placeText(buffer.after),
                    buffer.deltaBytes ? signedNumber(buffer.deltaBytes) : ""});
  }
  out << '\n';
  printTable(out, rows, 5, [&](size_t row, size_t column) {
    if (row == 0)
      return Ink{Ink::Strong};
    const CompareBuffer &buffer = view.buffers[row - 1];
    if (column == 0)
      return Ink::ofHue(buffer.hueDegrees);
    return buffer.changes.empty() ? Ink{Ink::Quiet} : column == 1 ? Ink{Ink::Notice} : Ink();
  });
}

void printPasses(const CompareView &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{{"pass", "", "before", "after", "bytes"}};
  for (const ComparePass &pass : view.passes)
    rows.push_back({std::string(2 * static_cast<size_t>(pass.depth), ' ') + pass.name,
                    !pass.before  ? "only after"
                    : !pass.after ? "only before"
                                  : "",
                    groupedNumber(pass.bytesBefore), groupedNumber(pass.bytesAfter),
                    pass.deltaBytes ? signedNumber(pass.deltaBytes) : ""});
  out << '\n';
  printTable(out, rows, 2);
  out << firstDifferenceText(view) << '\n';
}

} // namespace

std::string changesText(const CompareBuffer &buffer) {
  if (!buffer.before || !buffer.after || buffer.changes.empty())
    return toText(buffer.changes);
  std::vector<std::string> words;
  words.reserve(buffer.changes.size());
  for (BufferChange change : buffer.changes)
    words.push_back(changeText(change, *buffer.before, *buffer.after));
  return llvm::join(words, ", ");
}

std::string placeText(const std::optional<CompareSide> &side) {
  return side ? placeText(side->sizeBytes, side->offsetBytes) : "";
}

std::string firstDifferenceText(const CompareView &view) {
  if (view.firstDifference)
    return std::string(view.isFirstExact ? "the IR differs first after "
                                         : "the IR differs at the latest after ") +
           view.passes[*view.firstDifference].name;
  return view.isFirstExact ? "the IR is the same after every pass that both have"
                           : "the IR is the same after the passes that are loaded";
}

std::string blocksText(const CompareKernel &kernel) {
  auto text = [](const std::optional<int> &blocks) {
    return blocks ? std::to_string(*blocks) : "?";
  };
  if (!kernel.blocksBefore && !kernel.blocksAfter)
    return "";
  if (kernel.blocksBefore == kernel.blocksAfter)
    return text(kernel.blocksAfter) + (kernel.blocksAfter == 1 ? " block/SM" : " blocks/SM");
  return text(kernel.blocksBefore) + " -> " + text(kernel.blocksAfter) + " blocks/SM";
}

std::string registersText(const CompareKernel &kernel) {
  return changeText(kernel.registersBefore, kernel.registersAfter);
}

void print(const CompareView &view, llvm::raw_ostream &out) {
  auto printSide = [&](const char *side, const std::string &kernel, const std::string &arguments) {
    out << side << kernel << (arguments.empty() ? "" : ", ") << arguments << '\n';
  };
  printSide("before  ", view.kernelBefore, view.argumentsBefore);
  printSide("after   ", view.kernelAfter, view.argumentsAfter);
  for (const SettingDiff &setting : view.settings)
    out << "  " << setting.name << ": " << setting.before << " -> " << setting.after << '\n';
  out << '\n';
  printPeaks(view, out);
  if (!view.missing.empty())
    out << view.missing << '\n';
  printBuffers(view, out);
  if (view.sameElsewhere)
    out << llvm::formatv("{0} {1} outside of shared memory {2} the same\n", view.sameElsewhere,
                         view.sameElsewhere == 1 ? "buffer" : "buffers",
                         view.sameElsewhere == 1 ? "is" : "are");
  printPasses(view, out);
}

} // namespace tilescope
