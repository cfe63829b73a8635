#include "core/views/ptx_model.h"

#include <map>
#include <tuple>

namespace tilescope {

namespace {

constexpr llvm::StringLiteral InlinedAt = "inlined_at ";
constexpr int MostInlined = 64; // a text is untrusted, and may go in circles

struct PtxPlace {
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t column = 0;

  friend auto operator<=>(const PtxPlace &, const PtxPlace &) = default;
};

// "1 158 5"; of a text that says something else, of no file.
PtxPlace readPlace(llvm::StringRef text) {
  PtxPlace place;
  for (uint32_t *number : {&place.file, &place.line, &place.column}) {
    text = text.ltrim();
    if (text.consumeInteger(10, *number))
      return {};
  }
  return place;
}

// The operand in square brackets of an access to shared memory.
std::optional<TextSpan> sharedPtxOperand(llvm::StringRef text) {
  llvm::StringRef name = text.ltrim();
  if (name.starts_with("@"))
    name = name.split(' ').second.ltrim();
  name = name.take_until([](char c) { return c == ' ' || c == '\t'; });
  bool isAsync = name.starts_with("cp.async.ca") || name.starts_with("cp.async.cg");
  bool isShared = isAsync || (name.contains(".shared") && !name.starts_with("mbarrier"));
  // A store of TMA has the tensor first.
  size_t first = name.contains(".global.shared") ? text.find(']') : 0;
  size_t begin = text.find('[', first);
  size_t end = text.find(']', begin);
  if (!isShared || end == llvm::StringRef::npos)
    return std::nullopt;
  return TextSpan{static_cast<uint32_t>(begin), static_cast<uint32_t>(end + 1)};
}

bool isInstruction(llvm::StringRef words) {
  return words.rtrim().ends_with(";") && !words.starts_with(".") && !words.starts_with("//");
}

class PtxReader {
public:
  // The files are named at the end.
  explicit PtxReader(llvm::StringRef text) : text_(text) {
    for (llvm::StringRef rest = text; !rest.empty();) {
      auto [line, next] = rest.split('\n');
      rest = next;
      line = line.trim();
      if (!line.consume_front(".file"))
        continue;
      line = line.ltrim();
      uint32_t number = 0;
      if (!line.consumeInteger(10, number) && line.trim() == ("\"" + ListedCudaFile + "\"").str())
        cudaFile_ = number;
    }
  }

  ListedCode read() {
    while (!text_.empty()) {
      auto [line, rest] = text_.split('\n');
      text_ = rest;
      llvm::StringRef words = line.trim();
      if (words.starts_with(".section") && words.contains(".debug"))
        break; // nothing but debug information follows the kernels
      if (words.consume_front(".loc"))
        readLocation(words);
      else if (!words.starts_with(".file"))
        take(line.rtrim());
    }
    return std::move(code_);
  }

private:
  void readLocation(llvm::StringRef words) {
    auto [place, rest] = words.split(',');
    PtxPlace here = readPlace(place);
    if (size_t at = rest.find(InlinedAt); at != llvm::StringRef::npos)
      inlinedAt_[here] = readPlace(rest.drop_front(at + InlinedAt.size()));
    else
      inlinedAt_.erase(here);
    for (int i = 0; i != MostInlined; ++i) {
      auto found = inlinedAt_.find(here);
      if (found == inlinedAt_.end())
        break;
      here = found->second;
    }
    cudaLine_ = here.file == cudaFile_ ? here.line : 0;
  }

  void take(llvm::StringRef line) {
    // Of what comes before `.version` nothing is of the kernel.
    bool isHead = code_.lines.empty() && !line.starts_with(".");
    if (isHead || (line.empty() && code_.lines.back().text.empty()))
      return;
    if (line.contains(".entry ") || line.contains(".func "))
      cudaLine_ = 0;
    ListedCode::Line listed;
    for (char byte : line)
      byte == '\t' ? listed.text.append("  ") : listed.text.append(1, byte);
    if (isInstruction(line.ltrim())) {
      listed.cudaLine = cudaLine_;
      listed.sharedOperand = sharedPtxOperand(listed.text);
    }
    code_.lines.push_back(std::move(listed));
  }

  llvm::StringRef text_;
  uint32_t cudaFile_ = 0; // number of the file; 0: unknown
  uint32_t cudaLine_ = 0; // of what comes next
  std::map<PtxPlace, PtxPlace> inlinedAt_;
  ListedCode code_;
};

} // namespace

ListedCode readPtx(llvm::StringRef text) { return PtxReader(text).read(); }

ListedCode readEmittedPtx(llvm::StringRef text) {
  ListedCode code;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    code.lines.push_back({line.rtrim().str(), 0, {}});
    if (!isInstruction(line.ltrim()))
      continue;
    code.lines.back().cudaLine = static_cast<uint32_t>(code.lines.size());
    code.lines.back().sharedOperand = sharedPtxOperand(code.lines.back().text);
  }
  return code;
}

PtxView buildPtx(const Trace &trace, const DeviceListing &listing) {
  PtxView view;
  view.missing = whyNoListing(trace, listing);
  if (!view.missing.empty())
    return view;
  bool isEmitted = trace.codeLanguage == PtxLanguage;
  return listingOf(trace, listing, isEmitted ? readEmittedPtx(trace.cuda) : readPtx(listing.ptx));
}

} // namespace tilescope
