// Layouts as text.
#include "core/views/layouts_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

std::string conflictsText(int64_t passes, int64_t leastPasses) {
  if (passes == 0)
    return "not known";
  return passes == leastPasses ? "none" : std::to_string(passes - leastPasses);
}

namespace {

std::string sectorsText(const LayoutSide &side) {
  std::string text =
      std::to_string(side.sectors) + (side.sectors == 1 ? " sector" : " sectors") + " of 32 bytes" +
      (side.isCostly() ? " of least " + std::to_string(side.leastSectors) : ", the least there is");
  if (side.lines == 0)
    return text;
  return text + ", in " + std::to_string(side.lines) + (side.lines == 1 ? " line" : " lines");
}

} // namespace

std::string countText(const LayoutSide &side) {
  if (side.sectors > 0)
    return sectorsText(side);
  if (side.passes == 0)
    return "no lane takes part";
  std::string text =
      llvm::formatv("{0} {1}", side.passes, side.passes == 1 ? "pass" : "passes").str();
  if (side.passes == side.leastPasses)
    return text + ", no conflict";
  return llvm::formatv("{0} of least {1}, up to {2} words of one bank", text, side.leastPasses,
                       side.degree);
}

std::string shiftText(const LayoutLanes &lanes, const LayoutOfBuffer &buffer) {
  if (!lanes.isShifted)
    return "";
  return buffer.tile->hasSectors() ? ", all further by what the block and the iteration choose"
                                   : ", all further by what is known at run time only";
}

std::string whoseText(const LayoutLanes &lanes, const LayoutOfBuffer &buffer) {
  bool isWrite = buffer.accesses[static_cast<size_t>(lanes.access)].isWrite;
  return llvm::formatv("warp {0} {1} {2} {3} a lane", lanes.warp, isWrite ? "writes" : "reads",
                       lanes.laneBytes, lanes.laneBytes == 1 ? "byte" : "bytes");
}

namespace {

std::string numberOrUnknown(int64_t number) { return number == 0 ? "?" : std::to_string(number); }

void printTensorAccesses(const LayoutOfBuffer &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> table = {
      {"  access", "line", "", "statement", "bytes a lane", "sectors a warp", "least", "lines"}};
  for (const LayoutAccess &access : view.accesses)
    table.push_back({"  " + std::to_string(table.size() - 1), lineText("", access.sourceLine, ""),
                     access.isWrite ? "writes" : "reads", access.text,
                     std::to_string(access.laneBytes), numberOrUnknown(access.sectors),
                     numberOrUnknown(access.leastSectors), numberOrUnknown(access.lines)});
  printTable(out, table, 4);
}

void printAccesses(const LayoutOfBuffer &view, bool isNumbered, llvm::raw_ostream &out) {
  if (view.tile && view.tile->hasSectors())
    return printTensorAccesses(view, out);
  bool isMoved = view.tile && !view.tile->isInRows();
  std::vector<std::vector<std::string>> table = {
      {"  line", "", "statement", "bytes a lane", "passes a warp", "conflicts"}};
  if (isMoved)
    table.front().emplace_back("passes in rows");
  for (const LayoutAccess &access : view.accesses) {
    table.push_back({"  " + lineText("", access.sourceLine, ""),
                     access.isWrite ? "writes" : "reads", access.text,
                     std::to_string(access.laneBytes), numberOrUnknown(access.passes),
                     conflictsText(access.passes, access.leastPasses)});
    if (isMoved)
      table.back().push_back(numberOrUnknown(access.passesInRows));
  }
  if (isNumbered)
    for (size_t row = 0; row != table.size(); ++row)
      table[row].insert(table[row].begin(), row == 0 ? "  access" : "  " + std::to_string(row - 1));
  printTable(out, table, isNumbered ? 4 : 3);
}

void printBlocks(const LayoutOfBuffer &view, llvm::raw_ostream &out) {
  for (const TileBlocks &blocks : view.blocks)
    out << "  " << lineText("line ", blocks.sourceLine, ": ") << toText(blocks) << ": "
        << blocks.text << '\n';
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

void printSectors(const LayoutSide &side, const TileLayout &tile, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> table = {{"  lane", "element", "byte", "sector", "line"}};
  for (const LayoutLane &lane : side.lanes)
    table.push_back({"  " + std::to_string(lane.lane), tile.coordinatesText(lane.row, lane.column),
                     std::to_string(lane.byte), std::to_string(lane.sector),
                     side.lines == 0 ? "?" : std::to_string(globalLineOf(lane.byte))});
  printTable(out, table, 0);
}

void printLanes(const LayoutLanes &lanes, const LayoutOfBuffer &buffer, llvm::raw_ostream &out) {
  out << "\n  " << whoseText(lanes, buffer) << shiftText(lanes, buffer) << '\n';
  out << "  " << lanes.asLaid.layout << ": " << countText(lanes.asLaid) << '\n';
  if (lanes.inRows)
    out << "  " << lanes.inRows->layout << ": " << countText(*lanes.inRows) << '\n';
  if (buffer.tile->hasSectors())
    return printSectors(lanes.asLaid, *buffer.tile, out);
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
    printBlocks(buffer, out);
    if (!buffer.accesses.empty())
      printAccesses(buffer, view.access >= 0, out);
    if (view.lanes)
      printLanes(*view.lanes, buffer, out);
  }
}

} // namespace tilescope
