// Instructions of warp groups of sm_90a. Products are made at once, by each warp for its 16 of the
// 64 rows; that they are asynchronous is not seen here.
#pragma once

#include "core/witness/host/instructions.h"

#include <tuple>

namespace witness {

template <> struct Instruction<"fence.proxy.async.shared::cta"> {
  static void run() {}
};
template <> struct Instruction<"wgmma.fence.sync.aligned"> {
  static void run() {}
};
template <> struct Instruction<"wgmma.commit_group.sync.aligned"> {
  static void run() {}
};
template <> struct Instruction<"wgmma.wait_group.sync.aligned"> {
  static void run(unsigned) {}
};

template <> struct Instruction<"setmaxnreg.inc.sync.aligned.u32"> {
  static void run(unsigned) {}
};
template <> struct Instruction<"setmaxnreg.dec.sync.aligned.u32"> {
  static void run(unsigned) {}
};

// A tile that a descriptor tells of. PTX ISA, "Matrix Descriptor Format" and "Canonical Layouts";
// without a swizzle nobody here has one.
struct DescribedTile {
  unsigned start, leading, stride, span;

  explicit DescribedTile(unsigned long long bits)
      : start((bits & 0x3fff) << 4), leading((bits >> 16 & 0x3fff) << 4),
        stride((bits >> 32 & 0x3fff) << 4) {
    unsigned mode = bits >> 62;
    if (mode == 0 || (bits >> 49 & 7) != 0)
      fail("describes a tile without a swizzle, or one whose pattern begins elsewhere");
    span = 256 >> mode;
  }

  // Of 16 bits, along K in rows of `span` bytes, or along M or N in panels of such rows.
  unsigned addressOf(unsigned mn, unsigned k, bool isAlongK) const {
    unsigned row = isAlongK ? mn : k, byte = 2 * (isAlongK ? k : mn);
    unsigned address =
        start + byte % span + byte / span * leading + row % 8 * span + row / 8 * stride;
    unsigned chunks = span / 16;
    return address ^ (address / 128 % chunks) << 4;
  }
};

// d += a * b for 64 rows, 16 deep, summed in order of k. Register i of a lane of warp w holds row
// 16 * w + lane / 4 + 8 * (i / 2 % 2), column 8 * (i / 4) + 2 * (lane % 4) + i % 2.
template <typename Element, unsigned Columns> struct MultiplyWarpGroup {
  static constexpr unsigned Sums = Columns / 2;
  struct Operands {
    float *sums[Sums];
    unsigned long long a, b;
    bool isAlongKOfA, isAlongKOfB;
  };

  template <typename... Values> static void run(Values &&...values) {
    std::tuple<Values &...> all(values...);
    Operands own;
    collect(all, own, std::make_index_sequence<Sums>());
    own.a = std::get<Sums>(all);
    own.b = std::get<Sums + 1>(all);
    if (std::get<Sums + 3>(all) != 1 || std::get<Sums + 4>(all) != 1)
      fail("negates an operand of wgmma");
    own.isAlongKOfA = std::get<Sums + 5>(all) == 0;
    own.isAlongKOfB = std::get<Sums + 6>(all) == 0;
    meetWarp("wgmma", own, [](unsigned, auto operands) { perform(operands); });
  }

  template <typename All, size_t... Index>
  static void collect(All &all, Operands &own, std::index_sequence<Index...>) {
    ((own.sums[Index] = &std::get<Index>(all)), ...);
  }

  static float elementAt(const DescribedTile &tile, unsigned mn, unsigned k, bool isAlongK) {
    Element element;
    memcpy(&element, sharedBytes(tile.addressOf(mn, k, isAlongK), sizeof element), sizeof element);
    return float(element);
  }

  template <typename Get> static void perform(Get operands) {
    static float left[16][16], right[Columns][16];
    const Operands &first = operands(0);
    DescribedTile a(first.a), b(first.b);
    unsigned warp = block.current->index / WarpSize % 4;
    for (unsigned k = 0; k != 16; ++k) {
      for (unsigned row = 0; row != 16; ++row)
        left[row][k] = elementAt(a, 16 * warp + row, k, first.isAlongKOfA);
      for (unsigned column = 0; column != Columns; ++column)
        right[column][k] = elementAt(b, column, k, first.isAlongKOfB);
    }
    for (unsigned lane = 0; lane != WarpSize; ++lane) {
      const Operands &own = operands(lane);
      if (own.a != first.a || own.b != first.b)
        fail("has another operand of wgmma than other lanes of its warp");
      for (unsigned i = 0; i != Sums; ++i)
        for (unsigned k = 0; k != 16; ++k)
          *own.sums[i] +=
              left[lane / 4 + 8 * (i / 2 % 2)][k] * right[8 * (i / 4) + 2 * (lane % 4) + i % 2][k];
    }
  }
};

template <>
struct Instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16">
    : MultiplyWarpGroup<Half, 64> {};
template <>
struct Instruction<"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16">
    : MultiplyWarpGroup<Half, 128> {};
template <>
struct Instruction<"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16">
    : MultiplyWarpGroup<Half, 256> {};
template <>
struct Instruction<"wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16">
    : MultiplyWarpGroup<Bfloat16, 64> {};
template <>
struct Instruction<"wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16">
    : MultiplyWarpGroup<Bfloat16, 128> {};
template <>
struct Instruction<"wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16">
    : MultiplyWarpGroup<Bfloat16, 256> {};

} // namespace witness
