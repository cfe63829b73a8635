#include "viewer/shell/palette_entries.h"

#include "core/trace/trace_queries.h"
#include "viewer/panels/panel.h"
#include "viewer/shell/navigation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tilescope {

std::vector<PaletteEntry> allPaletteEntries(const Document &document, const Selection &selection) {
  using Kind = PaletteEntry::Kind;
  std::vector<PaletteEntry> entries;
  for (const auto &[index, command] : llvm::enumerate(allCommands()))
    entries.push_back({Kind::Command, index, command.group.str(), command.title.str(),
                       command.name.str(), command.keys.str(),
                       canDo(command.id, document, selection)});
  const Trace *trace = document.trace;
  if (!trace)
    return entries;
  for (const auto &[index, panel] : llvm::enumerate(allPanels()))
    entries.push_back({Kind::Panel, index, "Panel", panel.title.str(), panel.name.str(), ""});
  for (size_t pass = 0; pass != trace->passes.size(); ++pass)
    entries.push_back({Kind::Pass, pass, "Pass", passPlace(*trace, pass), "", ""});
  const TraceSnapshot &snapshot = trace->snapshots[trace->passes[selection.pass].snapshot];
  for (const auto &[index, buffer] : llvm::enumerate(*snapshot.buffers))
    entries.push_back({Kind::Buffer, index, "Buffer", buffer.name, toString(buffer.key), ""});
  return entries;
}

std::vector<PaletteEntry> matchingEntries(std::vector<PaletteEntry> entries,
                                          llvm::StringRef typed) {
  llvm::SmallVector<llvm::StringRef> words;
  typed.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::erase_if(entries, [&](const PaletteEntry &entry) {
    if (words.empty())
      return entry.kind != PaletteEntry::Kind::Command;
    return !llvm::all_of(words, [&](llvm::StringRef word) {
      return llvm::StringRef(entry.title).contains_insensitive(word) ||
             llvm::StringRef(entry.words).contains_insensitive(word) ||
             llvm::StringRef(entry.group).contains_insensitive(word);
    });
  });
  return entries;
}

} // namespace tilescope
