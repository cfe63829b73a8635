// Buffers of a device function: their declarations, and the text of what is read and written in
// them. Every access goes through a name chosen by buffer identity:
//
//   A_shared        slot 0, always
//   A_shared_v1     slot 1, where an access has this constant slot
//   A_shared_ko     slot ko % 3: one pointer at the head of the body of loop `ko`
//
// Four-bit elements lie in pairs in bytes: they are unpacked when read and packed when written.
#pragma once

#include "core/codegen/cuda_exprs.h"
#include "core/codegen/cuda_places.h"
#include "core/codegen/cuda_state.h"

#include <map>
#include <utility>

namespace tilescope {

class CudaBuffers {
public:
  // Pointers to slots that are in scope: by buffer and printed slot expression.
  using SlotNames = std::map<std::pair<BufferId, std::string>, std::string>;

  CudaBuffers(CudaFunctionState &state, CudaExprs &exprs)
      : state_(state), exprs_(exprs), places_(state.module, exprs) {}

  void declareNames();
  const std::string &nameOf(BufferId buffer) const { return bufferNames_.at(buffer); }
  // Arrays, and pointers into the arena and to constant slots.
  void declareAll();
  // A pointer for each slot that `stmts` choose with variables that are all in scope by now.
  void declareSlotPointers(llvm::ArrayRef<const Stmt *> stmts);
  // A block puts back behind it what was in scope in front of it.
  const SlotNames &slotNames() const { return slotNames_; }
  void setSlotNames(SlotNames names) { slotNames_ = std::move(names); }

  // The pointer to slot `slot` (null: the only one).
  std::string baseName(const Buffer &buffer, const Expr *slot);
  // The element's index, which a single variable does not have.
  std::string placeOf(const Buffer &buffer, ExprList indices);
  // Pointer to the first element of a region.
  std::string address(const BufferRegion &region);
  // One element, as a value to read.
  std::string element(BufferId buffer, const Expr *slot, ExprList indices);
  // The statement that writes what `text` computes to the element at `place` behind `base`.
  std::string assignment(const Buffer &target, const std::string &base, const std::string &place,
                         const std::string &text);

  // The functions that the places of elements are computed with.
  std::vector<CudaTextLine> takePlaceFunctions() { return places_.takeFunctions(); }

private:
  const Buffer &buffer(BufferId id) const { return state_.function.buffer(id); }
  void line(std::string text) { state_.lines.line(std::move(text)); }
  void declareShared(const Buffer &buffer);
  void declareConstantSlots(const Buffer &buffer);
  void declareRegisters(const Buffer &buffer);
  std::vector<std::string> sharedComment(const Buffer &buffer);
  std::string beginText(const Buffer &buffer);
  std::string slotElementsText(const Buffer &buffer);
  std::string slotPointerName(const Buffer &buffer, const Expr *slot);

  CudaFunctionState &state_;
  CudaExprs &exprs_;
  CudaPlaces places_;
  std::map<BufferId, std::string> bufferNames_;
  std::map<BufferId, std::string> strideNames_; // from one version to the next, in elements
  SlotNames slotNames_;
};

// The coordinates of the first element of a region.
llvm::SmallVector<const Expr *> firstIndices(const BufferRegion &region);

} // namespace tilescope
