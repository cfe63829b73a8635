#include "core/run/stage_change.h"

#include "core/ir/printer.h"
#include "core/support/unified_diff.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Of a place that is large.
constexpr size_t MostLines = 24;

struct StageText {
  std::string text;
  std::optional<size_t> lineOfStmt;
};

// Without the lines that say which properties a function has: nearly every pass changes them.
StageText textOf(const Module &module, StmtId stmt) {
  StageText result;
  size_t line = 0;
  for (const PrintedLine &printed : printLines(module, /*tagged=*/false)) {
    if (llvm::StringRef(printed.text).starts_with("@"))
      continue;
    if (stmt.isValid() && printed.stmt == stmt && !result.lineOfStmt)
      result.lineOfStmt = line;
    result.text += printed.text + "\n";
    ++line;
  }
  return result;
}

// A hunk, and the lines [begin, end) of the text after it that it is about.
struct ChangedPlace {
  const DiffHunk *hunk = nullptr;
  size_t begin = 0;
  size_t end = 0;

  size_t distanceTo(size_t line) const {
    if (line < begin)
      return begin - line;
    return line < end ? 0 : line - end + 1;
  }
};

std::vector<ChangedPlace> placesOf(const FileDiff &diff) {
  std::vector<ChangedPlace> places;
  uint64_t inserted = 0, removed = 0; // by the hunks before
  for (const DiffHunk &hunk : diff.hunks) {
    uint64_t first = hunk.oldCount == 0 ? hunk.oldBegin : hunk.oldBegin - 1;
    size_t begin = first + inserted - removed;
    places.push_back({&hunk, begin, begin + hunk.newCount});
    inserted += hunk.newCount;
    removed += hunk.oldCount;
  }
  return places;
}

// The line of a hunk that is line `wanted` of the text after it; of what is beyond it an end.
size_t lineInHunk(const ChangedPlace &place, size_t wanted) {
  size_t line = place.begin, at = 0;
  for (const DiffLine &diffLine : place.hunk->lines) {
    if (line >= wanted && diffLine.mark != '-')
      break;
    line += diffLine.mark != '-';
    ++at;
  }
  return at;
}

std::vector<std::string> linesOf(const ChangedPlace &place, size_t wanted) {
  llvm::ArrayRef<DiffLine> lines = place.hunk->lines;
  if (lines.size() > MostLines) {
    size_t focus = lineInHunk(place, wanted);
    size_t first = std::min(focus - std::min(focus, MostLines / 2), lines.size() - MostLines);
    lines = lines.slice(first, MostLines);
  }
  std::vector<std::string> shown;
  for (const DiffLine &line : lines)
    shown.push_back(line.mark + llvm::StringRef(line.text).rtrim().str());
  return shown;
}

} // namespace

StageChange changeNear(const Module &before, const Module &after, StmtId stmt) {
  StageText old = textOf(before, StmtId()), changed = textOf(after, stmt);
  std::string text = makeUnifiedDiff(old.text, changed.text, "IR");
  if (text.empty())
    return {};
  std::vector<FileDiff> diffs = llvm::cantFail(parseUnifiedDiff(text));
  std::vector<ChangedPlace> places = placesOf(diffs.front());
  size_t wanted = changed.lineOfStmt.value_or(0);
  const auto *nearest = &places.front();
  for (const ChangedPlace &place : places)
    if (place.distanceTo(wanted) < nearest->distanceTo(wanted))
      nearest = &place;
  return {linesOf(*nearest, wanted), places.size() - 1};
}

} // namespace tilescope
