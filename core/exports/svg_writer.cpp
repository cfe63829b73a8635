#include "core/exports/svg_writer.h"

#include "core/support/printable.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral Replacement = "\xEF\xBF\xBD"; // U+FFFD

// Two decimals at most, so that bytes do not depend on rounding further down.
std::string number(double value) {
  std::string text = llvm::formatv("{0:f2}", value);
  while (text.back() == '0')
    text.pop_back();
  if (text.back() == '.')
    text.pop_back();
  return text == "-0" ? "0" : text;
}

bool startsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

bool isForbidden(char byte) {
  auto value = static_cast<unsigned char>(byte);
  return value < 0x20 || value == 0x7F;
}

std::string forbiddenBytes() {
  std::string bytes;
  for (int value = 0; value != 0x80; ++value)
    if (isForbidden(static_cast<char>(value)))
      bytes += static_cast<char>(value);
  return bytes;
}

} // namespace

std::string escapeXml(llvm::StringRef text) {
  static const std::string Forbidden = forbiddenBytes();
  std::string fixed = llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
  fixed = withoutControls(fixed, Forbidden); // these are replaced below
  std::string out;
  for (size_t i = 0; i < fixed.size(); ++i) {
    llvm::StringRef rest = llvm::StringRef(fixed).substr(i);
    switch (fixed[i]) {
    case '&':
      out += "&amp;";
      continue;
    case '<':
      out += "&lt;";
      continue;
    case '>':
      out += "&gt;";
      continue;
    case '"':
      out += "&quot;";
      continue;
    case '\'':
      out += "&#39;";
      continue;
    default:
      break;
    }
    if (isForbidden(fixed[i])) {
      out += Replacement;
    } else if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      out += Replacement; // U+FFFE and U+FFFF are UTF-8 but not XML
      i += 2;
    } else {
      out += fixed[i];
    }
  }
  return out;
}

size_t charactersOf(llvm::StringRef text) {
  size_t count = 0;
  for (char byte : text)
    count += startsCharacter(byte);
  return count;
}

std::string clipText(llvm::StringRef text, size_t width) {
  if (charactersOf(text) <= width)
    return text.str();
  if (width == 0)
    return "";
  size_t characters = 0, end = 0;
  for (; end < text.size(); ++end) {
    if (startsCharacter(text[end]) && ++characters == width)
      break;
  }
  return text.substr(0, end).rtrim().str() + "\xE2\x80\xA6"; // an ellipsis
}

std::string clipName(llvm::StringRef name, size_t width) {
  size_t characters = charactersOf(name);
  if (characters <= width || width < 3)
    return clipText(name, width);
  size_t last = characters - width / 2, index = 0, end = 0; // the first character of its end
  for (; end < name.size(); ++end)
    if (startsCharacter(name[end]) && index++ == last)
      break;
  return clipText(name, width - width / 2) + name.substr(end).str();
}

void SvgWriter::box(const SvgBox &box, llvm::StringRef attributes) {
  body_ +=
      llvm::formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" {4}/>\n", number(box.x),
                    number(box.y), number(box.width), number(box.height), attributes);
}

void SvgWriter::line(double x1, double y1, double x2, double y2, llvm::StringRef attributes) {
  body_ += llvm::formatv("<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{3}\" {4}/>\n", number(x1),
                         number(y1), number(x2), number(y2), attributes);
}

void SvgWriter::text(double x, double y, llvm::StringRef text, llvm::StringRef attributes) {
  body_ += llvm::formatv("<text x=\"{0}\" y=\"{1}\"{2}{3}>{4}</text>\n", number(x), number(y),
                         attributes.empty() ? "" : " ", attributes, escapeXml(text));
}

void SvgWriter::verticalText(double x, double y, llvm::StringRef text, llvm::StringRef attributes) {
  body_ += llvm::formatv("<text transform=\"translate({0} {1}) rotate(-90)\" "
                         "text-anchor=\"middle\"{2}{3}>{4}</text>\n",
                         number(x), number(y), attributes.empty() ? "" : " ", attributes,
                         escapeXml(text));
}

void SvgWriter::beginGroup(llvm::StringRef title) {
  body_ += "<g><title>" + escapeXml(title) + "</title>\n";
}

void SvgWriter::endGroup() { body_ += "</g>\n"; }

std::string svgDocument(const std::vector<SvgDrawing> &drawings, llvm::StringRef style,
                        llvm::StringRef definitions) {
  double width = 0, height = 0;
  for (const SvgDrawing &drawing : drawings) {
    width = std::max(width, drawing.width);
    height += drawing.height;
  }
  std::string text =
      llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                    "viewBox=\"0 0 {0} {1}\">\n",
                    number(width), number(height));
  text += "<style>\n" + style.str() + "</style>\n";
  if (!definitions.empty())
    text += "<defs>\n" + definitions.str() + "</defs>\n";
  text += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  double top = 0;
  for (const SvgDrawing &drawing : drawings) {
    text += llvm::formatv("<g transform=\"translate(0 {0})\">\n", number(top));
    text += drawing.body + "</g>\n";
    top += drawing.height;
  }
  return text + "</svg>\n";
}

} // namespace tilescope
