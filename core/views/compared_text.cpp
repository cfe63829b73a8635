#include "core/views/compared_text.h"

#include "core/diff/trace_diff.h"
#include "core/json/json_value.h"
#include "core/support/line_edits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <unordered_map>

namespace tilescope {

namespace {

// Lines of the older kernel file, from 1, as lines of the newer one; those that are gone have none.
class KernelLines {
public:
  KernelLines(llvm::StringRef before, llvm::StringRef after) {
    if (before == after)
      return;
    isEdited_ = true;
    llvm::StringMap<uint32_t> ids;
    std::vector<uint32_t> linesBefore = idsOf(before, ids);
    newer_.assign(linesBefore.size() + 1, 0);
    uint32_t x = 0, y = 0;
    auto keep = [&](size_t end) {
      for (; x < end; ++x, ++y)
        newer_[x + 1] = y + 1;
    };
    for (const LineEdit &edit : diffLines(linesBefore, idsOf(after, ids))) {
      keep(edit.at);
      x += edit.removed;
      y += static_cast<uint32_t>(edit.inserted.size());
    }
    keep(linesBefore.size());
  }

  KernelLine newer(KernelLine line) const {
    if (isEdited_)
      line.number = line.number < newer_.size() ? newer_[line.number] : 0;
    return line;
  }

private:
  static std::vector<uint32_t> idsOf(llvm::StringRef text, llvm::StringMap<uint32_t> &ids) {
    std::vector<uint32_t> lines;
    while (!text.empty()) {
      auto [line, rest] = text.split('\n');
      text = rest;
      lines.push_back(ids.try_emplace(line, static_cast<uint32_t>(ids.size())).first->second);
    }
    return lines;
  }

  bool isEdited_ = false;
  std::vector<uint32_t> newer_; // by the older line
};

// "T.copy" of "  T.copy(A[by * 64], A_shared)", "for k in T.serial", "sums" of "sums[i] = 0.0".
llvm::StringRef beginningOf(llvm::StringRef text) {
  return text.trim().take_until([](char c) { return c == '(' || c == '[' || c == '='; }).rtrim();
}

class Identifier {
public:
  explicit Identifier(const TraceSnapshot &snapshot) {
    for (const BufferRecord &record : *snapshot.buffers)
      names_.try_emplace(record.id, nameInFunction(record.key));
  }

  // Lines that stand for nothing in the kernel file are told by their text.
  std::string of(const IrLine &line) const {
    if (auto found = names_.find(line.buffer); line.buffer.isValid() && found != names_.end())
      return "buffer " + found->second;
    if (!line.sourceLine)
      return "text " + line.text;
    return "line " + std::to_string(line.sourceLine.number) + " " + beginningOf(line.text).str();
  }

private:
  std::unordered_map<BufferId, std::string> names_;
};

std::vector<IdentifiedLine> identify(const TextOfTrace &text) {
  Identifier identifier(text.snapshot);
  std::vector<IdentifiedLine> lines;
  lines.reserve(text.lines.size());
  for (const IrLine &line : text.lines)
    lines.push_back({line.text, identifier.of(line)});
  return lines;
}

// Gives buffers of the older side the ids of the newer one, and others ids that it does not use.
void unifyBuffers(TextOfTrace &before, const TextOfTrace &after,
                  std::vector<NamedBuffer> &buffers) {
  buffers = namedBuffersOf(after.snapshot, BufferHues::of(after.trace));
  uint32_t next = buffers.empty() ? 0 : buffers.back().id.value + 1;
  std::map<std::string, BufferId> newer;
  for (const NamedBuffer &buffer : buffers)
    newer.try_emplace(nameInFunction(buffer.key), buffer.id);
  std::unordered_map<BufferId, BufferId> idOf;
  for (NamedBuffer buffer : namedBuffersOf(before.snapshot, BufferHues::of(before.trace))) {
    auto [found, isAlone] = newer.try_emplace(nameInFunction(buffer.key), BufferId{next});
    idOf.try_emplace(buffer.id, found->second);
    if (!isAlone)
      continue;
    buffer.id = BufferId{next++};
    buffers.push_back(std::move(buffer));
  }
  for (IrLine &line : before.lines) {
    llvm::erase_if(line.names, [&](const BufferSpan &name) { return !idOf.contains(name.buffer); });
    for (BufferSpan &name : line.names)
      name.buffer = idOf.at(name.buffer);
    if (line.buffer.isValid())
      line.buffer = idOf.contains(line.buffer) ? idOf.at(line.buffer) : BufferId();
  }
}

PrintedComparison printed(const ComparedText &view) {
  return {view.missing,
          view.placeBefore,
          view.placeAfter,
          view.counts.added,
          view.counts.removed,
          view.counts.modified,
          changedRows(
              view.rows, [&](int32_t line) { return llvm::StringRef(view.before[line].text); },
              [&](int32_t line) { return llvm::StringRef(view.after[line].text); })};
}

} // namespace

std::optional<size_t> passOfOther(const Trace &trace, const Trace &other, size_t pass) {
  for (const PassDiff &pair : alignPasses(other, trace))
    if (pair.after == pass)
      return pair.before;
  return std::nullopt;
}

ComparedText compareTexts(TextOfTrace before, TextOfTrace after) {
  KernelLines kernelLines(before.trace.header.fileText, after.trace.header.fileText);
  for (IrLine &line : before.lines)
    line.sourceLine = kernelLines.newer(line.sourceLine);
  ComparedText view;
  view.placeBefore = std::move(before.place);
  view.placeAfter = std::move(after.place);
  view.rows = alignIdentified(identify(before), identify(after));
  unifyBuffers(before, after, view.buffers);
  for (IrLine &line : before.lines)
    line.stmt = StmtId();
  for (AlignedRow &row : view.rows)
    if (row.before >= 0 && row.after >= 0)
      before.lines[row.before].stmt = after.lines[row.after].stmt;
  view.before = std::move(before.lines);
  view.after = std::move(after.lines);
  view.counts = countChanges(view.rows);
  return view;
}

void print(const ComparedText &view, llvm::raw_ostream &out) {
  if (!view.missing.empty()) {
    out << view.missing << '\n';
    return;
  }
  write(out, view.placeAfter, {Ink::Strong});
  if (view.placeBefore != view.placeAfter)
    out << " against " << view.placeBefore;
  if (view.counts.isEmpty()) {
    out << ": the same text in both compiles\n";
    return;
  }
  out << ": ";
  printRows(
      view.rows, [&](int32_t line) { return llvm::StringRef(view.before[line].text); },
      [&](int32_t line) { return llvm::StringRef(view.after[line].text); }, out);
}

Json toJson(const ComparedText &view) { return toJson(printed(view)); }

} // namespace tilescope
