#include "core/run/stage_change.h"

#include "core/ir/printer.h"
#include "core/ir/visit.h"
#include "core/run/value_origins.h"
#include "core/support/unified_diff.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

// Of a place that is large.
constexpr size_t MostLines = 24;
constexpr size_t MostOrigins = 12;

struct StageText {
  std::string text;
  std::map<StmtId, size_t> lines; // where statements begin
};

// Without the lines that say which properties a function has: nearly every pass changes them.
StageText textOf(const Module &module) {
  StageText result;
  size_t line = 0;
  for (const PrintedLine &printed : printLines(module, /*tagged=*/false)) {
    if (llvm::StringRef(printed.text).starts_with("@"))
      continue;
    result.text += printed.text + "\n";
    if (printed.stmt.isValid())
      result.lines.try_emplace(printed.stmt, line);
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

// Of the text after it.
std::set<size_t> insertedLines(llvm::ArrayRef<ChangedPlace> places) {
  std::set<size_t> inserted;
  for (const ChangedPlace &place : places) {
    size_t line = place.begin;
    for (const DiffLine &diffLine : place.hunk->lines) {
      if (diffLine.mark == '+')
        inserted.insert(line);
      line += diffLine.mark != '-';
    }
  }
  return inserted;
}

const Function *functionWith(const Module &module, StmtId wanted) {
  for (const Function *function : module.functions) {
    bool isFound = false;
    walk(function->body, [&](const Stmt *stmt) { return !(isFound |= stmt->id() == wanted); });
    if (isFound)
      return function;
  }
  return nullptr;
}

void addOrigins(const Function &function, llvm::ArrayRef<StmtId> blamed, const StageText &changed,
                const std::set<size_t> &inserted, StageChange &change) {
  std::set<uint32_t> lines; // of the kernel
  for (const Stmt *stmt : originsOf(function, blamed)) {
    auto at = changed.lines.find(stmt->id());
    if (at == changed.lines.end() || !inserted.contains(at->second))
      continue;
    if (stmt->span().isValid() && !lines.insert(stmt->span().line).second)
      continue;
    // The one that wrote the value is what the report begins with.
    if (blamed.size() == 1 && stmt->id() == blamed.front())
      continue;
    if (change.origins.size() == MostOrigins) {
      ++change.otherOrigins;
      continue;
    }
    std::string text = printStmt(function, *stmt);
    llvm::StringRef head = llvm::StringRef(text).ltrim().split('\n').first;
    change.origins.push_back({stmt->span(), head.str()});
  }
}

} // namespace

StageChange changeNear(const Module &before, const Module &after, llvm::ArrayRef<StmtId> blamed) {
  StmtId first = blamed.empty() ? StmtId() : blamed.front();
  StageText old = textOf(before), changed = textOf(after);
  std::string text = makeUnifiedDiff(old.text, changed.text, "IR");
  if (text.empty())
    return {};
  std::vector<FileDiff> diffs = llvm::cantFail(parseUnifiedDiff(text));
  std::vector<ChangedPlace> places = placesOf(diffs.front());
  auto line = changed.lines.find(first);
  size_t wanted = line == changed.lines.end() ? 0 : line->second;
  const auto *nearest = &places.front();
  for (const ChangedPlace &place : places)
    if (place.distanceTo(wanted) < nearest->distanceTo(wanted))
      nearest = &place;
  StageChange change{linesOf(*nearest, wanted), places.size() - 1};
  if (const Function *function = functionWith(after, first))
    addOrigins(*function, blamed, changed, insertedLines(places), change);
  return change;
}

} // namespace tilescope
