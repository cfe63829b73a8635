#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace tilescope {

float pixelWidthOf(llvm::StringRef text) { return ImGui::CalcTextSize(text.begin(), text.end()).x; }

namespace {

constexpr double LeastLineShare = 0.6; // of a line that ends early

// The end of what fits of a word, at least a character.
size_t fittingBytes(llvm::StringRef word, float width) {
  auto isContinuation = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };
  size_t fits = 0;
  for (size_t end = 1; end <= word.size(); ++end) {
    if (end < word.size() && isContinuation(word[end]))
      continue;
    if (fits > 0 && pixelWidthOf(word.take_front(end)) > width)
      break;
    fits = end;
  }
  return fits;
}

// What follows the last comma or semicolon of a line, if most of the line stands before it.
std::string takeLastPart(std::string &line) {
  size_t comma = line.find_last_of(",;");
  if (comma == std::string::npos || comma + 2 >= line.size() || line[comma + 1] != ' ' ||
      static_cast<double>(comma) < LeastLineShare * static_cast<double>(line.size()))
    return "";
  std::string part = line.substr(comma + 2);
  line.resize(comma + 1);
  return part;
}

// Adds the lines of a paragraph.
void breakInto(std::vector<std::string> &lines, llvm::StringRef paragraph, float width,
               bool keepsParts) {
  llvm::SmallVector<llvm::StringRef> words;
  paragraph.split(words, ' ');
  std::string line;
  for (size_t i = 0; i != words.size(); ++i) {
    std::string longer = i == 0 ? words[i].str() : line + " " + words[i].str();
    if (i > 0 && pixelWidthOf(longer) > width) {
      std::string part = keepsParts ? takeLastPart(line) : "";
      lines.push_back(std::move(line));
      longer = part.empty() ? words[i].str() : part + " " + words[i].str();
    }
    line = std::move(longer);
    while (pixelWidthOf(line) > width && line.size() > 1) {
      size_t end = fittingBytes(line, width);
      if (end == line.size())
        break;
      lines.push_back(line.substr(0, end));
      line.erase(0, end);
    }
  }
  lines.push_back(std::move(line));
}

std::vector<std::string> linesOf(llvm::StringRef text, float width, bool keepsParts) {
  std::vector<std::string> lines;
  llvm::SmallVector<llvm::StringRef> paragraphs;
  text.split(paragraphs, '\n');
  for (llvm::StringRef paragraph : paragraphs)
    breakInto(lines, paragraph, width, keepsParts);
  return lines;
}

} // namespace

std::vector<std::string> linesOf(llvm::StringRef text, float width) {
  return linesOf(text, width, false);
}

std::vector<std::string> linesOfHeadline(llvm::StringRef text, float width) {
  return linesOf(text, width, true);
}

void drawLines(llvm::ArrayRef<std::string> lines, ImU32 color) {
  ImVec2 at = ImGui::GetCursorScreenPos(), size;
  for (const std::string &line : lines) {
    ImGui::GetWindowDrawList()->AddText(ImVec2(at.x, at.y + size.y), color, line.data(),
                                        line.data() + line.size());
    size = ImVec2(std::max(size.x, pixelWidthOf(line)), size.y + ImGui::GetTextLineHeight());
  }
  ImGui::Dummy(size);
}

void drawWrapped(llvm::StringRef text, ImU32 color) {
  drawLines(linesOf(text, ImGui::GetContentRegionAvail().x), color);
}

} // namespace tilescope
