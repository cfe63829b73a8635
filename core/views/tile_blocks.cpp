#include "core/views/tile_blocks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr int64_t MatrixRows = 8;
constexpr int64_t MatrixBytes = 16; // of a row of a core matrix
constexpr int64_t MostOfBox = 256;  // elements along a dimension

int64_t elementsIn(int64_t bytes, const TileLayout &tile) {
  return std::max<int64_t>(bytes * 8 / tile.elementBits(), 1);
}

// What a statement says: its first line, and the lines inside of it.
class StatementText {
public:
  StatementText(const PassState &state, StmtId stmt) {
    std::optional<uint32_t> first = state.lineOf(stmt);
    if (!first)
      return;
    const std::vector<LineId> &lines = *state.snapshot().lines;
    auto textOf = [&](size_t line) -> llvm::StringRef {
      return state.trace().lines[lines[line]].text;
    };
    auto depthOf = [](llvm::StringRef text) { return text.size() - text.ltrim().size(); };
    firstLine_ = textOf(*first).trim();
    calls(firstLine_);
    for (size_t line = *first + 1; line < lines.size(); ++line) {
      if (depthOf(textOf(line)) <= depthOf(textOf(*first)))
        return;
      calls(textOf(line));
    }
  }

  llvm::StringRef firstLine() const { return firstLine_; } // empty: it printed none
  bool multiplies() const { return multiplies_; }
  // By a descriptor of a tensor, and not as bytes in a row.
  bool copiesBoxes() const { return copiesBoxes_; }
  bool isOneCopy() const {
    return firstLine_.starts_with("T.tma_load(") || firstLine_.starts_with("T.tma_store(") ||
           firstLine_.starts_with("T.tma_reduce(");
  }

private:
  void calls(llvm::StringRef text) {
    multiplies_ |= text.contains("wgmma_ss(") || text.contains("wgmma_rs(");
    for (llvm::StringRef call : {"tma_load(", "tma_store("})
      if (size_t at = text.find(call); at != llvm::StringRef::npos)
        copiesBoxes_ |= !text.drop_front(at + call.size()).starts_with("T.address_of(");
  }

  llvm::StringRef firstLine_;
  bool multiplies_ = false, copiesBoxes_ = false;
};

// The innermost extent of a box is no wider than the swizzle; a tile of more dimensions than two
// may be cut along any of them.
TileBlocks boxOf(const TileLayout &tile) {
  TileBlocks box;
  box.isBox = true;
  int64_t most = tile.spanBytes() > 0 ? elementsIn(tile.spanBytes(), tile) : MostOfBox;
  box.columns = std::min({tile.columns(), most, MostOfBox});
  box.rows = std::min(tile.rows(), MostOfBox);
  box.isExact = box.columns == tile.columns() && box.rows == tile.rows();
  return box;
}

TileBlocks matrixOf(const TileLayout &tile) {
  TileBlocks matrix;
  matrix.rows = MatrixRows;
  matrix.columns = elementsIn(MatrixBytes, tile);
  matrix.isExact = true;
  return matrix;
}

// nullopt: it is neither wgmma nor a copy of boxes.
std::optional<TileBlocks> blocksOf(const PassState &state, StmtId stmt, const Access &access,
                                   const TileLayout &tile) {
  StatementText text(state, stmt);
  bool isMatrix = text.multiplies() && access.kind == AccessKind::Read;
  if (!isMatrix && !text.copiesBoxes())
    return std::nullopt;
  TileBlocks blocks = isMatrix ? matrixOf(tile) : boxOf(tile);
  blocks.isExact &= isMatrix || (text.isOneCopy() && access.full);
  blocks.stmt = stmt;
  blocks.isWrite = access.kind == AccessKind::Write;
  blocks.bytes = access.bytes;
  blocks.text = text.firstLine().str();
  blocks.sourceLine = state.firstLineOf(stmt)->sourceLine();
  return blocks;
}

} // namespace

std::vector<TileBlocks> tileBlocksOf(const PassState &state, const BufferRecord &record,
                                     const TileLayout &tile) {
  std::vector<TileBlocks> found;
  if (!tile.hasBanks())
    return found;
  auto take = [&](const AccessNode &node, const Access &access) {
    if (access.buffer != record.id || !access.isOfAsyncProxy)
      return;
    if (std::optional<TileBlocks> blocks = blocksOf(state, node.stmt, access, tile))
      found.push_back(std::move(*blocks));
  };
  for (const FunctionState &function : state.functions()) {
    if (!function.accesses)
      continue;
    for (const AccessNode &node : function.accesses->program.nodes)
      for (const Access &access : node.accesses)
        take(node, access);
  }
  return found;
}

std::string toText(const TileBlocks &blocks) {
  std::string size = llvm::formatv("{0} x {1} elements", blocks.rows, blocks.columns);
  if (!blocks.isBox)
    return "wgmma reads core matrices of " + size;
  std::string text = blocks.isWrite ? "TMA writes " : "TMA reads ";
  text += (blocks.isExact ? "a box of " : "boxes of at most ") + size;
  if (blocks.bytes > 0)
    text += ", " + groupedNumber(blocks.bytes) + " bytes";
  return text;
}

} // namespace tilescope
