#include "core/views/layouts_model.h"

#include "core/support/buffer_key.h"
#include "core/trace/trace_origin.h"

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

// Of a BankRecord or a SectorRecord.
template <typename Record> LayoutAccess commonOf(const PassState &state, const Record &record) {
  LayoutAccess access;
  access.stmt = record.stmt;
  access.isWrite = record.isWrite;
  access.laneBytes = record.laneBytes;
  if (const TraceLine *line = state.firstLineOf(record.stmt)) {
    access.sourceLine = line->sourceLine();
    access.text = llvm::StringRef(line->text).trim().str();
  }
  return access;
}

LayoutAccess accessOf(const PassState &state, const SectorRecord &record, const TileLayout *tile) {
  LayoutAccess access = commonOf(state, record);
  access.sectors = record.sectors;
  access.leastSectors = record.leastSectors;
  access.lines = record.lines;
  if (tile && tile->hasSectors() && areCountable(record.laneBytes))
    access.warps = static_cast<int64_t>(record.warps.size());
  return access;
}

LayoutAccess accessOf(const PassState &state, const BankRecord &bank, const TileLayout *tile) {
  LayoutAccess access = commonOf(state, bank);
  access.passes = bank.passes;
  access.leastPasses = bank.leastPasses;
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
  if (view.tile) {
    fillGrid(*view.tile, most, view);
    view.blocks = tileBlocksOf(state, record, *view.tile);
  }
  const TileLayout *tile = view.tile ? &*view.tile : nullptr;
  if (record.scope == BufferScope::Global)
    for (const SectorRecord &sectors : record.sectors)
      view.accesses.push_back(accessOf(state, sectors, tile));
  else
    for (const BankRecord &bank : record.banks)
      view.accesses.push_back(accessOf(state, bank, tile));
  return view;
}

LayoutLane laneAt(const TileLayout &tile, int64_t element, int64_t byte) {
  LayoutLane lane;
  lane.row = element / tile.columns();
  lane.column = element - lane.row * tile.columns();
  lane.byte = byte;
  return lane;
}

LayoutSide sideOf(const TileLayout &tile, llvm::StringRef layout, const LanePlaces &elements,
                  int64_t laneBytes) {
  LayoutSide side;
  side.layout = layout.str();
  LanePlaces bytes = bytesOf(tile, elements);
  if (tile.hasSectors()) {
    SectorCounts counted = sectorCountsOf(bytes, laneBytes);
    side.sectors = counted.sectors;
    side.leastSectors = counted.least;
    side.lines = counted.lines;
    for (size_t lane = 0; lane != bytes.size(); ++lane)
      if (bytes[lane]) {
        LayoutLane &made = side.lanes.emplace_back(laneAt(tile, *elements[lane], *bytes[lane]));
        made.lane = static_cast<int64_t>(lane);
        made.sector = sectorOf(made.byte);
      }
    return side;
  }
  BankPasses counted = bankPassesOf(bytes, laneBytes);
  side.passes = counted.passes;
  side.leastPasses = counted.least;
  side.degree = counted.degree;
  std::vector<bool> conflicts = lanesInConflict(bytes, laneBytes);
  for (size_t lane = 0; lane != bytes.size(); ++lane) {
    if (!bytes[lane])
      continue;
    LayoutLane &made = side.lanes.emplace_back(laneAt(tile, *elements[lane], *bytes[lane]));
    made.lane = static_cast<int64_t>(lane);
    made.bank = bankOf(made.byte);
    made.group = static_cast<int64_t>(lane / lanesServedTogether(laneBytes));
    made.isInConflict = conflicts[lane];
  }
  return side;
}

int64_t chosenBlocks(const LayoutOfBuffer &buffer, StmtId stmt) {
  auto found =
      llvm::find_if(buffer.blocks, [&](const TileBlocks &blocks) { return blocks.stmt == stmt; });
  if (stmt.isValid() && found != buffer.blocks.end())
    return found - buffer.blocks.begin();
  return buffer.blocks.empty() ? -1 : 0;
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
  LayoutLanes &lanes = view.lanes.emplace();
  lanes.access = access;
  lanes.warp = choice.lanes.warp;
  auto fill = [&](const auto &known) {
    LanePlaces elements = unpackLanes(known.warps[static_cast<size_t>(choice.lanes.warp)]);
    lanes.laneBytes = known.laneBytes;
    lanes.isShifted = known.isShifted;
    lanes.asLaid = sideOf(*buffer.tile, record.layout.empty() ? "row_major" : record.layout,
                          elements, known.laneBytes);
    if (!buffer.tile->isInRows())
      lanes.inRows = sideOf(buffer.tile->inRows(), "row_major", elements, known.laneBytes);
  };
  auto index = static_cast<size_t>(access);
  buffer.tile->hasSectors() ? fill(record.sectors[index]) : fill(record.banks[index]);
  if (buffer.tile->hasSectors() && record.sectors[index].lines == 0)
    lanes.asLaid.lines = 0;
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
    if (!choice.buffer)
      continue;
    view.blocks = chosenBlocks(view.buffers.front(), choice.stmt);
    addLanes(record, choice, view);
  }
  if (view.buffers.empty())
    view.summary = choice.buffer ? "the buffer is not there after " + view.pass
                   : isForeign(state.trace().header)
                       ? "no buffer has a layout"
                       : "no buffer has a layout yet: infer-layouts chooses them";
  return view;
}

LayoutsView buildLayouts(const Trace &trace, const Selection &selection) {
  return buildLayouts(PassState(trace, selection.pass), LayoutChoice::of(selection));
}

} // namespace tilescope
