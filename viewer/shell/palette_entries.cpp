#include "viewer/shell/palette_entries.h"

#include "core/trace/trace_queries.h"
#include "core/views/arguments_model.h"
#include "viewer/panels/panel.h"
#include "viewer/shell/navigation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace tilescope {

namespace {

using EntryKind = PaletteEntry::Kind;

void addBuffers(const Trace &trace, const Selection &selection,
                std::vector<PaletteEntry> &entries) {
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes[selection.pass].snapshot];
  for (const auto &[index, buffer] : llvm::enumerate(*snapshot.buffers)) {
    std::string key = toString(buffer.key);
    entries.push_back({EntryKind::Buffer, index, "Buffer", buffer.name, key, ""});
    for (int64_t slot = 0; buffer.versions > 1 && slot != buffer.versions; ++slot)
      entries.push_back({EntryKind::Buffer, index, "Slot",
                         buffer.name + "[" + std::to_string(slot) + "]", key, "",
                         /*isPossible=*/true, slot});
  }
}

PaletteEntry entryOf(const PeakArguments &changed) {
  std::string outcome = changed.peakBytes > 0 || !changed.error.empty() ? outcomeText(changed) : "";
  return {EntryKind::Arguments, 0, "Argument", toText(changed), outcome, outcome, true, -1,
          changed.arguments};
}

// What was tried first, since that is known; then the next values of each.
void addArguments(const Document &document, const Selection &selection,
                  std::vector<PaletteEntry> &entries) {
  std::vector<PeakArguments> offered;
  auto offer = [&](PeakArguments changed) {
    auto isSame = [&](const PeakArguments &other) { return other.arguments == changed.arguments; };
    if (llvm::none_of(offered, isSame))
      offered.push_back(std::move(changed));
  };
  if (document.trials) {
    llvm::for_each(document.trials->changes, offer);
    for (const PeakArguments &cell : document.trials->map.cells)
      if (!cell.isNow && !cell.isOtherProblem && cell.error.empty())
        offer(cell);
  }
  for (const ArgumentRow &row : buildArguments(*document.trace, selection).arguments)
    for (const std::string &value : row.type == "int" ? valuesAround(row) : row.stops)
      if (value != row.value)
        offer({.arguments = {{row.name, value}}});
  llvm::transform(offered, std::back_inserter(entries), entryOf);
  if (!document.trials)
    return;
  for (const auto &[index, edit] : llvm::enumerate(document.trials->edits)) {
    std::string outcome = outcomeText(edit);
    entries.push_back({EntryKind::Edit, index, "Edit of the IR", edit.what, outcome, outcome});
  }
}

std::optional<PaletteEntry> typedArgument(const Document &document, llvm::StringRef typed) {
  auto [name, value] = typed.trim().split('=');
  if (!document.trace || !document.isLive || value.empty())
    return std::nullopt;
  auto isNamed = [&](const TraceParameter &parameter) { return parameter.name == name; };
  if (llvm::none_of(document.trace->header.parameters, isNamed))
    return std::nullopt;
  return entryOf({.arguments = {{name.str(), value.str()}}});
}

bool isFoundBy(const PaletteEntry &entry, llvm::StringRef text) {
  return llvm::any_of(
      std::array{&entry.title, &entry.words, &entry.group},
      [&](const std::string *part) { return llvm::StringRef(*part).contains_insensitive(text); });
}

} // namespace

std::vector<PaletteEntry> allPaletteEntries(const Document &document, const Selection &selection,
                                            const RequestHistory &history) {
  std::vector<PaletteEntry> entries;
  for (const auto &[index, command] : llvm::enumerate(allCommands()))
    entries.push_back({EntryKind::Command, index, command.group.str(), command.title.str(),
                       command.name.str(), command.keys.str(),
                       canDo(command.id, document, selection, history)});
  const Trace *trace = document.trace;
  if (!trace)
    return entries;
  for (const auto &[index, panel] : llvm::enumerate(allPanels()))
    entries.push_back({EntryKind::Panel, index, "Panel", panel.title.str(), panel.name.str(), ""});
  for (size_t pass = 0; pass != trace->passes.size(); ++pass)
    entries.push_back({EntryKind::Pass, pass, "Pass", passPlace(*trace, pass), "", ""});
  addBuffers(*trace, selection, entries);
  if (document.kernels.size() > 1)
    for (const auto &[index, kernel] : llvm::enumerate(document.kernels))
      entries.push_back({EntryKind::Kernel, index, "Kernel", kernel.label, "", ""});
  if (document.isLive)
    addArguments(document, selection, entries);
  return entries;
}

std::vector<PaletteEntry> matchingEntries(std::vector<PaletteEntry> entries,
                                          llvm::StringRef typed) {
  llvm::SmallVector<llvm::StringRef> words;
  typed.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::erase_if(entries, [&](const PaletteEntry &entry) {
    if (words.empty())
      return entry.kind != PaletteEntry::Kind::Command;
    return !llvm::all_of(words, [&](llvm::StringRef word) { return isFoundBy(entry, word); });
  });
  auto rank = [whole = typed.trim()](const PaletteEntry &entry) {
    return whole.equals_insensitive(entry.title) ? 0 : isFoundBy(entry, whole) ? 1 : 2;
  };
  llvm::stable_sort(
      entries, [&](const PaletteEntry &a, const PaletteEntry &b) { return rank(a) < rank(b); });
  return entries;
}

std::vector<PaletteEntry> offeredEntries(const Document &document, const Selection &selection,
                                         llvm::StringRef typed, const RequestHistory &history) {
  std::vector<PaletteEntry> entries =
      matchingEntries(allPaletteEntries(document, selection, history), typed);
  std::optional<PaletteEntry> argument = typedArgument(document, typed);
  if (!argument)
    return entries;
  auto same = llvm::find_if(
      entries, [&](const PaletteEntry &entry) { return entry.title == argument->title; });
  if (same != entries.end())
    std::rotate(entries.begin(), same, std::next(same));
  else
    entries.insert(entries.begin(), std::move(*argument));
  return entries;
}

} // namespace tilescope
