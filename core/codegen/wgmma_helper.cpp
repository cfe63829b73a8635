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

// As a name has it, and the instruction: "f16".
llvm::StringRef typeWord(DType dtype) {
  if (dtype == DType::float32())
    return "f32";
  return dtype == DType::bfloat16() ? "bf16" : "f16";
}

llvm::StringRef typeName(DType dtype) {
  if (dtype == DType::float32())
    return "float";
  return dtype == DType::bfloat16() ? "bfloat16" : "half";
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
  return llvm::formatv("{0}{1}k16_{2}_{3}{4}", WgmmaNames, columns, typeWord(operand),
                       typeWord(sums), isFromRegisters ? "_registers" : "");
}

std::string WgmmaHelper::text() const {
  assert(columns > 0 && columns <= 256 && columns % 8 == 0);
  bool areWords = sums.bits == 16;
  int64_t count = areWords ? columns / 4 : columns / 2;
  int64_t wordsOfA = isFromRegisters ? WordsOfA : 1;
  int64_t b = count + wordsOfA, clears = b + 1, transpose = clears + 1;
  std::string a =
      isFromRegisters ? llvm::formatv("const {0} *a", typeName(operand)).str() : "u64 a";
  std::string text = llvm::formatv(
      "// Starts d += a * b, or d = a * b if it clears, for 64 rows and {0} columns.\n"
      "// Transposed, the rows of {1} along N.\n"
      "template <{2}int TransposeB> __device__ __forceinline__ void\n"
      "{3}({4} *d, {5}, u64 b, bool clears = false) {{\n",
      columns, isFromRegisters ? "b run" : "a run along M and those of b",
      isFromRegisters ? "" : "int TransposeA, ", name(), typeName(sums), a);
  if (areWords)
    text += "  u32 *sums = reinterpret_cast<u32 *>(d);\n";
  if (isFromRegisters)
    text += "  const u32 *words = reinterpret_cast<const u32 *>(a);\n";
  text += llvm::formatv("  asm volatile(\"{{.reg .pred p; setp.eq.b32 p, %{0}, 0; \"\n"
                        "               \"wgmma.mma_async.sync.aligned.m64n{1}k16.{2}.{3}.{3} "
                        "{{\"\n",
                        clears, columns, typeWord(sums), typeWord(operand));
  text += inLines(numberedWords("%", count, ""), "               \"", "\"") + "},\"\n";
  std::string places = llvm::join(numberedWords("%", wordsOfA, "", count), ", ");
  text += llvm::formatv("               \" {0}, %{1}, p, 1, 1, {2}%{3};}\"\n",
                        isFromRegisters ? "{" + places + "}" : places, b,
                        isFromRegisters ? "" : llvm::formatv("%{0}, ", transpose).str(),
                        isFromRegisters ? transpose : transpose + 1);
  std::string outputs = inLines(areWords ? numberedWords("\"+r\"(sums[", count, "])")
                                         : numberedWords("\"+f\"(d[", count, "])"),
                                "                 ", "");
  text += "               : " + outputs.substr(17) + "\n";
  std::string inputs = isFromRegisters
                           ? llvm::join(numberedWords("\"r\"(words[", WordsOfA, "])"), ", ")
                           : "\"l\"(a)";
  text += llvm::formatv(
      "               : {0}, \"l\"(b), \"r\"(int(clears)), {1}\"n\"(TransposeB));\n}\n", inputs,
      isFromRegisters ? "" : "\"n\"(TransposeA), ");
  return text;
}

bool isWgmmaHelperName(llvm::StringRef name) { return name.starts_with(WgmmaNames); }

} // namespace tilescope
