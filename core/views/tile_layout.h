// Where each element of a buffer lies, from the text of its layout: threads and registers of a
// fragment, bytes of a tile in memory.
//
// Elements are numbered in row-major order. The last dimension are the columns; all others together
// are the rows.
#pragma once

#include "core/facets/buffers.h"

#include <optional>

namespace tilescope {

class TileLayout {
public:
  // nullopt: its shape is symbolic, or its layout is none of ours, nor linear over bits. A buffer
  // without a layout lies in rows, where its scope is memory.
  static std::optional<TileLayout> of(const BufferRecord &record);

  bool isFragment() const { return kind_ == Kind::Fragment; }
  bool hasBanks() const { return hasBanks_; }   // it lies in shared memory
  bool hasSectors() const { return isGlobal_; } // it is a tensor in global memory
  bool isInRows() const { return kind_ == Kind::Rows && padElements_ == 0; }
  // Of rows that are swizzled; 0: they are not.
  int64_t spanBytes() const { return kind_ == Kind::Swizzle ? spanBytes_ : 0; }
  // The same tile without padding or swizzle.
  TileLayout inRows() const;

  int64_t rows() const { return rows_; }
  int64_t columns() const { return shape_.back(); }
  int64_t dimensions() const { return static_cast<int64_t>(shape_.size()); }
  int64_t elementBits() const { return bits_; }
  // Elements of 16 bytes, which stay together in all layouts in memory; a shorter row.
  int64_t chunkElements() const;
  std::string coordinatesText(int64_t row, int64_t column) const; // "[3, 0, 8]"

  // In memory: the first byte of an element of version 0. Also of one before or behind the tile,
  // where lanes are known up to what all of them add; nullopt: that is too far.
  std::optional<int64_t> byteOf(int64_t element) const;

  // Of a fragment.
  struct Holder {
    int64_t thread = 0; // the first
    int64_t reg = 0;
  };
  Holder holderOf(int64_t row, int64_t column) const;
  int64_t copies() const { return copies_; }   // threads that hold each element
  int64_t threads() const { return threads_; } // numbers of all that hold something lie below
  int64_t registers() const { return registers_; }

private:
  enum class Kind : uint8_t { Rows, Swizzle, Linear, Fragment };
  // As in the text: 4@t1 and 2@r8.
  struct Digit {
    int64_t extent = 1;
    bool onThread = false;
    int64_t stride = 0;
  };
  using Digits = std::vector<Digit>;

  TileLayout() = default;
  static std::optional<Digits> digitsIn(llvm::StringRef text);
  bool setShape(const BufferRecord &record);
  bool setFragment(llvm::StringRef text);
  bool takeShapeOfDigits();
  bool setMemory(llvm::StringRef text);
  bool setPlaces(llvm::ArrayRef<int64_t> places);
  std::optional<int64_t> placeInTile(int64_t element) const;
  void addHolder(const Digits &digits, int64_t coordinate, Holder &holder) const;

  Kind kind_ = Kind::Rows;
  bool hasBanks_ = false, isGlobal_ = false;
  std::vector<int64_t> shape_;
  int64_t rows_ = 1;
  int64_t bits_ = 0;
  int64_t padElements_ = 0;
  int64_t spanBytes_ = 0;
  std::vector<int64_t> places_; // Linear: that each bit of the number of an element adds
  std::vector<Digits> dims_;
  int64_t firstThread_ = 0, copies_ = 1, threads_ = 0, registers_ = 0;
};

} // namespace tilescope
