#include "core/diff/diff_tables.h"

#include "core/support/number_text.h"
#include "core/target/register_limit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>
#include <set>

namespace tilescope {

namespace {

std::string change(const std::string &before, const std::string &after) {
  return before == after ? after : before + " -> " + after;
}

// "before -> after", or the one that there is.
std::string both(const std::string &before, const std::string &after) {
  return before.empty() ? after : after.empty() ? before : change(before, after);
}

// "1 line", "2 lines"
std::string linesText(int64_t lines) {
  return std::to_string(lines) + (lines == 1 ? " line" : " lines");
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

bool isPreview(const KernelDiff &kernel) {
  return (kernel.before && kernel.before->isPreview) || (kernel.after && kernel.after->isPreview);
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
  add(isPreview(kernel) ? "peak bytes (preview)" : "peak bytes",
      [](const KernelState &state) -> Value { return state.peakBytes; });
  add("capacity bytes", [](const KernelState &state) {
    return state.capacityBytes > 0 ? Value(state.capacityBytes) : std::nullopt;
  });
  add("padding bytes", [](const KernelState &state) -> Value { return state.paddingBytes; });
  add("blocks/SM", [](const KernelState &state) {
    return state.blocksPerSm ? Value(*state.blocksPerSm) : std::nullopt;
  });
  add("registers of a thread", [](const KernelState &state) {
    return state.registers.isKnown() ? Value(state.registers.registersOfThread) : std::nullopt;
  });
  add("blocks/SM with registers", [](const KernelState &state) {
    const std::optional<int> &blocks = state.registers.blocksWithRegisters;
    return blocks ? Value(*blocks) : std::nullopt;
  });
  add("spilled bytes of a thread", [](const KernelState &state) {
    return state.registers.isKnown() ? Value(state.registers.spillBytes) : std::nullopt;
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

// Of a plan alone there is none.
std::string typeText(const BufferDiff &buffer) {
  if (!buffer.before || !buffer.after)
    return buffer.state().type;
  return both(buffer.before->type, buffer.after->type);
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
  std::string text = "pipelined loop" + lineText(" of line ", newer.sourceLine);
  if (!before || !after)
    return text + (before ? " is gone" : " is new");
  return text + llvm::formatv(": stages {0}, commit groups {1}",
                              change(std::to_string(before->stages), std::to_string(after->stages)),
                              change(std::to_string(before->groups), std::to_string(after->groups)))
                    .str();
}

void addPipelines(const CompileDiff &diff, std::vector<std::string> &sentences) {
  if (diff.codeBefore.pipelines.has_value() != diff.codeAfter.pipelines.has_value())
    sentences.push_back("pipelined loops are not compared: how another compiler schedules "
                        "its own is not recorded");
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

void addLaunches(const CompileDiff &diff, std::vector<std::string> &sentences) {
  const std::vector<LaunchFacts> &before = diff.codeBefore.launches;
  const std::vector<LaunchFacts> &after = diff.codeAfter.launches;
  if (!diff.codeBefore.hasOtherLaunches(diff.codeAfter))
    return;
  if (before.size() != after.size())
    sentences.push_back(llvm::formatv("launches {0} -> {1}", before.size(), after.size()));
  auto gridText = [](const LaunchFacts &launch) {
    return "(" + llvm::join(launch.grid, ", ") + ")";
  };
  auto clusterText = [](const LaunchFacts &launch) {
    std::string text;
    for (int64_t blocks : launch.cluster)
      text += (text.empty() ? "(" : ", ") + std::to_string(blocks);
    return text.empty() ? "none" : text + ")";
  };
  for (const auto &[left, right] : llvm::zip(before, after)) {
    std::string of = after.size() == 1 ? "" : " of " + right.kernel;
    if (left.threads != right.threads)
      sentences.push_back(llvm::formatv("threads{0} {1} -> {2}", of, left.threads, right.threads));
    if (left.grid != right.grid)
      sentences.push_back(llvm::formatv("grid{0} {1} -> {2}", of, gridText(left), gridText(right)));
    if (left.cluster != right.cluster)
      sentences.push_back(
          llvm::formatv("clusters{0} {1} -> {2}", of, clusterText(left), clusterText(right)));
  }
}

void addCode(const CompileDiff &diff, std::vector<std::string> &sentences) {
  addLaunches(diff, sentences);
  addPipelines(diff, sentences);
  if (diff.codeBefore.barriers != diff.codeAfter.barriers)
    sentences.push_back(
        llvm::formatv("barriers {0} -> {1}", diff.codeBefore.barriers, diff.codeAfter.barriers));
  addCopies(diff, sentences);
}

void addScope(const CompileDiff &diff, std::vector<std::string> &sentences) {
  if (diff.scope == DiffScope::UpToFailure)
    sentences.push_back(diff.upTo.empty() ? "no pass was finished on both sides"
                                          : "compared as far as " + diff.upTo +
                                                ", the last pass that both finished");
}

// What the checkers say, the first of it.
void addFaults(const std::string &what, const CodeFacts &code,
               std::vector<std::string> &sentences) {
  constexpr size_t Most = 3;
  if (code.isSound)
    return;
  if (code.faults.empty())
    sentences.push_back(what);
  for (const std::string &fault : llvm::ArrayRef(code.faults).take_front(Most))
    sentences.push_back(llvm::formatv("{0}: {1}", what, fault));
  if (code.faults.size() > Most)
    sentences.push_back(what + ": " + std::to_string(code.faults.size() - Most) + " more");
}

void addFirstDifferences(const CompileDiff &diff, std::vector<std::string> &sentences) {
  constexpr llvm::StringLiteral AsWritten = "elaborate";
  constexpr llvm::StringLiteral Owners[] = {"", ", which only the old compile has",
                                            ", which only the new compile has"};
  if (const std::optional<BytesDifference> &bytes = diff.firstBytesDifference)
    sentences.push_back(llvm::formatv(
        "shared memory differs {0}{1}: {2} -> {3} bytes",
        bytes->pass == AsWritten ? std::string("as written") : "first after " + bytes->pass,
        Owners[static_cast<size_t>(bytes->sides)], groupedNumber(bytes->bytesBefore),
        groupedNumber(bytes->bytesAfter)));
  if (!diff.firstIrDifference.empty())
    sentences.push_back(diff.firstIrDifference == AsWritten
                            ? "the IR differs from elaborate on (the kernel as written)"
                            : "the IR differs first after " + diff.firstIrDifference);
}

std::string bytesOf(const std::optional<KernelState> &kernel) {
  return kernel ? groupedNumber(kernel->peakBytes) : "";
}

std::string blocksOf(const KernelDiff &kernel) {
  ComparedBlocks blocks = comparedBlocks(kernel);
  auto text = [](const std::optional<KernelState> &side, std::optional<int> figure) {
    return !side ? "" : figure ? std::to_string(*figure) : "?";
  };
  return both(text(kernel.before, blocks.before), text(kernel.after, blocks.after)) +
         (blocks.areWithRegisters ? " with registers" : "");
}

DiffFigures figuresOf(const KernelDiff &kernel, const CompileDiff &diff) {
  DiffFigures figures;
  figures.peak = both(bytesOf(kernel.before), bytesOf(kernel.after));
  if (isPreview(kernel))
    figures.peak += " (preview)";
  bool isOneSide = diff.isNew || diff.isGone;
  figures.delta = isOneSide || kernel.deltaBytes() == 0 ? "" : signedNumber(kernel.deltaBytes());
  figures.blocks = blocksOf(kernel);
  if (kernel.after && kernel.after->capacityBytes > 0)
    figures.capacity =
        llvm::formatv("{0} %", 100 * kernel.after->peakBytes / kernel.after->capacityBytes);
  return figures;
}

} // namespace

std::vector<DiffTable> tablesOf(const CompileDiff &diff) {
  if (reasonsOf(diff).empty())
    return {};
  bool isOneSide = diff.isNew || diff.isGone;
  std::vector<DiffTable> tables{settingsTable(diff)};
  for (const FunctionDiff &function : diff.functions) {
    bool isOnly = diff.functions.size() == 1;
    tables.push_back(memoryTable(function.kernel, isOnly));
    if (!isOneSide)
      tables.push_back(payersTable(function, isOnly));
  }
  if (!isOneSide)
    tables.push_back(buffersTable(diff));
  std::erase_if(tables, [](const DiffTable &table) { return table.rows.size() == 1; });
  return tables;
}

std::vector<std::string> sentencesOf(const CompileDiff &diff) {
  std::vector<std::string> sentences;
  addScope(diff, sentences);
  addFaults("a checker finds it unsound", diff.codeAfter, sentences);
  addFaults("a checker found it unsound before", diff.codeBefore, sentences);
  for (const VerdictDiff &verdict : diff.verdicts)
    sentences.push_back(toText(verdict));
  if (diff.isNew || diff.isGone)
    return sentences;
  if (diff.scope == DiffScope::Whole)
    addCode(diff, sentences);
  addFirstDifferences(diff, sentences);
  std::string code = diff.cuda.isPtx ? "PTX: " : "CUDA: ";
  if (!diff.cuda.isSameCode())
    sentences.push_back(code + linesText(diff.cuda.added) + " added, " +
                        std::to_string(diff.cuda.removed) + " removed");
  else if (diff.cuda.hasOtherComments)
    sentences.push_back(code + "only comments differ");
  return sentences;
}

std::vector<DiffFigures> figuresOf(const KernelComparison &kernel) {
  std::vector<DiffFigures> all;
  if (kernel.diff)
    for (const FunctionDiff &function : kernel.diff->functions)
      all.push_back(figuresOf(function.kernel, *kernel.diff));
  if (all.empty())
    all.emplace_back();
  for (const auto &[index, figures] : llvm::enumerate(all)) {
    figures.kernel = kernel.name();
    if (kernel.isNew() || kernel.isGone())
      figures.delta = kernel.isNew() ? "new" : "gone";
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
