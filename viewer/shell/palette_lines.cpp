#include "viewer/shell/palette_lines.h"

#include "core/trace/trace_queries.h"
#include "core/views/cuda_model.h"
#include "core/views/ir_model.h"
#include "viewer/panels/panel.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr size_t LeastTyped = 3;   // of a text: fewer are in most lines
constexpr size_t MostOfAText = 12; // whoever wants all of them has the panel Search

llvm::StringRef numberIn(llvm::StringRef typed) {
  typed = typed.trim();
  typed.consume_front_insensitive("line ");
  return typed.trim();
}

// The lines of one text that are meant.
class FoundLines {
public:
  FoundLines(llvm::StringRef panel, llvm::StringRef group, llvm::StringRef typed)
      : group_(group), typed_(typed.trim()) {
    const auto *found =
        llvm::find_if(allPanels(), [&](const PanelInfo &info) { return info.name == panel; });
    panel_ = static_cast<size_t>(found - allPanels().begin());
    if (isLineNumber(typed))
      numberIn(typed).getAsInteger(10, number_);
  }

  void add(size_t index, llvm::StringRef text, Pick pick) {
    bool isMeant = number_ > 0 ? index + 1 == number_
                               : typed_.size() >= LeastTyped && text.contains_insensitive(typed_);
    if (!isMeant || pick.isEmpty() || entries.size() == MostOfAText)
      return;
    PaletteEntry entry{PaletteEntry::Kind::Line,
                       panel_,
                       group_.str(),
                       std::to_string(index + 1) + ": " + text.trim().str(),
                       "",
                       ""};
    entry.pick = std::move(pick);
    entries.push_back(std::move(entry));
  }

  std::vector<PaletteEntry> entries;

private:
  llvm::StringRef group_, typed_;
  size_t panel_ = 0;
  size_t number_ = 0; // 0: a text is typed
};

} // namespace

bool isLineNumber(llvm::StringRef typed) {
  size_t number = 0;
  return !numberIn(typed).getAsInteger(10, number) && number > 0;
}

std::vector<PaletteEntry> lineEntries(const Trace &trace, const Selection &selection,
                                      llvm::StringRef typed) {
  FoundLines source("source", "Line of the kernel", typed), ir("ir", "Line of the IR", typed),
      cuda("cuda", "Line of the CUDA", typed);
  for (const auto &[index, text] : llvm::enumerate(sourceLinesOf(trace)))
    source.add(index, text, {.sourceLine = KernelLine(static_cast<uint32_t>(index + 1))});
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes[selection.pass].snapshot];
  if (isLoaded(snapshot))
    for (const auto &[index, line] : llvm::enumerate(irLinesOf(trace, snapshot)))
      ir.add(index, line.text, {.stmt = line.stmt, .sourceLine = line.sourceLine});
  for (const auto &[index, line] : llvm::enumerate(buildCuda(trace, selection).lines))
    cuda.add(index, line.text, {.stmt = line.stmt, .sourceLine = line.sourceLine});
  std::vector<PaletteEntry> entries = std::move(source.entries);
  llvm::append_range(entries, std::move(ir.entries));
  llvm::append_range(entries, std::move(cuda.entries));
  return entries;
}

} // namespace tilescope
