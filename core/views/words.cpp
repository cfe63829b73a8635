#include "core/views/words.h"

#include "core/support/line_edits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

bool isBlank(char byte) { return byte == ' ' || byte == '\t'; }

// What stands between two changes and is too little to be read on its own.
bool isSeparator(llvm::StringRef line, llvm::ArrayRef<TextSpan> tokens) {
  return tokens.size() == 1 && !isWordByte(line[tokens[0].begin]);
}

// Tokens [begin, end) of both lines differ.
struct Change {
  size_t beginBefore, endBefore;
  size_t beginAfter, endAfter;
};

std::vector<Change> changesOf(llvm::StringRef before, llvm::ArrayRef<TextSpan> tokensBefore,
                              llvm::StringRef after, llvm::ArrayRef<TextSpan> tokensAfter) {
  llvm::DenseMap<llvm::StringRef, uint32_t> ids;
  auto idsOf = [&](llvm::StringRef line, llvm::ArrayRef<TextSpan> tokens) {
    std::vector<uint32_t> result;
    result.reserve(tokens.size());
    for (TextSpan token : tokens)
      result.push_back(ids.try_emplace(textOf(line, token), ids.size()).first->second);
    return result;
  };
  std::vector<uint32_t> idsBefore = idsOf(before, tokensBefore);
  std::vector<uint32_t> idsAfter = idsOf(after, tokensAfter);
  std::vector<Change> changes;
  size_t shift = 0; // position after minus position before; wraps around below zero
  for (const LineEdit &edit : diffLines(idsBefore, idsAfter)) {
    Change change{edit.at, edit.at + edit.removed, edit.at + shift,
                  edit.at + shift + edit.inserted.size()};
    shift += edit.inserted.size() - edit.removed;
    if (!changes.empty() &&
        isSeparator(before, tokensBefore.slice(changes.back().endBefore,
                                               change.beginBefore - changes.back().endBefore))) {
      changes.back().endBefore = change.endBefore;
      changes.back().endAfter = change.endAfter;
    } else {
      changes.push_back(change);
    }
  }
  return changes;
}

void addSpan(std::vector<TextSpan> &spans, llvm::ArrayRef<TextSpan> tokens, size_t begin,
             size_t end) {
  if (begin != end)
    spans.push_back({tokens[begin].begin, tokens[end - 1].end});
}

size_t wordBytes(llvm::StringRef line) { return llvm::count_if(line, isWordByte); }

size_t wordBytes(llvm::StringRef line, llvm::ArrayRef<TextSpan> spans) {
  size_t bytes = 0;
  for (TextSpan span : spans)
    bytes += wordBytes(textOf(line, span));
  return bytes;
}

size_t indentationOf(llvm::StringRef line) { return line.size() - line.ltrim().size(); }

std::vector<TextSpan> allFrom(llvm::StringRef line, size_t begin) {
  if (begin == line.size())
    return {};
  return {{static_cast<uint32_t>(begin), static_cast<uint32_t>(line.size())}};
}

} // namespace

bool isWordByte(char byte) {
  return llvm::isAlnum(byte) || byte == '_' || static_cast<unsigned char>(byte) >= 0x80;
}

std::vector<TextSpan> tokensOf(llvm::StringRef line) {
  std::vector<TextSpan> tokens;
  size_t indentation = indentationOf(line);
  for (size_t begin = 0; begin != line.size();) {
    size_t end = begin + 1;
    bool (*isAlike)(char) = isWordByte(line[begin]) ? isWordByte
                            : isBlank(line[begin])  ? isBlank
                                                    : nullptr;
    while (isAlike && begin >= indentation && end != line.size() && isAlike(line[end]))
      ++end;
    tokens.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
    begin = end;
  }
  return tokens;
}

void forEachName(llvm::StringRef line, llvm::function_ref<void(TextSpan name)> visit) {
  for (size_t begin = 0; begin < line.size();) {
    if (!isWordByte(line[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin + 1;
    while (end != line.size() && isWordByte(line[end]))
      ++end;
    bool isMember = begin != 0 && line[begin - 1] == '.';
    if (!llvm::isDigit(line[begin]) && !isMember)
      visit({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
    begin = end;
  }
}

WordDiff diffWords(llvm::StringRef before, llvm::StringRef after) {
  std::vector<TextSpan> tokensBefore = tokensOf(before);
  std::vector<TextSpan> tokensAfter = tokensOf(after);
  WordDiff diff;
  for (const Change &change : changesOf(before, tokensBefore, after, tokensAfter)) {
    addSpan(diff.before, tokensBefore, change.beginBefore, change.endBefore);
    addSpan(diff.after, tokensAfter, change.beginAfter, change.endAfter);
  }
  // A fifth of the words that both keep by chance says nothing.
  size_t all = wordBytes(before) + wordBytes(after);
  size_t changed = wordBytes(before, diff.before) + wordBytes(after, diff.after);
  size_t indentation = std::min(indentationOf(before), indentationOf(after));
  if (changed * 5 > all * 4)
    return {allFrom(before, indentation), allFrom(after, indentation)};
  return diff;
}

} // namespace tilescope
