#include "core/support/unified_diff.h"

#include "core/support/line_edits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

char DiffError::ID = 0;

namespace {

constexpr size_t ContextLines = 3;

// Each with its newline.
std::vector<llvm::StringRef> splitLines(llvm::StringRef text) {
  std::vector<llvm::StringRef> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    size_t length = end == llvm::StringRef::npos ? text.size() : end + 1;
    lines.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return lines;
}

llvm::Error failure(size_t line, std::string text, size_t textLine = 0) {
  auto error = std::make_unique<DiffError>(line, std::move(text));
  error->textLine = textLine;
  return llvm::Error(std::move(error));
}

// ---- Reading ------------------------------------------------------------------------------------

class DiffParser {
public:
  explicit DiffParser(llvm::StringRef text) : lines_(splitLines(text)) {}

  llvm::Expected<std::vector<FileDiff>> run() {
    std::vector<FileDiff> files;
    while (!atEnd()) {
      if (!current().starts_with("--- ")) {
        ++next_;
        continue;
      }
      FileDiff file;
      if (llvm::Error error = readFile(file))
        return error;
      files.push_back(std::move(file));
    }
    if (files.empty())
      return failure(1, "no line starts with '--- ': this is no unified diff");
    return files;
  }

private:
  bool atEnd() const { return next_ == lines_.size(); }
  size_t lineNumber() const { return next_ + 1; }
  // Without its end.
  llvm::StringRef current() const {
    llvm::StringRef line = lines_[next_];
    line.consume_back("\n");
    if (stripsReturns_)
      line.consume_back("\r");
    return line;
  }
  bool currentStarts(llvm::StringRef prefix) const {
    return !atEnd() && current().starts_with(prefix);
  }

  std::string nameBehind(llvm::StringRef mark) {
    llvm::StringRef line = lines_[next_++];
    return line.drop_front(mark.size()).take_until([](char c) { return c == '\t'; }).trim().str();
  }

  llvm::Error readFile(FileDiff &file) {
    file.line = lineNumber();
    stripsReturns_ = lines_[next_].ends_with("\r\n");
    file.oldName = nameBehind("--- ");
    if (!currentStarts("+++ "))
      return failure(lineNumber(), "expected '+++ ' and the new name after '--- '");
    file.newName = nameBehind("+++ ");
    while (currentStarts("@@ ")) {
      DiffHunk hunk;
      if (llvm::Error error = readHunk(hunk))
        return error;
      file.hunks.push_back(std::move(hunk));
    }
    if (file.hunks.empty())
      return failure(lineNumber(), "expected '@@ -LINE,COUNT +LINE,COUNT @@'");
    bool isHeader = currentStarts("--- ");
    if (!isHeader && (currentStarts("+") || currentStarts("-") || currentStarts(" ")))
      return failure(lineNumber(), countsOf(file.hunks.back()) + ", but it goes on");
    return llvm::Error::success();
  }

  static std::string countsOf(const DiffHunk &hunk) {
    return llvm::formatv("the hunk at line {0} says {1} old and {2} new lines", hunk.line,
                         hunk.oldCount, hunk.newCount);
  }

  // "-7,3" or "-7"
  static bool readRange(llvm::StringRef &text, char mark, uint64_t &begin, uint64_t &count) {
    if (!text.consume_front(llvm::StringRef(&mark, 1)) || text.consumeInteger(10, begin))
      return false;
    count = 1;
    bool isValid = !text.consume_front(",") || !text.consumeInteger(10, count);
    return isValid && (begin != 0 || count == 0);
  }

  llvm::Error readHunk(DiffHunk &hunk) {
    hunk.line = lineNumber();
    llvm::StringRef header = current().drop_front(3);
    uint64_t newBegin = 0;
    if (!readRange(header, '-', hunk.oldBegin, hunk.oldCount) || !header.consume_front(" ") ||
        !readRange(header, '+', newBegin, hunk.newCount) || !header.starts_with(" @@"))
      return failure(hunk.line, "expected '@@ -LINE,COUNT +LINE,COUNT @@', lines counted from 1");
    ++next_;
    uint64_t oldSeen = 0;
    uint64_t newSeen = 0;
    while (oldSeen < hunk.oldCount || newSeen < hunk.newCount) {
      if (!readLine(hunk, oldSeen, newSeen))
        return failure(hunk.line,
                       countsOf(hunk) +
                           llvm::formatv(", but has {0} and {1}", oldSeen, newSeen).str());
    }
    takeEndMark(hunk);
    return checkEnds(hunk);
  }

  // False: no further line of the hunk stands here.
  bool readLine(DiffHunk &hunk, uint64_t &oldSeen, uint64_t &newSeen) {
    if (atEnd())
      return false;
    // Editors take the blank off an empty line of context.
    char mark = current().empty() ? ' ' : current().front();
    if (mark == '\\')
      return takeEndMark(hunk);
    bool isOld = mark == ' ' || mark == '-';
    bool isNew = mark == ' ' || mark == '+';
    bool isSurplus = (isOld && oldSeen == hunk.oldCount) || (isNew && newSeen == hunk.newCount);
    if ((!isOld && !isNew) || isSurplus)
      return false;
    oldSeen += isOld;
    newSeen += isNew;
    hunk.lines.push_back({mark, current().substr(1).str() + "\n", lineNumber()});
    ++next_;
    return true;
  }

  // "\ No newline at end of file", of the line before. False without such a line.
  bool takeEndMark(DiffHunk &hunk) {
    if (hunk.lines.empty() || !currentStarts("\\"))
      return false;
    llvm::StringRef line = hunk.lines.back().text;
    line.consume_back("\n");
    hunk.lines.back().text = line.str();
    ++next_;
    return true;
  }

  // Behind the end of a file that has no last newline nothing comes.
  static llvm::Error checkEnds(const DiffHunk &hunk) {
    bool oldEnded = false;
    bool newEnded = false;
    for (const DiffLine &line : hunk.lines) {
      if ((line.mark != '+' && oldEnded) || (line.mark != '-' && newEnded))
        return failure(line.line, "a line behind the end of the file");
      bool isLast = !llvm::StringRef(line.text).ends_with("\n");
      oldEnded |= isLast && line.mark != '+';
      newEnded |= isLast && line.mark != '-';
    }
    return llvm::Error::success();
  }

  std::vector<llvm::StringRef> lines_;
  size_t next_ = 0;
  bool stripsReturns_ = false;
};

// ---- Carrying out -------------------------------------------------------------------------------

class DiffApplication {
public:
  explicit DiffApplication(llvm::StringRef text) : lines_(splitLines(text)) {}

  llvm::Expected<std::string> run(const FileDiff &diff) {
    for (const DiffHunk &hunk : diff.hunks) {
      ++number_;
      if (llvm::Error error = apply(hunk))
        return error;
    }
    copyUpTo(lines_.size());
    return std::move(out_);
  }

private:
  llvm::Error apply(const DiffHunk &hunk) {
    llvm::SmallVector<const DiffLine *> old;
    for (const DiffLine &line : hunk.lines)
      if (line.mark != '+')
        old.push_back(&line);
    size_t wanted = wantedPlace(hunk);
    llvm::Expected<size_t> place =
        old.empty() ? placeOfInsertion(hunk, wanted) : placeOf(hunk, old, wanted);
    if (!place)
      return place.takeError();
    drift_ = static_cast<int64_t>(*place) - statedPlace(hunk);
    copyUpTo(*place);
    next_ = *place + old.size();
    for (const DiffLine &line : hunk.lines) {
      bool isEnd = !llvm::StringRef(line.text).ends_with("\n");
      if (line.mark != '-' && isEnd && next_ != lines_.size())
        return failure(line.line, hunkText() + " ends the text at a line that is not its last");
      if (line.mark != '-')
        out_ += line.text;
    }
    return llvm::Error::success();
  }

  std::string hunkText() const { return "hunk " + std::to_string(number_); }

  void copyUpTo(size_t end) {
    for (; next_ < end; ++next_)
      out_ += lines_[next_];
  }

  int64_t statedPlace(const DiffHunk &hunk) const {
    // Of no lines the one before them is stated.
    uint64_t place = hunk.oldCount == 0 ? hunk.oldBegin : hunk.oldBegin - 1;
    return static_cast<int64_t>(std::min<uint64_t>(place, lines_.size()));
  }

  // Where the hunk is if it drifted as far as the one before; inside of what is left.
  size_t wantedPlace(const DiffHunk &hunk) const {
    return std::clamp<int64_t>(statedPlace(hunk) + drift_, static_cast<int64_t>(next_),
                               static_cast<int64_t>(lines_.size()));
  }

  // Without a line to search for, only the stated place will do.
  llvm::Expected<size_t> placeOfInsertion(const DiffHunk &hunk, size_t wanted) const {
    if (hunk.oldBegin <= lines_.size())
      return wanted;
    return failure(hunk.line,
                   llvm::formatv("{0} inserts after line {1}, but the text has {2} lines",
                                 hunkText(), hunk.oldBegin, lines_.size()));
  }

  bool fits(llvm::ArrayRef<const DiffLine *> old, size_t place) const {
    if (old.size() > lines_.size() || place > lines_.size() - old.size())
      return false;
    for (size_t i = 0; i < old.size(); ++i)
      if (lines_[place + i] != old[i]->text)
        return false;
    return true;
  }

  llvm::Expected<size_t> placeOf(const DiffHunk &hunk, llvm::ArrayRef<const DiffLine *> old,
                                 size_t wanted) const {
    if (fits(old, wanted))
      return wanted;
    size_t farthest = std::max(wanted - next_, lines_.size() - wanted);
    for (size_t distance = 1; distance <= farthest; ++distance) {
      bool isAbove = distance <= wanted - next_ && fits(old, wanted - distance);
      bool isBelow = fits(old, wanted + distance);
      if (isAbove && isBelow)
        return failure(hunk.line,
                       llvm::formatv("{0} fits as well at line {1} as at line {2}", hunkText(),
                                     wanted - distance + 1, wanted + distance + 1));
      if (isAbove || isBelow)
        return isAbove ? wanted - distance : wanted + distance;
    }
    return misfit(old, wanted);
  }

  // The first line that differs where most lines are as expected: the hunk was made for this place.
  llvm::Error misfit(llvm::ArrayRef<const DiffLine *> old, size_t wanted) const {
    constexpr size_t Reach = 500;
    size_t best = wanted;
    size_t mostEqual = 0;
    size_t first = std::max(next_, wanted - std::min(wanted, Reach));
    for (size_t place = first; place < std::min(lines_.size(), wanted + Reach); ++place) {
      size_t equal = 0;
      for (size_t i = 0; i < std::min(old.size(), lines_.size() - place); ++i)
        equal += lines_[place + i] == old[i]->text;
      if (equal > mostEqual) {
        best = place;
        mostEqual = equal;
      }
    }
    size_t i = 0;
    while (i + 1 < old.size() && best + i < lines_.size() && lines_[best + i] == old[i]->text)
      ++i;
    bool isEnd = best + i >= lines_.size();
    std::string found = isEnd ? "the end of the text" : "'" + lines_[best + i].rtrim().str() + "'";
    return failure(old[i]->line,
                   llvm::formatv("{0} fits nowhere: expected '{1}', found {2}", hunkText(),
                                 llvm::StringRef(old[i]->text).rtrim(), found),
                   isEnd ? 0 : best + i + 1);
  }

  std::vector<llvm::StringRef> lines_;
  size_t next_ = 0; // the first line that is not yet in `out_`
  size_t number_ = 0;
  int64_t drift_ = 0; // lines that the hunk before stood below its stated place
  std::string out_;
};

// ---- Making -------------------------------------------------------------------------------------

struct InternedLines {
  std::vector<llvm::StringRef> texts;
  std::vector<uint32_t> ids;
};

InternedLines internLines(llvm::StringRef text, llvm::StringMap<uint32_t> &known) {
  InternedLines lines{splitLines(text), {}};
  for (llvm::StringRef line : lines.texts)
    lines.ids.push_back(known.try_emplace(line, known.size()).first->second);
  return lines;
}

std::string rangeText(size_t begin, size_t count) {
  // Of no lines the one before them is stated.
  std::string text = std::to_string(count == 0 ? begin : begin + 1);
  return count == 1 ? text : text + "," + std::to_string(count);
}

void addLine(std::string &out, char mark, llvm::StringRef line) {
  out += mark;
  out += line;
  if (!line.ends_with("\n"))
    out += "\n\\ No newline at end of file\n";
}

// Edits so near to each other that their contexts touch.
llvm::ArrayRef<LineEdit> nextGroup(llvm::ArrayRef<LineEdit> edits) {
  size_t count = 1;
  while (count < edits.size() &&
         edits[count].at - (edits[count - 1].at + edits[count - 1].removed) <= 2 * ContextLines)
    ++count;
  return edits.take_front(count);
}

// `shift` is what the edits before have inserted, less what they removed.
void addHunk(std::string &out, llvm::ArrayRef<LineEdit> group,
             llvm::ArrayRef<llvm::StringRef> before, llvm::ArrayRef<llvm::StringRef> textOf,
             int64_t &shift) {
  size_t begin = group.front().at - std::min<size_t>(group.front().at, ContextLines);
  size_t end = std::min(before.size(), group.back().at + group.back().removed + ContextLines);
  int64_t growth = 0;
  for (const LineEdit &edit : group)
    growth += static_cast<int64_t>(edit.inserted.size()) - edit.removed;
  out += llvm::formatv("@@ -{0} +{1} @@\n", rangeText(begin, end - begin),
                       rangeText(begin + shift, end - begin + growth));
  size_t next = begin;
  for (const LineEdit &edit : group) {
    for (; next < edit.at; ++next)
      addLine(out, ' ', before[next]);
    for (; next < edit.at + edit.removed; ++next)
      addLine(out, '-', before[next]);
    for (uint32_t id : edit.inserted)
      addLine(out, '+', textOf[id]);
  }
  for (; next < end; ++next)
    addLine(out, ' ', before[next]);
  shift += growth;
}

} // namespace

llvm::Expected<std::vector<FileDiff>> parseUnifiedDiff(llvm::StringRef text) {
  return DiffParser(text).run();
}

llvm::Expected<std::string> applyDiff(const FileDiff &diff, llvm::StringRef text) {
  return DiffApplication(text).run(diff);
}

std::string makeUnifiedDiff(llvm::StringRef before, llvm::StringRef after, llvm::StringRef name) {
  if (before == after)
    return "";
  llvm::StringMap<uint32_t> known;
  InternedLines old = internLines(before, known);
  InternedLines now = internLines(after, known);
  std::vector<llvm::StringRef> textOf(known.size()); // by id
  for (const auto &entry : known)
    textOf[entry.second] = entry.first();
  std::vector<LineEdit> edits = diffLines(old.ids, now.ids);
  std::string out = llvm::formatv("--- {0}\n+++ {0}\n", name);
  int64_t shift = 0;
  for (llvm::ArrayRef<LineEdit> rest = edits; !rest.empty();) {
    llvm::ArrayRef<LineEdit> group = nextGroup(rest);
    addHunk(out, group, old.texts, textOf, shift);
    rest = rest.drop_front(group.size());
  }
  return out;
}

} // namespace tilescope
