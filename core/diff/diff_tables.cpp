#include "core/diff/diff_tables.h"

#include "core/support/number_text.h"
#include "core/target/register_limit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>
#include <set>

namespace tilescope {

namespace {

std::string change(const std::string &before, const std::string &after) {
  return before == after ? after : before + " -> " + after;
}

DiffTable settingsTable(const CompileDiff &diff) {
  DiffTable table{"settings", {{"setting", "before", "after"}}, 3};
  for (const SettingDiff &setting : diff.settings)
    table.rows.push_back({setting.name, setting.before, setting.after});
  return table;
}

std::string titleOf(const char *what, const KernelDiff &kernel, bool isOnly) {
  return isOnly ? what
                : std::string(what) + " of " +
                      (kernel.after ? *kernel.after : *kernel.before).function;
}

// Peak, capacity, padding and blocks of one function.
DiffTable memoryTable(const KernelDiff &kernel, bool isOnly) {
  DiffTable table{titleOf("shared memory", kernel, isOnly), {{"", "before", "after", "change"}}, 1};
  using Value = std::optional<int64_t>;
  auto add = [&](const char *what, llvm::function_ref<Value(const KernelState &)> valueOf) {
    Value before = kernel.before ? valueOf(*kernel.before) : std::nullopt;
    Value after = kernel.after ? valueOf(*kernel.after) : std::nullopt;
    if (!before && !after)
      return;
    bool isChange = before && after && *before != *after;
    table.rows.push_back({what, before ? groupedNumber(*before) : "",
                          after ? groupedNumber(*after) : "",
                          isChange ? signedNumber(*after - *before) : ""});
  };
  add("peak bytes", [](const KernelState &state) -> Value { return state.peakBytes; });
  add("capacity bytes", [](const KernelState &state) {
    return state.capacityBytes > 0 ? Value(state.capacityBytes) : std::nullopt;
  });
  add("padding bytes", [](const KernelState &state) -> Value { return state.paddingBytes; });
  add("blocks/SM", [](const KernelState &state) {
    return state.blocksPerSm ? Value(*state.blocksPerSm) : std::nullopt;
  });
  return table;
}

DiffTable payersTable(const FunctionDiff &function, bool isOnly) {
  const KernelDiff &kernel = function.kernel;
  DiffTable table{
      titleOf("who pays", kernel, isOnly), {{"buffer", "why", "before", "after", "bytes"}}, 2};
  auto add = [&](const std::string &name, const std::string &why, int64_t before, int64_t after) {
    table.rows.push_back({name, why, groupedNumber(before), groupedNumber(after),
                          after == before ? "" : signedNumber(after - before)});
  };
  for (const PeakPayer &payer : function.payers)
    add(payer.buffer.empty() ? "-" : payer.buffer, payer.why, payer.bytesBefore, payer.bytesAfter);
  if (!function.payers.empty())
    add("peak", "", kernel.before ? kernel.before->peakBytes : 0,
        kernel.after ? kernel.after->peakBytes : 0);
  return table;
}

std::string sideText(const std::optional<BufferState> &state) {
  return state ? placeText(state->sizeBytes, state->offsetBytes) : "";
}

std::string nameText(const BufferDiff &buffer) {
  if (!buffer.before || !buffer.after)
    return buffer.state().name;
  return change(buffer.before->name, buffer.after->name);
}

std::string typeText(const BufferDiff &buffer) {
  if (!buffer.before || !buffer.after)
    return buffer.state().type;
  return change(buffer.before->type, buffer.after->type);
}

DiffTable buffersTable(const CompileDiff &diff) {
  DiffTable table{"buffers", {{"buffer", "is", "type", "before", "after"}}, 5};
  bool isChanged = false;
  for (const BufferDiff &buffer : diff.buffers) {
    isChanged |= !buffer.changes.empty();
    table.rows.push_back({nameText(buffer), toText(buffer), typeText(buffer),
                          sideText(buffer.before), sideText(buffer.after)});
  }
  if (!isChanged)
    table.rows.resize(1);
  return table;
}

// One of the two is there.
std::string pipelineText(const PipelineFacts *before, const PipelineFacts *after) {
  assert(before || after);
  const PipelineFacts &newer = after ? *after : *before;
  std::string text = "pipelined loop";
  if (newer.sourceLine > 0)
    text += llvm::formatv(" of line {0}", newer.sourceLine);
  if (!before || !after)
    return text + (before ? " is gone" : " is new");
  return text + llvm::formatv(": stages {0}, commit groups {1}",
                              change(std::to_string(before->stages), std::to_string(after->stages)),
                              change(std::to_string(before->groups), std::to_string(after->groups)))
                    .str();
}

void addPipelines(const CompileDiff &diff, std::vector<std::string> &sentences) {
  if (diff.codeBefore.pipelines.has_value() != diff.codeAfter.pipelines.has_value())
    sentences.push_back("pipelined loops are not compared: those of another compiler are not "
                        "recorded");
  if (!diff.codeBefore.pipelines || !diff.codeAfter.pipelines)
    return;
  const std::vector<PipelineFacts> &before = *diff.codeBefore.pipelines;
  const std::vector<PipelineFacts> &after = *diff.codeAfter.pipelines;
  for (size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    const PipelineFacts *left = i < before.size() ? &before[i] : nullptr;
    const PipelineFacts *right = i < after.size() ? &after[i] : nullptr;
    if (!left || !right || !(*left == *right))
      sentences.push_back(pipelineText(left, right));
  }
}

void addCopies(const CompileDiff &diff, std::vector<std::string> &sentences) {
  auto countOf = [](const CodeFacts &code, const std::string &function) {
    auto found = code.copies.find(function);
    return found == code.copies.end() ? 0 : found->second;
  };
  std::set<std::string> functions;
  for (const CodeFacts *code : {&diff.codeBefore, &diff.codeAfter})
    for (const auto &[function, count] : code->copies)
      functions.insert(function);
  for (const std::string &function : functions) {
    int64_t before = countOf(diff.codeBefore, function), after = countOf(diff.codeAfter, function);
    if (before != after)
      sentences.push_back(llvm::formatv("{0} {1} -> {2}", function, before, after));
  }
}

// After elaborate any change of the kernel file or of an argument shows: that says nothing.
void addFirstDifferences(const CompileDiff &diff, std::vector<std::string> &sentences) {
  constexpr llvm::StringLiteral AsWritten = "elaborate";
  if (const std::optional<BytesDifference> &bytes = diff.firstBytesDifference)
    sentences.push_back(llvm::formatv(
        "shared memory differs {0}: {1} -> {2} bytes",
        bytes->pass == AsWritten ? std::string("as written") : "first after " + bytes->pass,
        groupedNumber(bytes->bytesBefore), groupedNumber(bytes->bytesAfter)));
  if (!diff.firstIrDifference.empty() && diff.firstIrDifference != AsWritten)
    sentences.push_back("the IR differs first after " + diff.firstIrDifference);
}

std::string bytesOf(const std::optional<KernelState> &kernel) {
  return kernel ? groupedNumber(kernel->peakBytes) : "";
}

std::string blocksOf(const std::optional<KernelState> &kernel) {
  return kernel && kernel->blocksPerSm ? std::to_string(*kernel->blocksPerSm) : "?";
}

// "before -> after", or the one that there is.
std::string both(const std::string &before, const std::string &after) {
  return before.empty() ? after : after.empty() ? before : change(before, after);
}

DiffFigures figuresOf(const KernelDiff &kernel) {
  DiffFigures figures;
  figures.peak = both(bytesOf(kernel.before), bytesOf(kernel.after));
  figures.delta = kernel.deltaBytes() == 0 ? "" : signedNumber(kernel.deltaBytes());
  figures.blocks = both(kernel.before ? blocksOf(kernel.before) : "",
                        kernel.after ? blocksOf(kernel.after) : "");
  if (kernel.after && kernel.after->capacityBytes > 0)
    figures.capacity =
        llvm::formatv("{0} %", 100 * kernel.after->peakBytes / kernel.after->capacityBytes);
  return figures;
}

} // namespace

std::vector<DiffTable> tablesOf(const CompileDiff &diff) {
  std::vector<DiffTable> tables{settingsTable(diff)};
  for (const FunctionDiff &function : diff.functions) {
    bool isOnly = diff.functions.size() == 1;
    tables.push_back(memoryTable(function.kernel, isOnly));
    tables.push_back(payersTable(function, isOnly));
  }
  tables.push_back(buffersTable(diff));
  std::erase_if(tables, [](const DiffTable &table) { return table.rows.size() == 1; });
  return tables;
}

std::vector<std::string> sentencesOf(const CompileDiff &diff) {
  std::vector<std::string> sentences;
  for (const CodeFacts *code : {&diff.codeBefore, &diff.codeAfter})
    if (!code->isSound)
      sentences.push_back(code == &diff.codeAfter ? "a checker finds it unsound"
                                                  : "a checker found it unsound before");
  addPipelines(diff, sentences);
  if (diff.codeBefore.barriers != diff.codeAfter.barriers)
    sentences.push_back(
        llvm::formatv("barriers {0} -> {1}", diff.codeBefore.barriers, diff.codeAfter.barriers));
  addCopies(diff, sentences);
  addFirstDifferences(diff, sentences);
  if (!diff.cuda.isSameCode())
    sentences.push_back(
        llvm::formatv("CUDA: {0} lines added, {1} removed", diff.cuda.added, diff.cuda.removed));
  else if (diff.cuda.hasOtherComments)
    sentences.emplace_back("CUDA: only comments differ");
  return sentences;
}

std::vector<DiffFigures> figuresOf(const KernelComparison &kernel) {
  std::vector<DiffFigures> all;
  if (kernel.diff)
    for (const FunctionDiff &function : kernel.diff->functions)
      all.push_back(figuresOf(function.kernel));
  if (all.empty())
    all.emplace_back();
  for (const auto &[index, figures] : llvm::enumerate(all)) {
    figures.kernel = kernel.name();
    figures.verdict = nameOf(kernel.verdict());
    if (all.size() > 1) {
      const KernelDiff &function = kernel.diff->functions[index].kernel;
      figures.kernel += " (" + (function.after ? *function.after : *function.before).function + ")";
    }
  }
  return all;
}

std::string blocksNote() { return "blocks/SM by " + BlocksWithoutRegisters.str(); }

} // namespace tilescope
