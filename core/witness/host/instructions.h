// PTX instructions as functions. An asm statement of the emitted text
//
//   asm volatile("cp.async.wait_group %0;" :: "n"(Pending) : "memory");
//
// becomes Instruction<"cp.async.wait_group">::run((Pending)): operands stand where the instruction
// has them, registers of a group one by one. What has no definition here is an error of the
// compiler that names the instruction.
#pragma once

#include "core/witness/host/memory.h"
#include "core/witness/host/numbers.h"

#include <algorithm>

namespace witness {

template <size_t Size> struct InstructionName {
  char text[Size];
  constexpr InstructionName(const char (&name)[Size]) { std::copy_n(name, Size, text); }
};
template <InstructionName Name> struct Instruction;

// An output that an instruction does not read starts with bits that say so.
template <typename T> void forget(T &value) { memset(&value, Poison, sizeof value); }

using Register = unsigned;

// ---- cp.async -----------------------------------------------------------------------------------

inline void arrive(const Copy &copy) {
  memset(copy.to, 0, copy.size);
  memcpy(copy.to, copy.from, copy.bytes);
}

// Arrives as late as it may, when its group is waited for; reversed, at once.
inline void startCopy(Register to, const void *from, unsigned size, int bytes) {
  if (bytes != 0 && reinterpret_cast<uintptr_t>(from) % size != 0)
    fail("copies from an address that is not aligned");
  Copy copy{sharedBytes(to, size), from, static_cast<unsigned>(bytes), size};
  if (block.isReversed)
    return arrive(copy);
  block.current->copies.back().push_back(copy);
}

template <> struct Instruction<"cp.async.cg.shared.global.L2::128B"> {
  static void run(Register to, const void *from, unsigned size, int bytes) {
    if (size != 16)
      fail("copies a size that cp.async.cg does not have");
    startCopy(to, from, size, bytes);
  }
};
template <> struct Instruction<"cp.async.ca.shared.global.L2::128B"> {
  static void run(Register to, const void *from, unsigned size, int bytes) {
    if (size != 4 && size != 8 && size != 16)
      fail("copies a size that cp.async.ca does not have");
    startCopy(to, from, size, bytes);
  }
};
template <> struct Instruction<"cp.async.commit_group"> {
  static void run() { block.current->copies.emplace_back(); }
};
template <> struct Instruction<"cp.async.wait_group"> {
  static void run(unsigned pending) {
    auto &groups = block.current->copies;
    for (; groups.size() - 1 > pending; groups.pop_front())
      for (const Copy &copy : groups.front())
        arrive(copy);
  }
};

// ---- Barriers of some threads -------------------------------------------------------------------

template <> struct Instruction<"bar.sync"> {
  static void run(unsigned number, unsigned threads) {
    meetNamed("bar.sync", number, threads, /*waits=*/true);
  }
};
template <> struct Instruction<"bar.arrive"> {
  static void run(unsigned number, unsigned threads) {
    meetNamed("bar.arrive", number, threads, /*waits=*/false);
  }
};

// ---- Launches: one after the other
// ---------------------------------------------------------------

template <> struct Instruction<"griddepcontrol.wait"> {
  static void run() {}
};
template <> struct Instruction<"griddepcontrol.launch_dependents"> {
  static void run() {}
};

// ---- red ----------------------------------------------------------------------------------------

// Adds to adjacent elements one by one: a fiber runs alone.
template <typename T, size_t Count> void addEach(T *place, const T (&values)[Count]) {
  if (reinterpret_cast<uintptr_t>(place) % sizeof values != 0)
    fail("adds to an address that is not aligned");
  for (size_t i = 0; i != Count; ++i)
    place[i] = place[i] + values[i];
}
struct AddFloats {
  template <typename... Values> static void run(float *place, Values... values) {
    addEach(place, {float(values)...});
  }
};
struct AddPairs {
  template <typename T, typename... Words> static void run(T *place, Words... words) {
    Register all[] = {words...};
    T values[2 * sizeof...(Words)];
    static_assert(sizeof values == sizeof all);
    memcpy(values, all, sizeof all);
    addEach(place, values);
  }
};

template <> struct Instruction<"red.relaxed.gpu.global.add.v2.f32"> : AddFloats {};
template <> struct Instruction<"red.relaxed.gpu.global.add.v4.f32"> : AddFloats {};
template <> struct Instruction<"red.relaxed.gpu.global.add.noftz.f16x2"> : AddPairs {};
template <> struct Instruction<"red.relaxed.gpu.global.add.noftz.v2.f16x2"> : AddPairs {};
template <> struct Instruction<"red.relaxed.gpu.global.add.noftz.v4.f16x2"> : AddPairs {};
template <> struct Instruction<"red.relaxed.gpu.global.add.noftz.bf16x2"> : AddPairs {};
template <> struct Instruction<"red.relaxed.gpu.global.add.noftz.v2.bf16x2"> : AddPairs {};
template <> struct Instruction<"red.relaxed.gpu.global.add.noftz.v4.bf16x2"> : AddPairs {};

// ---- ldmatrix -----------------------------------------------------------------------------------

// Lane l gives the address of row l % 8 of matrix l / 8. It gets of each matrix the elements
// 2 * (l % 4) and the next one of row l / 4, or of column l / 4 if it is transposed. PTX ISA,
// "Warp-level matrix load instruction: ldmatrix".
template <bool IsTransposed, typename... To> void loadMatrices(Register row, To &...to) {
  constexpr unsigned Count = sizeof...(To);
  struct Operands {
    Register *to[Count];
    Register row;
  } own{{&to...}, row};
  meetWarp(IsTransposed ? "ldmatrix.trans" : "ldmatrix", own, [](unsigned, auto operands) {
    for (unsigned matrix = 0; matrix != Count; ++matrix) {
      uint16_t elements[8][8];
      for (unsigned i = 0; i != 8; ++i)
        memcpy(elements[i], sharedBytes(operands(matrix * 8 + i).row, 16), 16);
      for (unsigned lane = 0; lane != WarpSize; ++lane) {
        unsigned i = lane / 4, j = lane % 4 * 2;
        Register low = IsTransposed ? elements[j][i] : elements[i][j];
        Register high = IsTransposed ? elements[j + 1][i] : elements[i][j + 1];
        *operands(lane).to[matrix] = low | high << 16;
      }
    }
  });
}

template <bool IsTransposed> struct LoadOne {
  static void run(Register &a, Register row) { loadMatrices<IsTransposed>(row, a); }
};
template <bool IsTransposed> struct LoadTwo {
  static void run(Register &a, Register &b, Register row) { loadMatrices<IsTransposed>(row, a, b); }
};
template <bool IsTransposed> struct LoadFour {
  static void run(Register &a, Register &b, Register &c, Register &d, Register row) {
    loadMatrices<IsTransposed>(row, a, b, c, d);
  }
};
template <> struct Instruction<"ldmatrix.sync.aligned.m8n8.x1.shared.b16"> : LoadOne<false> {};
template <> struct Instruction<"ldmatrix.sync.aligned.m8n8.x2.shared.b16"> : LoadTwo<false> {};
template <> struct Instruction<"ldmatrix.sync.aligned.m8n8.x4.shared.b16"> : LoadFour<false> {};
template <> struct Instruction<"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16"> : LoadOne<true> {};
template <> struct Instruction<"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"> : LoadTwo<true> {};
template <>
struct Instruction<"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"> : LoadFour<true> {};

// ---- mma ----------------------------------------------------------------------------------------

// A float as TF32 has it.
struct Tf32 {
  float value;
  operator float() const { return withoutTf32Tail(value); }
};

// d = a * b + c for 16 rows and 8 columns, summed in order of k. A register holds P elements; with
// g = lane / 4 and t = lane % 4 register r of a lane holds
//
//   a     row g + 8 * (r % 2), from column t * P + 4 * P * (r / 2) on
//   b     from row t * P + 4 * P * r on, column g
//   c, d  element i: row g + 8 * (i / 2), column 2 * t + i % 2
//
// PTX ISA, "Matrix fragments for mma.m16n8k8", "... for mma.m16n8k16" and "... for mma.m16n8k32".
template <typename Element, typename Sum> struct Product {
  static constexpr unsigned P = 4 / sizeof(Element);
  static constexpr unsigned Depth = sizeof(Element) == 4 ? 8 : 8 * P;
  static constexpr unsigned SumRegisters = sizeof(Sum);
  using Accumulator = std::conditional_t<std::is_integral_v<Sum>, int, float>;
  typedef Accumulator Columns __attribute__((vector_size(8 * sizeof(Accumulator))));

  struct Operands {
    Register a[4], b[2];
    Sum *sums; // four
  };

  static void perform(unsigned, auto operands) {
    Accumulator left[16][Depth];
    Columns right[Depth];
    for (unsigned lane = 0; lane != WarpSize; ++lane) {
      const Operands &of = operands(lane);
      unsigned g = lane / 4, t = lane % 4;
      Element a[4][P], b[2][P];
      memcpy(a, of.a, sizeof a);
      memcpy(b, of.b, sizeof b);
      for (unsigned e = 0; e != P; ++e) {
        for (unsigned r = 0; r != 4; ++r)
          left[g + 8 * (r % 2)][t * P + 4 * P * (r / 2) + e] = Accumulator(a[r][e]);
        for (unsigned r = 0; r != 2; ++r)
          right[t * P + 4 * P * r + e][g] = Accumulator(b[r][e]);
      }
    }
    for (unsigned row = 0; row != 16; ++row)
      multiplyRow(row, left[row], right, operands);
  }

  static void multiplyRow(unsigned row, const Accumulator *left, const Columns *right,
                          auto operands, unsigned depth = Depth) {
    auto placeOf = [&](unsigned column) -> Sum & {
      return operands(row % 8 * 4 + column / 2).sums[row / 8 * 2 + column % 2];
    };
    Columns sums;
    for (unsigned column = 0; column != 8; ++column)
      sums[column] = Accumulator(placeOf(column));
    for (unsigned k = 0; k != depth; ++k)
      sums += left[k] * right[k];
    for (unsigned column = 0; column != 8; ++column)
      placeOf(column) = Sum(sums[column]);
  }
};

template <typename Element, typename Sum> struct MultiplyWords {
  static void run(Sum &d0, Sum &d1, Sum &d2, Sum &d3, Register a0, Register a1, Register a2,
                  Register a3, Register b0, Register b1, Sum c0, Sum c1, Sum c2, Sum c3) {
    Sum sums[4] = {c0, c1, c2, c3};
    typename Product<Element, Sum>::Operands own{{a0, a1, a2, a3}, {b0, b1}, sums};
    meetWarp("mma", own, [](unsigned lanes, auto operands) {
      Product<Element, Sum>::perform(lanes, operands);
    });
    d0 = sums[0], d1 = sums[1], d2 = sums[2], d3 = sums[3];
  }
};
// Elements of four bits as two products of bytes: k enters a and b alike, so the low halves of all
// bytes are one product, the high halves another, with the same places in fragments.
template <bool IsSigned> struct MultiplyNibbles {
  using Element = std::conditional_t<IsSigned, signed char, unsigned char>;
  static Register spread(Register word, unsigned shift) {
    Register result = 0;
    for (unsigned byte = 0; byte != 4; ++byte) {
      Register value = word >> (8 * byte + shift) & 15;
      if (IsSigned && value & 8)
        value |= 0xF0;
      result |= value << (8 * byte);
    }
    return result;
  }
  static void run(int &d0, int &d1, int &d2, int &d3, Register a0, Register a1, Register a2,
                  Register a3, Register b0, Register b1, int c0, int c1, int c2, int c3) {
    for (unsigned shift : {0, 4}) {
      MultiplyWords<Element, int>::run(c0, c1, c2, c3, spread(a0, shift), spread(a1, shift),
                                       spread(a2, shift), spread(a3, shift), spread(b0, shift),
                                       spread(b1, shift), c0, c1, c2, c3);
    }
    d0 = c0, d1 = c1, d2 = c2, d3 = c3;
  }
};
// Accumulators of sixteen bits, two in a register.
template <typename Element, typename Sum> struct MultiplyPairs {
  static void run(Register &d0, Register &d1, Register a0, Register a1, Register a2, Register a3,
                  Register b0, Register b1, Register c0, Register c1) {
    Register words[2] = {c0, c1};
    Sum sums[4];
    memcpy(sums, words, sizeof sums);
    typename Product<Element, Sum>::Operands own{{a0, a1, a2, a3}, {b0, b1}, sums};
    meetWarp("mma", own, [](unsigned lanes, auto operands) {
      Product<Element, Sum>::perform(lanes, operands);
    });
    memcpy(words, sums, sizeof sums);
    d0 = words[0], d1 = words[1];
  }
};

// The same of an a of which half of the columns of each group are kept: two of four, of 32 bits one
// of two. Four bits of metadata a group say which, the first in the lowest two; of 32 bits 4 means
// the first, 14 the second. Of elements of 8 bits lane 4 * g + t has the word of row g + 8 * (t %
// 2) for half t / 2 of the columns, of wider ones lane 4 * g + 2 * selector + t (t: 0, 1) has half
// t of the columns of row g in its low and of row g + 8 in its high bits. PTX ISA, "Sparse matrix
// storage".
template <typename Element, typename Sum> struct SparseProduct {
  using Dense = Product<Element, Sum>;
  using Accumulator = typename Dense::Accumulator;
  static constexpr unsigned P = Dense::P;
  static constexpr unsigned Depth = 2 * Dense::Depth;
  static constexpr unsigned Kept = P == 1 ? 1 : 2; // of a group

  struct Operands {
    Register a[4], b[4];
    Sum *sums; // four
    Register metadata;
    unsigned selector;
  };

  static unsigned fourOf(unsigned row, unsigned group, auto operands) {
    if (P == 4)
      return operands(row % 8 * 4 + row / 8 + 2 * (group / 8)).metadata >> group % 8 * 4 & 15;
    unsigned lane = row % 8 * 4 + 2 * operands(0).selector + group / 4;
    return operands(lane).metadata >> (row / 8 * 16 + group % 4 * 4) & 15;
  }

  static unsigned columnOf(unsigned row, unsigned kept, auto operands) {
    unsigned four = fourOf(row, kept / Kept, operands);
    unsigned place = P == 1 ? four / 2 % 2 : four >> kept % 2 * 2 & 3;
    return kept / Kept * Kept * 2 + place;
  }

  static void perform(unsigned, auto operands) {
    Accumulator left[16][Depth] = {};
    typename Dense::Columns right[Depth];
    for (unsigned lane = 0; lane != WarpSize; ++lane) {
      const Operands &of = operands(lane);
      unsigned g = lane / 4, t = lane % 4;
      Element a[4][P], b[4][P];
      memcpy(a, of.a, sizeof a);
      memcpy(b, of.b, sizeof b);
      for (unsigned e = 0; e != P; ++e)
        for (unsigned r = 0; r != 4; ++r) {
          unsigned row = g + 8 * (r % 2);
          left[row][columnOf(row, t * P + 4 * P * (r / 2) + e, operands)] = Accumulator(a[r][e]);
          right[t * P + 4 * P * r + e][g] = Accumulator(b[r][e]);
        }
    }
    for (unsigned row = 0; row != 16; ++row)
      Dense::multiplyRow(row, left[row], right, operands, Depth);
  }
};

template <typename Element, typename Sum> struct MultiplySparseWords {
  static void run(Sum &d0, Sum &d1, Sum &d2, Sum &d3, Register a0, Register a1, Register a2,
                  Register a3, Register b0, Register b1, Register b2, Register b3, Sum c0, Sum c1,
                  Sum c2, Sum c3, Register metadata, unsigned selector) {
    Sum sums[4] = {c0, c1, c2, c3};
    typename SparseProduct<Element, Sum>::Operands own{
        {a0, a1, a2, a3}, {b0, b1, b2, b3}, sums, metadata, selector};
    meetWarp("mma.sp", own, [](unsigned lanes, auto operands) {
      SparseProduct<Element, Sum>::perform(lanes, operands);
    });
    d0 = sums[0], d1 = sums[1], d2 = sums[2], d3 = sums[3];
  }
};
template <typename Element, typename Sum> struct MultiplySparsePairs {
  static void run(Register &d0, Register &d1, Register a0, Register a1, Register a2, Register a3,
                  Register b0, Register b1, Register b2, Register b3, Register c0, Register c1,
                  Register metadata, unsigned selector) {
    Register words[2] = {c0, c1};
    Sum sums[4];
    memcpy(sums, words, sizeof sums);
    MultiplySparseWords<Element, Sum>::run(sums[0], sums[1], sums[2], sums[3], a0, a1, a2, a3, b0,
                                           b1, b2, b3, sums[0], sums[1], sums[2], sums[3], metadata,
                                           selector);
    memcpy(words, sums, sizeof sums);
    d0 = words[0], d1 = words[1];
  }
};

template <>
struct Instruction<"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32">
    : MultiplySparseWords<Half, float> {};
template <>
struct Instruction<"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16">
    : MultiplySparsePairs<Half, Half> {};
template <>
struct Instruction<"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32">
    : MultiplySparseWords<Bfloat16, float> {};
template <>
struct Instruction<"mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32">
    : MultiplySparseWords<Tf32, float> {};
template <>
struct Instruction<"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32">
    : MultiplySparseWords<signed char, int> {};
template <>
struct Instruction<"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.u8.u8.s32">
    : MultiplySparseWords<unsigned char, int> {};

template <>
struct Instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">
    : MultiplyWords<Half, float> {};
template <>
struct Instruction<"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16">
    : MultiplyPairs<Half, Half> {};
template <>
struct Instruction<"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32">
    : MultiplyWords<Bfloat16, float> {};
template <>
struct Instruction<"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32">
    : MultiplyWords<Tf32, float> {};
template <>
struct Instruction<"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32">
    : MultiplyWords<signed char, int> {};
template <>
struct Instruction<"mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32">
    : MultiplyWords<unsigned char, int> {};
template <>
struct Instruction<"mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32"> : MultiplyNibbles<true> {};
template <>
struct Instruction<"mma.sync.aligned.m16n8k64.row.col.s32.u4.u4.s32"> : MultiplyNibbles<false> {};

// Eight rows and columns, four deep, an element of an operand in each lane: a in row lane / 4,
// column lane % 4, b transposed; of c columns 2 * (lane % 4) and the next. PTX ISA, "Matrix
// fragments for mma.m8n8k4 with .f64".
template <> struct Instruction<"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"> {
  static void run(double &d0, double &d1, double a, double b, double c0, double c1) {
    struct Operands {
      double a, b;
      double *sums; // two
    };
    double sums[2] = {c0, c1};
    Operands own{a, b, sums};
    meetWarp("mma.f64", own, [](unsigned, auto operands) {
      for (unsigned lane = 0; lane != WarpSize; ++lane)
        for (unsigned i = 0; i != 2; ++i)
          for (unsigned k = 0; k != 4; ++k)
            operands(lane).sums[i] +=
                operands(lane / 4 * 4 + k).a * operands((lane % 4 * 2 + i) * 4 + k).b;
    });
    d0 = sums[0], d1 = sums[1];
  }
};

} // namespace witness
