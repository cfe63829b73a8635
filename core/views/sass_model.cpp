#include "core/views/sass_model.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral SassPlace = "//## File \"";

// The last number of `File "kernel.cu", line 71`; 0: it is of another file.
uint32_t cudaLineOf(llvm::StringRef place) {
  auto [file, rest] = place.split("\", line ");
  uint32_t line = 0;
  if ((file != ListedCudaFile && file != ListedPtxFile) || rest.consumeInteger(10, line))
    return 0;
  return line;
}

// Memory of the block: LDS, LDSM, STS, STSM, ATOMS, and LDGSTS, which writes it first.
std::optional<TextSpan> sharedSassOperand(llvm::StringRef text, llvm::StringRef instruction) {
  llvm::StringRef words = instruction;
  if (words.starts_with("@!PT "))
    return std::nullopt; // is never carried out
  if (words.starts_with("@"))
    words = words.split(' ').second.ltrim();
  llvm::StringRef name = words.take_until([](char c) { return c == '.' || c == ' '; });
  static constexpr llvm::StringRef Names[] = {"LDS", "LDSM", "STS", "STSM", "ATOMS", "LDGSTS"};
  bool isShared = llvm::is_contained(Names, name);
  size_t begin = text.find('[');
  size_t end = text.find(']', begin);
  if (!isShared || end == llvm::StringRef::npos)
    return std::nullopt;
  return TextSpan{static_cast<uint32_t>(begin), static_cast<uint32_t>(end + 1)};
}

} // namespace

ListedCode readSass(llvm::StringRef text) {
  ListedCode code;
  uint32_t cudaLine = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.trim();
    if (line.consume_front(SassPlace)) {
      cudaLine = cudaLineOf(line);
    } else if (line.consume_front("/*")) {
      auto [address, instruction] = line.split("*/");
      instruction = instruction.trim();
      ListedCode::Line listed{(address + "  " + instruction).str(), cudaLine, {}};
      listed.sharedOperand = sharedSassOperand(listed.text, instruction);
      code.lines.push_back(std::move(listed));
    } else if (line.starts_with(".section")) {
      cudaLine = 0;
    } else if (line.ends_with(":") && !line.starts_with(".text.")) {
      code.lines.push_back({line.str(), 0, {}}); // a kernel or a label
    }
  }
  return code;
}

SassView buildSass(const Trace &trace, const DeviceListing &listing) {
  SassView view;
  view.missing = whyNoListing(trace, listing);
  if (!view.missing.empty())
    return view;
  view = listingOf(trace, listing, readSass(listing.sass));
  view.missing = listing.noSass;
  return view;
}

} // namespace tilescope
