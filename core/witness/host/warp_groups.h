// Instructions of warp groups of sm_90a. Products are made at once, by each warp for its 16 of the
// 64 rows; that they are asynchronous is not seen here.
#pragma once

#include "core/witness/host/instructions.h"

#include <string_view>
#include <tuple>
#include <type_traits>

namespace witness {

// Says that registers have their values by now.
template <> struct Instruction<""> {
  static void run() {}
};
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

  // Along K in rows of `span` bytes, or along M or N in panels of such rows.
  unsigned addressOf(unsigned mn, unsigned k, bool isAlongK, unsigned bytes) const {
    unsigned row = isAlongK ? mn : k, byte = bytes * (isAlongK ? k : mn);
    unsigned address =
        start + byte % span + byte / span * leading + row % 8 * span + row / 8 * stride;
    unsigned chunks = span / 16;
    return address ^ (address / 128 % chunks) << 4;
  }
};

// d += a * b for 64 rows, 32 bytes deep, summed in order of k, or d = a * b. Register i of a lane
// of warp w holds row 16 * w + lane / 4 + 8 * (i / 2 % 2), column 8 * (i / 4) + 2 * (lane % 4) + i
// % 2; of float16, two in a word. Of a in registers the word i of a lane has row 16 * w + lane / 4
// + 8 * (i % 2), and what lies side by side along k from word lane % 4 + 4 * (i / 2) on.
template <typename Sum, typename A, typename B, unsigned Columns> struct MultiplyWarpGroup {
  static constexpr unsigned Sums = Columns / 2, PerWord = 4 / sizeof(Sum), Words = Sums / PerWord;
  static constexpr unsigned WordsOfA = 4, InWord = 4 / sizeof(A), Depth = 8 * InWord;
  // Of 8 bits operands lie along K, and no instruction says how.
  static constexpr bool SaysMajor = sizeof(A) == 2;
  // What integers multiply has no sign to change.
  static constexpr bool SaysSigns = !std::is_integral_v<Sum>;
  using Total = std::conditional_t<SaysSigns, float, int>;
  struct Operands {
    void *sums[Words];
    A held[InWord * WordsOfA];
    unsigned long long a, b;
    bool isFromRegisters, adds, isAlongKOfA, isAlongKOfB;

    Sum &sum(unsigned i) const { return static_cast<Sum *>(sums[i / PerWord])[i % PerWord]; }
  };

  template <typename... Values> static void run(Values &&...values) {
    std::tuple<Values &...> all(values...);
    Operands own;
    collect(all, own, std::make_index_sequence<Words>());
    constexpr bool IsFromRegisters = sizeof...(Values) == Words + WordsOfA +
                                                              (SaysMajor   ? 5
                                                               : SaysSigns ? 4
                                                                           : 2);
    constexpr unsigned PlaceOfB = Words + (IsFromRegisters ? WordsOfA : 1);
    own.isFromRegisters = IsFromRegisters;
    own.a = 0;
    if constexpr (IsFromRegisters)
      hold(all, own, std::make_index_sequence<WordsOfA>());
    else
      own.a = std::get<Words>(all);
    own.b = std::get<PlaceOfB>(all);
    own.adds = std::get<PlaceOfB + 1>(all);
    if constexpr (SaysSigns)
      if (std::get<PlaceOfB + 2>(all) != 1 || std::get<PlaceOfB + 3>(all) != 1)
        fail("negates an operand of wgmma");
    own.isAlongKOfA = own.isAlongKOfB = true;
    if constexpr (SaysMajor) {
      own.isAlongKOfA = std::get<PlaceOfB + 4>(all) == 0;
      own.isAlongKOfB = std::get<sizeof...(Values) - 1>(all) == 0;
    }
    meetWarp("wgmma", own, [](unsigned, auto operands) { perform(operands); });
  }

  template <typename All, size_t... Index>
  static void collect(All &all, Operands &own, std::index_sequence<Index...>) {
    ((own.sums[Index] = &std::get<Index>(all)), ...);
  }
  template <typename All, size_t... Index>
  static void hold(All &all, Operands &own, std::index_sequence<Index...>) {
    (memcpy(&own.held[InWord * Index], &std::get<Words + Index>(all), 4), ...);
  }

  template <typename Element>
  static Total elementAt(const DescribedTile &tile, unsigned mn, unsigned k, bool isAlongK) {
    Element element;
    unsigned address = tile.addressOf(mn, k, isAlongK, sizeof element);
    memcpy(&element, sharedBytes(address, sizeof element), sizeof element);
    return Total(element);
  }

  // Of a, for the rows of the warp.
  template <typename Get> static Total leftOf(Get operands, unsigned row, unsigned k) {
    const Operands &first = operands(0);
    if (first.isFromRegisters)
      return Total(operands(row % 8 * 4 + k % (4 * InWord) / InWord)
                       .held[k % InWord + (row / 8 + k / (4 * InWord) * 2) * InWord]);
    unsigned warp = block.current->index / WarpSize % 4;
    return elementAt<A>(DescribedTile(first.a), 16 * warp + row, k, first.isAlongKOfA);
  }

  template <typename Get> static void perform(Get operands) {
    static Total left[16][Depth], right[Columns][Depth];
    const Operands &first = operands(0);
    DescribedTile b(first.b);
    for (unsigned k = 0; k != Depth; ++k) {
      for (unsigned row = 0; row != 16; ++row)
        left[row][k] = leftOf(operands, row, k);
      for (unsigned column = 0; column != Columns; ++column)
        right[column][k] = elementAt<B>(b, column, k, first.isAlongKOfB);
    }
    for (unsigned lane = 0; lane != WarpSize; ++lane) {
      const Operands &own = operands(lane);
      if (own.a != first.a || own.b != first.b || own.adds != first.adds)
        fail("has another operand of wgmma than other lanes of its warp");
      for (unsigned i = 0; i != Sums; ++i) {
        Total total = own.adds ? Total(own.sum(i)) : 0;
        for (unsigned k = 0; k != Depth; ++k)
          total +=
              left[lane / 4 + 8 * (i / 2 % 2)][k] * right[8 * (i / 4) + 2 * (lane % 4) + i % 2][k];
        own.sum(i) = Sum(total);
      }
    }
  }
};

// "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"
struct WarpGroupShape {
  bool isProduct = false;
  unsigned columns = 0;
  std::string_view sums, a, b;

  constexpr explicit WarpGroupShape(std::string_view name) {
    constexpr std::string_view Begin = "wgmma.mma_async.sync.aligned.m64n";
    isProduct = name.substr(0, Begin.size()) == Begin;
    size_t at = Begin.size();
    for (; isProduct && at < name.size() && name[at] != 'k'; ++at)
      columns = 10 * columns + unsigned(name[at] - '0');
    for (std::string_view *word : {&b, &a, &sums}) {
      size_t dot = name.rfind('.');
      *word = name.substr(dot + 1);
      name = name.substr(0, dot);
    }
  }
};

template <bool IsE4m3, bool IsE5m2, bool IsBfloat>
using WarpGroupFloat =
    std::conditional_t<IsE4m3, SmallFloat<E4m3Format>,
                       std::conditional_t<IsE5m2, SmallFloat<E5m2Format>,
                                          std::conditional_t<IsBfloat, Bfloat16, Half>>>;
template <bool IsS8, bool IsU8, typename Float>
using WarpGroupElement =
    std::conditional_t<IsS8, signed char, std::conditional_t<IsU8, unsigned char, Float>>;
template <bool IsF16, bool IsS32>
using WarpGroupSum = std::conditional_t<IsF16, Half, std::conditional_t<IsS32, int, float>>;

template <InstructionName Name>
  requires(WarpGroupShape(Name.text).isProduct)
struct Instruction<Name>
    : MultiplyWarpGroup<
          WarpGroupSum<WarpGroupShape(Name.text).sums == "f16",
                       WarpGroupShape(Name.text).sums == "s32">,
          WarpGroupElement<WarpGroupShape(Name.text).a == "s8", WarpGroupShape(Name.text).a == "u8",
                           WarpGroupFloat<WarpGroupShape(Name.text).a == "e4m3",
                                          WarpGroupShape(Name.text).a == "e5m2",
                                          WarpGroupShape(Name.text).a == "bf16">>,
          WarpGroupElement<WarpGroupShape(Name.text).b == "s8", WarpGroupShape(Name.text).b == "u8",
                           WarpGroupFloat<WarpGroupShape(Name.text).b == "e4m3",
                                          WarpGroupShape(Name.text).b == "e5m2",
                                          WarpGroupShape(Name.text).b == "bf16">>,
          WarpGroupShape(Name.text).columns> {};

} // namespace witness
