#include "core/codegen/wgmma_helper.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>
#include <vector>

namespace tilescope {

namespace {

constexpr llvm::StringRef WgmmaNames = "wgmma_m64n";
constexpr size_t LineWidth = 120;
constexpr int64_t WordsOfA = 4;
constexpr int64_t DepthBits = 256; // of an instruction, along K

// As a name has it, and the instruction: "f16".
llvm::StringRef typeWord(DType dtype) {
  switch (dtype.kind) {
  case DTypeKind::Float8E4M3:
    return "e4m3";
  case DTypeKind::Float8E5M2:
    return "e5m2";
  case DTypeKind::BFloat:
    return "bf16";
  case DTypeKind::Int:
    return dtype.bits == 32 ? "s32" : "s8";
  case DTypeKind::UInt:
    return "u8";
  default:
    return dtype.bits == 32 ? "f32" : "f16";
  }
}

llvm::StringRef typeName(DType dtype) {
  switch (dtype.kind) {
  case DTypeKind::Float8E4M3:
    return "fp8_e4m3";
  case DTypeKind::Float8E5M2:
    return "fp8_e5m2";
  case DTypeKind::BFloat:
    return "bfloat16";
  case DTypeKind::Int:
    return dtype.bits == 32 ? "int" : "i8";
  case DTypeKind::UInt:
    return "u8";
  default:
    return dtype.bits == 32 ? "float" : "half";
  }
}

// With commas between them, in lines that begin and end so.
std::string inLines(const std::vector<std::string> &words, llvm::StringRef begin,
                    llvm::StringRef end) {
  std::string text, line = begin.str();
  for (const auto &[number, word] : llvm::enumerate(words)) {
    std::string part = word + (number + 1 == words.size() ? "" : ", ");
    if (line.size() + part.size() + end.size() > LineWidth) {
      text += llvm::StringRef(line).rtrim(end.empty() ? " " : "").str() + end.str() + "\n";
      line = begin.str();
    }
    line += part;
  }
  return text + line;
}

std::vector<std::string> numberedWords(llvm::StringRef begin, int64_t count, llvm::StringRef end,
                                       int64_t first = 0) {
  std::vector<std::string> words;
  for (int64_t number = first; number != first + count; ++number)
    words.push_back(llvm::formatv("{0}{1}{2}", begin, number, end));
  return words;
}

} // namespace

std::string WgmmaHelper::name() const {
  std::string operands = typeWord(a).str();
  if (a != b)
    operands += "_" + typeWord(b).str();
  return llvm::formatv("{0}{1}k{2}_{3}_{4}{5}", WgmmaNames, columns, DepthBits / a.bits, operands,
                       typeWord(sums), isFromRegisters ? "_registers" : "");
}

// The comment and what stands before the name.
static std::string openingOf(const WgmmaHelper &helper) {
  std::string text = llvm::formatv(
      "// Starts d += a * b, or d = a * b if it clears, for 64 rows and {0} columns.\n",
      helper.columns);
  if (!helper.canTranspose())
    return text + "// Operands run along K.\n__device__ __forceinline__ void\n";
  return text + llvm::formatv("// Transposed, the rows of {0} along N.\n"
                              "template <{1}int TransposeB> __device__ __forceinline__ void\n",
                              helper.isFromRegisters ? "b run" : "a run along M and those of b",
                              helper.isFromRegisters ? "" : "int TransposeA, ")
                    .str();
}

std::string WgmmaHelper::text() const {
  assert(columns > 0 && columns <= 256 && columns % 8 == 0);
  bool areWords = sums.bits == 16;
  int64_t count = areWords ? columns / 4 : columns / 2;
  int64_t wordsOfA = isFromRegisters ? WordsOfA : 1;
  int64_t placeOfB = count + wordsOfA, clears = placeOfB + 1;
  std::vector<std::string> transposes, transposeInputs;
  if (canTranspose() && !isFromRegisters)
    transposeInputs.push_back(", \"n\"(TransposeA)");
  if (canTranspose())
    transposeInputs.push_back(", \"n\"(TransposeB)");
  for (size_t number = 0; number != transposeInputs.size(); ++number)
    transposes.push_back(llvm::formatv(", %{0}", clears + 1 + static_cast<int64_t>(number)));
  std::string text = openingOf(*this);
  text +=
      llvm::formatv("{0}({1} *d, {2}, u64 b, bool clears = false) {{\n", name(), typeName(sums),
                    isFromRegisters ? llvm::formatv("const {0} *a", typeName(a)).str() : "u64 a");
  if (areWords)
    text += "  u32 *sums = reinterpret_cast<u32 *>(d);\n";
  if (isFromRegisters)
    text += "  const u32 *words = reinterpret_cast<const u32 *>(a);\n";
  text +=
      llvm::formatv("  asm volatile(\"{{.reg .pred p; setp.eq.b32 p, %{0}, 0; \"\n"
                    "               \"wgmma.mma_async.sync.aligned.m64n{1}k{2}.{3}.{4}.{5} "
                    "{{\"\n",
                    clears, columns, DepthBits / a.bits, typeWord(sums), typeWord(a), typeWord(b));
  text += inLines(numberedWords("%", count, ""), "               \"", "\"") + "},\"\n";
  std::string places = llvm::join(numberedWords("%", wordsOfA, "", count), ", ");
  // What integers multiply has no sign to change.
  text += llvm::formatv("               \" {0}, %{1}, p{2}{3};}\"\n",
                        isFromRegisters ? "{" + places + "}" : places, placeOfB,
                        sums.isInteger() ? "" : ", 1, 1", llvm::join(transposes, ""));
  std::string output = areWords ? "\"+r\"(sums[" : sums.isInteger() ? "\"+r\"(d[" : "\"+f\"(d[";
  std::string outputs = inLines(numberedWords(output, count, "])"), "                 ", "");
  text += "               : " + outputs.substr(17) + "\n";
  std::string inputs = isFromRegisters
                           ? llvm::join(numberedWords("\"r\"(words[", WordsOfA, "])"), ", ")
                           : "\"l\"(a)";
  text += llvm::formatv("               : {0}, \"l\"(b), \"r\"(int(clears)){1});\n}\n", inputs,
                        llvm::join(transposeInputs, ""));
  return text;
}

bool isWgmmaHelperName(llvm::StringRef name) { return name.starts_with(WgmmaNames); }

} // namespace tilescope
