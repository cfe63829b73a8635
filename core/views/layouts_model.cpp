#include "core/views/layouts_model.h"

#include "core/support/buffer_key.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Of the grid of each buffer, and of the one that is chosen.
constexpr int64_t MostCells = 16;
constexpr int64_t MostCellsOfOne = 64;

using LanePlaces = std::vector<std::optional<int64_t>>; // by lane

void setColumns(LayoutOfBuffer &view, int64_t columns, int64_t step, int64_t most) {
  view.isPart |= columns > most * step;
  for (int64_t column = 0; column < std::min(columns, most * step); column += step)
    view.columns.push_back(std::to_string(column));
}

std::string cellsOf(const TileLayout &tile) {
  if (tile.isFragment())
    return "thread and register of each element";
  std::string what = tile.hasBanks() ? "first bank of every " : "first byte of every ";
  int64_t step = tile.chunkElements();
  return what + std::to_string(step) + (step == 1 ? " element" : " elements");
}

// Cells of a tile in memory are chunks of 16 bytes, or less of a short row.
void fillGrid(const TileLayout &tile, int64_t most, LayoutOfBuffer &view) {
  int64_t step = tile.isFragment() ? 1 : tile.chunkElements();
  view.cells = cellsOf(tile);
  view.isPart = tile.rows() > most;
  setColumns(view, tile.columns(), step, most);
  for (int64_t row = 0; row < std::min(tile.rows(), most); ++row) {
    LayoutRow made{std::to_string(row), {}};
    for (size_t cell = 0; cell < view.columns.size(); ++cell)
      made.cells.push_back(cellText(tile, row, static_cast<int64_t>(cell) * step));
    view.rows.push_back(std::move(made));
  }
}

// Bytes of a tile; empty: of some lane it is not known.
LanePlaces bytesOf(const TileLayout &tile, const LanePlaces &elements) {
  LanePlaces bytes;
  for (const std::optional<int64_t> &element : elements) {
    bytes.push_back(element ? tile.byteOf(*element) : std::nullopt);
    if (element && !bytes.back())
      return {};
  }
  return bytes;
}

bool areCountable(int64_t laneBytes) { return laneBytes > 0 && laneBytes <= 16; }

LayoutAccess accessOf(const PassState &state, const BankRecord &bank, const TileLayout *tile) {
  LayoutAccess access;
  access.stmt = bank.stmt;
  access.isWrite = bank.isWrite;
  access.laneBytes = bank.laneBytes;
  access.passes = bank.passes;
  access.leastPasses = bank.leastPasses;
  if (const TraceLine *line = state.firstLineOf(bank.stmt)) {
    access.sourceLine = line->sourceLine();
    access.text = llvm::StringRef(line->text).trim().str();
  }
  if (!tile || tile->isFragment() || !areCountable(bank.laneBytes))
    return access;
  access.warps = static_cast<int64_t>(bank.warps.size());
  TileLayout plain = tile->inRows();
  for (const std::vector<int64_t> &lanes : bank.warps)
    access.passesInRows =
        std::max(access.passesInRows,
                 bankPassesOf(bytesOf(plain, unpackLanes(lanes)), bank.laneBytes).passes);
  return access;
}

LayoutOfBuffer layoutOf(const PassState &state, const BufferRecord &record, int64_t most) {
  LayoutOfBuffer view;
  view.buffer = record.id;
  view.name = record.name;
  view.type = record.dtype;
  view.layout = record.layout;
  view.hueDegrees = state.facets()->hueOf(record.id);
  view.baseByte = record.offsetBytes.value_or(0);
  view.tile = TileLayout::of(record);
  if (view.tile)
    fillGrid(*view.tile, most, view);
  for (const BankRecord &bank : record.banks)
    view.accesses.push_back(accessOf(state, bank, view.tile ? &*view.tile : nullptr));
  return view;
}

LayoutSide sideOf(const TileLayout &tile, llvm::StringRef layout, const LanePlaces &elements,
                  int64_t laneBytes) {
  LayoutSide side;
  side.layout = layout.str();
  LanePlaces bytes = bytesOf(tile, elements);
  BankPasses counted = bankPassesOf(bytes, laneBytes);
  side.passes = counted.passes;
  side.leastPasses = counted.least;
  side.degree = counted.degree;
  std::vector<bool> conflicts = lanesInConflict(bytes, laneBytes);
  for (size_t lane = 0; lane != bytes.size(); ++lane) {
    if (!bytes[lane])
      continue;
    int64_t row = *elements[lane] / tile.columns();
    side.lanes.push_back({static_cast<int64_t>(lane), row, *elements[lane] - row * tile.columns(),
                          *bytes[lane], bankOf(*bytes[lane]),
                          static_cast<int64_t>(lane / lanesServedTogether(laneBytes)),
                          conflicts[lane]});
  }
  return side;
}

// The access that is chosen; -1: there is none.
int64_t chosenAccess(const LayoutOfBuffer &buffer, const LayoutChoice &choice) {
  auto isPinned = [&](const LayoutAccess &access) { return access.stmt == choice.stmt; };
  if (choice.lanes.access >= 0)
    return choice.lanes.access;
  auto found = llvm::find_if(buffer.accesses, isPinned);
  if (choice.stmt.isValid() && found != buffer.accesses.end())
    return found - buffer.accesses.begin();
  return buffer.accesses.empty() ? -1 : 0;
}

void addLanes(const BufferRecord &record, const LayoutChoice &choice, LayoutsView &view) {
  const LayoutOfBuffer &buffer = view.buffers.front();
  int64_t access = chosenAccess(buffer, choice);
  if (access >= static_cast<int64_t>(buffer.accesses.size())) {
    view.missing = llvm::formatv("'{0}' has no access {1}: {2} are known", record.name, access,
                                 buffer.accesses.size())
                       .str();
    return;
  }
  view.access = access;
  int64_t warps = access < 0 ? 0 : buffer.accesses[static_cast<size_t>(access)].warps;
  if (choice.lanes.warp >= std::max<int64_t>(warps, 1)) {
    view.missing = llvm::formatv("the lanes of warp {0} in '{1}' are not known: those of {2} are",
                                 choice.lanes.warp, record.name, warps)
                       .str();
    return;
  }
  if (warps == 0)
    return;
  const BankRecord &bank = record.banks[static_cast<size_t>(access)];
  LanePlaces elements = unpackLanes(bank.warps[static_cast<size_t>(choice.lanes.warp)]);
  LayoutLanes &lanes = view.lanes.emplace();
  lanes.access = access;
  lanes.warp = choice.lanes.warp;
  lanes.laneBytes = bank.laneBytes;
  lanes.isShifted = bank.isShifted;
  lanes.asLaid = sideOf(*buffer.tile, record.layout, elements, bank.laneBytes);
  if (!buffer.tile->isInRows())
    lanes.inRows = sideOf(buffer.tile->inRows(), "row_major", elements, bank.laneBytes);
}

void printAccesses(const LayoutOfBuffer &view, bool isNumbered, llvm::raw_ostream &out) {
  bool isMoved = view.tile && !view.tile->isInRows();
  std::vector<std::vector<std::string>> table = {
      {"  line", "", "statement", "bytes a lane", "passes a warp", "conflicts"}};
  if (isMoved)
    table.front().emplace_back("passes in rows");
  for (const LayoutAccess &access : view.accesses) {
    table.push_back({"  " + lineText("", access.sourceLine, ""),
                     access.isWrite ? "writes" : "reads", access.text,
                     std::to_string(access.laneBytes),
                     access.passes == 0 ? "?" : std::to_string(access.passes),
                     conflictsText(access.passes, access.leastPasses)});
    if (isMoved)
      table.back().push_back(access.passesInRows == 0 ? "?" : std::to_string(access.passesInRows));
  }
  if (isNumbered)
    for (size_t row = 0; row != table.size(); ++row)
      table[row].insert(table[row].begin(), row == 0 ? "  access" : "  " + std::to_string(row - 1));
  printTable(out, table, isNumbered ? 4 : 3);
}

void printGrid(const LayoutOfBuffer &view, llvm::raw_ostream &out) {
  out << "  " << view.cells << (view.isPart ? ", in part" : "") << '\n';
  std::vector<std::vector<std::string>> table = {{"  "}};
  llvm::append_range(table.front(), view.columns);
  for (const LayoutRow &row : view.rows) {
    table.push_back({"  " + row.label});
    llvm::append_range(table.back(), row.cells);
  }
  printTable(out, table, 1);
}

void printLanes(const LayoutLanes &lanes, const LayoutOfBuffer &buffer, llvm::raw_ostream &out) {
  out << "\n  " << whoseText(lanes, buffer)
      << (lanes.isShifted ? ", all further by what is known at run time only" : "") << '\n';
  out << "  " << lanes.asLaid.layout << ": " << countText(lanes.asLaid) << '\n';
  if (lanes.inRows)
    out << "  " << lanes.inRows->layout << ": " << countText(*lanes.inRows) << '\n';
  std::vector<std::vector<std::string>> table = {{"  lane", "group", "element", "byte", "bank"}};
  if (lanes.inRows)
    llvm::append_values(table.front(), "byte in rows", "bank");
  auto bankText = [](const LayoutLane &lane) {
    return std::to_string(lane.bank) + (lane.isInConflict ? "!" : " ");
  };
  for (size_t i = 0; i != lanes.asLaid.lanes.size(); ++i) {
    const LayoutLane &lane = lanes.asLaid.lanes[i];
    table.push_back({"  " + std::to_string(lane.lane), std::to_string(lane.group),
                     buffer.tile->coordinatesText(lane.row, lane.column), std::to_string(lane.byte),
                     bankText(lane)});
    if (lanes.inRows)
      llvm::append_values(table.back(), std::to_string(lanes.inRows->lanes[i].byte),
                          bankText(lanes.inRows->lanes[i]));
  }
  printTable(out, table, 0);
}

} // namespace

std::string cellText(const TileLayout &tile, int64_t row, int64_t column) {
  if (tile.isFragment()) {
    TileLayout::Holder holder = tile.holderOf(row, column);
    return llvm::formatv("t{0}r{1}", holder.thread, holder.reg);
  }
  std::optional<int64_t> byte = tile.byteOf(row * tile.columns() + column);
  return !byte ? "?" : std::to_string(tile.hasBanks() ? bankOf(*byte) : *byte);
}

std::string conflictsText(int64_t passes, int64_t leastPasses) {
  if (passes == 0)
    return "not known";
  return passes == leastPasses ? "none" : std::to_string(passes - leastPasses);
}

std::string countText(const LayoutSide &side) {
  if (side.passes == 0)
    return "no lane takes part";
  std::string text =
      llvm::formatv("{0} {1}", side.passes, side.passes == 1 ? "pass" : "passes").str();
  if (side.passes == side.leastPasses)
    return text + ", no conflict";
  return llvm::formatv("{0} of least {1}, up to {2} words of one bank", text, side.leastPasses,
                       side.degree);
}

std::string whoseText(const LayoutLanes &lanes, const LayoutOfBuffer &buffer) {
  bool isWrite = buffer.accesses[static_cast<size_t>(lanes.access)].isWrite;
  return llvm::formatv("warp {0} {1} {2} {3} a lane", lanes.warp, isWrite ? "writes" : "reads",
                       lanes.laneBytes, lanes.laneBytes == 1 ? "byte" : "bytes");
}

int hueOfNumber(int64_t number, int64_t count) {
  constexpr int64_t First = 30, Most = 300;
  int64_t last = std::max<int64_t>(count - 1, 1);
  return static_cast<int>(First + std::clamp<int64_t>(number, 0, last) * Most / last);
}

LayoutsView buildLayouts(const PassState &state, const LayoutChoice &choice) {
  LayoutsView view;
  view.pass = state.place();
  for (const BufferRecord &record : *state.snapshot().buffers) {
    bool isWanted = choice.buffer ? record.key == *choice.buffer : !record.layout.empty();
    if (!isWanted || (choice.buffer && !view.buffers.empty()))
      continue;
    view.buffers.push_back(layoutOf(state, record, choice.buffer ? MostCellsOfOne : MostCells));
    if (choice.buffer)
      addLanes(record, choice, view);
  }
  if (view.buffers.empty())
    view.summary = choice.buffer ? "the buffer is not there after " + view.pass
                                 : "no buffer has a layout yet: infer-layouts chooses them";
  return view;
}

LayoutsView buildLayouts(const Trace &trace, const Selection &selection) {
  return buildLayouts(PassState(trace, selection.pass), LayoutChoice::of(selection));
}

void print(const LayoutsView &view, llvm::raw_ostream &out) {
  write(out, view.pass, {Ink::Strong});
  out << '\n';
  if (!view.summary.empty())
    out << view.summary << '\n';
  for (const LayoutOfBuffer &buffer : view.buffers) {
    out << '\n';
    write(out, buffer.name, {Ink::Strong});
    out << ": " << buffer.type << ", "
        << (buffer.layout.empty() ? "no layout is chosen" : buffer.layout) << '\n';
    if (!buffer.rows.empty())
      printGrid(buffer, out);
    if (!buffer.accesses.empty())
      printAccesses(buffer, view.access >= 0, out);
    if (view.lanes)
      printLanes(*view.lanes, buffer, out);
  }
}

} // namespace tilescope
