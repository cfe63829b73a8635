#include "core/views/costs_model.h"

#include "core/trace/trace_origin.h"
#include "core/views/layouts_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <unordered_map>

namespace tilescope {

namespace {

using AccessesOfStmts = std::unordered_map<StmtId, std::vector<AccessCost>>;

AccessesOfStmts accessesIn(const TraceSnapshot &snapshot) {
  AccessesOfStmts accesses;
  for (const BufferRecord &record : *snapshot.buffers)
    for (const BankRecord &bank : record.banks)
      accesses[bank.stmt].push_back(
          {record.id, record.name, bank.isWrite, bank.laneBytes, bank.passes, bank.leastPasses});
  return accesses;
}

// By line, from 0.
std::vector<int64_t> registersIn(const PassState &state, size_t lineCount) {
  std::vector<int64_t> changes(lineCount + 1, 0);
  for (const BufferRecord &record : *state.snapshot().buffers) {
    std::optional<uint32_t> from = state.lineOf(record.liveFrom), to = state.lineOf(record.liveTo);
    if (record.registers == 0 || !from || !to || *from > *to || *to >= lineCount)
      continue;
    changes[*from] += record.registers;
    changes[*to + 1] -= record.registers;
  }
  int64_t live = 0;
  for (int64_t &change : changes)
    change = live += change;
  changes.pop_back();
  return changes;
}

// The first line of each statement; empty unless the CUDA was made from this state.
std::unordered_map<StmtId, uint32_t> cudaLinesOf(const PassState &state) {
  std::unordered_map<StmtId, uint32_t> lines;
  const Trace &trace = state.trace();
  bool isLast = trace.passes[state.pass()].snapshot == trace.passes.back().snapshot;
  for (const CudaLine &line : isLast ? trace.cudaMap : std::vector<CudaLine>())
    if (line.stmt.isValid())
      lines.try_emplace(line.stmt, line.line);
  return lines;
}

const AccessCost *worstOf(const CostRow &row) {
  auto excess = [](const AccessCost &access) { return access.passes - access.leastPasses; };
  auto isLess = [&](const AccessCost &a, const AccessCost &b) {
    return std::pair(excess(a), a.laneBytes) < std::pair(excess(b), b.laneBytes);
  };
  auto worst = std::max_element(row.accesses.begin(), row.accesses.end(), isLess);
  return worst == row.accesses.end() ? nullptr : &*worst;
}

// A statement stands once, above its other accesses.
void addRow(const CostRow &row, const AccessCost *access, bool isFirst,
            std::vector<std::vector<std::string>> &table) {
  std::vector<std::string> &cells = table.emplace_back();
  if (isFirst)
    cells = {std::to_string(row.irLine), row.cudaLine ? std::to_string(row.cudaLine) : "",
             lineText("", row.sourceLine, ""), std::to_string(row.registers)};
  else
    cells = {"", "", "", ""};
  if (access)
    llvm::append_values(cells, std::to_string(access->laneBytes),
                        access->passes == 0 ? "?" : std::to_string(access->passes),
                        conflictsText(access->passes, access->leastPasses),
                        (access->isWrite ? "writes " : "reads ") + access->name);
  else
    llvm::append_values(cells, "", "", "", "");
  cells.push_back(isFirst ? row.text : "");
}

} // namespace

CostsView buildCosts(const PassState &state) {
  CostsView view;
  view.pass = state.place();
  const TraceSnapshot &snapshot = state.snapshot();
  AccessesOfStmts accesses = accessesIn(snapshot);
  std::vector<int64_t> registers = registersIn(state, snapshot.lines->size());
  std::unordered_map<StmtId, uint32_t> cudaLines = cudaLinesOf(state);
  for (uint32_t line = 0; line != registers.size(); ++line) {
    const TraceLine &text = state.trace().lines[(*snapshot.lines)[line]];
    CostRow row;
    bool isFirst = text.stmt.isValid() && state.lineOf(text.stmt) == line;
    if (auto found = accesses.find(text.stmt); isFirst && found != accesses.end())
      row.accesses = std::move(found->second);
    row.registers = registers[line];
    if (row.accesses.empty() && row.registers == 0)
      continue;
    row.irLine = line + 1;
    row.stmt = text.stmt;
    row.sourceLine = text.sourceLine();
    row.text = llvm::StringRef(text.text).trim().str();
    if (auto found = cudaLines.find(text.stmt); isFirst && found != cudaLines.end())
      row.cudaLine = found->second;
    if (row.registers > view.mostRegisters) {
      view.mostRegisters = row.registers;
      view.mostRegistersLine = row.irLine;
    }
    view.rows.push_back(std::move(row));
  }
  if (view.rows.empty())
    view.summary =
        isForeign(state.trace().header)
            ? "no costs are known: the trace does not say what each lane accesses"
            : "no costs are known yet: they are once merge-shared-memory has planned the arena";
  return view;
}

// Lines with an access, and those where another number of registers is live than before.
void print(const CostsView &view, llvm::raw_ostream &out) {
  write(out, view.pass, {Ink::Strong});
  out << '\n';
  if (!view.summary.empty()) {
    out << view.summary << '\n';
    return;
  }
  if (view.mostRegistersLine)
    out << llvm::formatv(
        "fragments and arrays of threads hold up to {0} registers of a thread, at IR "
        "line {1}\n",
        view.mostRegisters, view.mostRegistersLine);
  std::vector<std::vector<std::string>> table = {{"IR", "CUDA", "line", "registers", "bytes a lane",
                                                  "passes a warp", "conflicts", "", "statement"}};
  int64_t before = 0;
  for (const CostRow &row : view.rows) {
    if (row.accesses.empty() && row.registers != before)
      addRow(row, nullptr, true, table);
    for (const AccessCost &access : row.accesses)
      addRow(row, &access, &access == &row.accesses.front(), table);
    before = row.registers;
  }
  printTable(out, table, table.front().size());
}

const CostRow *costOfLine(const CostsView &view, uint32_t irLine) {
  auto found =
      llvm::partition_point(view.rows, [&](const CostRow &row) { return row.irLine < irLine; });
  return found != view.rows.end() && found->irLine == irLine ? &*found : nullptr;
}

const CostRow *costOfStmt(const CostsView &view, StmtId stmt) {
  auto found = llvm::find_if(view.rows, [&](const CostRow &row) { return row.stmt == stmt; });
  return found == view.rows.end() ? nullptr : &*found;
}

CostText textOf(const CostRow &row) {
  CostText text;
  if (row.registers > 0)
    text.registers = std::to_string(row.registers);
  const AccessCost *worst = worstOf(row);
  if (!worst)
    return text;
  text.bytes = std::to_string(worst->laneBytes);
  text.hasConflict = worst->passes > worst->leastPasses;
  if (worst->leastPasses > 0) // rounded up: x1 is free of conflicts
    text.degree =
        "x" + std::to_string((worst->passes + worst->leastPasses - 1) / worst->leastPasses);
  return text;
}

} // namespace tilescope
