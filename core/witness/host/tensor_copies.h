// mbarriers, and copies of boxes of tensors that they count. PTX ISA, "mbarrier" and
// "cp.async.bulk.tensor".
#pragma once

#include "core/witness/host/instructions.h"

#include <array>
#include <functional>
#include <map>

namespace witness {

// What a kernel is given of a tensor, in the bytes of a CUtensorMap. Innermost first.
struct MappedTensor {
  static constexpr unsigned MaxRank = 5;

  unsigned char *begin;
  int64_t dims[MaxRank];       // elements
  int64_t strides[MaxRank];    // bytes
  unsigned short box[MaxRank]; // elements
  unsigned char rank, elementBytes, swizzleBytes;
  bool isFloat, isBfloat; // else unsigned

  size_t boxBytes() const {
    size_t bytes = elementBytes;
    for (unsigned axis = 0; axis != rank; ++axis)
      bytes *= box[axis];
    return bytes;
  }
};
static_assert(sizeof(MappedTensor) <= 128);

struct Mbarrier {
  unsigned arrivals = 0, missing = 0; // that a phase takes; of them, in this one
  int64_t bytes = 0;                  // that are to come
  unsigned phases = 0;                // that have ended
  std::deque<std::function<void()>> inFlight;
  std::vector<Thread *> waiting;

  void endPhase() {
    if (missing != 0 || bytes != 0)
      return;
    ++phases;
    missing = arrivals;
    for (Thread *thread : std::exchange(waiting, {}))
      wake(*thread);
  }
  void arriveFirst() {
    auto copy = std::move(inFlight.front());
    inFlight.pop_front();
    copy();
  }
};

// Of the block that runs, by address. Their bytes say that they are such.
inline std::map<unsigned, Mbarrier> &mbarriers() {
  static std::map<unsigned, Mbarrier> all;
  return all;
}
constexpr unsigned long long MbarrierBytes = 0x6d62617272696572;

inline Mbarrier &mbarrierAt(Register address) {
  unsigned long long bytes;
  memcpy(&bytes, sharedBytes(address, 8), sizeof bytes);
  if (bytes != MbarrierBytes)
    fail("uses an mbarrier that is not initialised, or whose bytes have been written");
  return mbarriers()[address];
}

template <> struct Instruction<"mbarrier.init.shared::cta.b64"> {
  static void run(Register address, unsigned arrivals) {
    memcpy(sharedBytes(address, 8), &MbarrierBytes, sizeof MbarrierBytes);
    mbarriers()[address] = {.arrivals = arrivals, .missing = arrivals};
  }
};
template <> struct Instruction<"fence.mbarrier_init.release.cluster"> {
  static void run() {}
};
template <> struct Instruction<"mbarrier.arrive.expect_tx.release.cta.shared::cta.b64"> {
  static void run(Register address, unsigned bytes) {
    Mbarrier &barrier = mbarrierAt(address);
    if (barrier.missing == 0)
      fail("arrives at an mbarrier more often than its phase takes");
    --barrier.missing;
    barrier.bytes += bytes;
    barrier.endPhase();
  }
};
template <> struct Instruction<"mbarrier.arrive.release.cta.shared::cta.b64"> {
  static void run(Register address) {
    Mbarrier &barrier = mbarrierAt(address);
    if (barrier.missing == 0)
      fail("arrives at an mbarrier more often than its phase takes");
    --barrier.missing;
    barrier.endPhase();
  }
};
template <> struct Instruction<"mbarrier.expect_tx.relaxed.cta.shared::cta.b64"> {
  static void run(Register address, unsigned bytes) { mbarrierAt(address).bytes += bytes; }
};
template <> struct Instruction<"mbarrier.try_wait.parity.acquire.cta.shared::cta.b64"> {
  static bool run(Register address, unsigned parity) {
    Mbarrier &barrier = mbarrierAt(address);
    auto isOver = [&] { return barrier.phases % 2 != parity; };
    while (!isOver()) {
      if (!barrier.inFlight.empty()) {
        barrier.arriveFirst();
        continue;
      }
      barrier.waiting.push_back(block.current);
      waitFor("mbarrier.try_wait");
    }
    return true;
  }
};

// Of one box, from these coordinates on: each element in the arena, and where it is in the tensor;
// null: outside.
template <typename Visit>
void forEachOfBox(const MappedTensor &map, unsigned char *tile, const int *first, Visit visit) {
  size_t chunks = map.swizzleBytes / 16;
  for (size_t at = 0; at != map.boxBytes(); at += map.elementBytes) {
    size_t element = at / map.elementBytes;
    unsigned char *inTensor = map.begin;
    bool isInside = true;
    for (unsigned axis = 0; axis != map.rank; ++axis) {
      int64_t coordinate = first[axis] + static_cast<int64_t>(element % map.box[axis]);
      element /= map.box[axis];
      isInside &= 0 <= coordinate && coordinate < map.dims[axis];
      inTensor += coordinate * (axis == 0 ? map.elementBytes : map.strides[axis - 1]);
    }
    // The pattern begins where the arena does, or at a multiple of its bytes.
    size_t place = static_cast<size_t>(tile - arena.begin) + at;
    if (chunks != 0)
      place ^= place / 128 % chunks << 4;
    visit(arena.begin + place, isInside ? inTensor : nullptr);
  }
}

// What is outside of the tensor is 0.
inline void loadBox(const MappedTensor &map, unsigned char *tile, const int *first) {
  forEachOfBox(map, tile, first, [&](unsigned char *inTile, const unsigned char *inTensor) {
    if (inTensor)
      memcpy(inTile, inTensor, map.elementBytes);
    else
      memset(inTile, 0, map.elementBytes);
  });
}

// What is outside of the tensor is left out.
inline void storeBox(const MappedTensor &map, unsigned char *tile, const int *first) {
  forEachOfBox(map, tile, first, [&](const unsigned char *inTile, unsigned char *inTensor) {
    if (inTensor)
      memcpy(inTensor, inTile, map.elementBytes);
  });
}

enum class BoxReduction : unsigned char { Add, Max, Min };

template <typename Element>
void reduceElement(BoxReduction kind, const unsigned char *inTile, unsigned char *inTensor) {
  Element mine, theirs;
  memcpy(&mine, inTile, sizeof mine);
  memcpy(&theirs, inTensor, sizeof theirs);
  if (kind == BoxReduction::Add)
    theirs = theirs + mine;
  else if (kind == BoxReduction::Max ? theirs < mine : mine < theirs)
    theirs = mine;
  memcpy(inTensor, &theirs, sizeof theirs);
}

// By a fiber that runs alone. What is outside of the tensor is left out.
inline void reduceBox(const MappedTensor &map, unsigned char *tile, const int *first,
                      BoxReduction kind) {
  auto reduce = reduceElement<uint32_t>;
  if (map.isFloat)
    reduce = map.elementBytes == 2   ? reduceElement<Half>
             : map.elementBytes == 4 ? reduceElement<float>
                                     : reduceElement<double>;
  else if (map.isBfloat)
    reduce = reduceElement<Bfloat16>;
  else if (map.elementBytes == 8)
    reduce = reduceElement<uint64_t>;
  forEachOfBox(map, tile, first, [&](const unsigned char *inTile, unsigned char *inTensor) {
    if (inTensor)
      reduce(kind, inTile, inTensor);
  });
}

// The map that a kernel was given, for a box that begins at this address of shared memory.
template <typename Map> MappedTensor mappedTensor(const Map *map, unsigned rank, Register address) {
  static_assert(sizeof(Map) == 128);
  MappedTensor tensor;
  memcpy(&tensor, map, sizeof tensor);
  if (tensor.rank != rank)
    fail("copies a box of a tensor of another rank than its map's");
  if (address % (tensor.swizzleBytes == 0 ? 128 : 8 * tensor.swizzleBytes) != 0)
    fail("copies a box where the pattern of its swizzle does not begin");
  sharedBytes(static_cast<Register>(address + tensor.boxBytes() - 1), 1);
  return tensor;
}

struct LoadBox {
  template <typename Map, typename... Last>
  static void run(Register to, const Map *map, Last... last) {
    constexpr unsigned Rank = sizeof...(Last) - 1;
    int all[] = {static_cast<int>(last)...};
    MappedTensor tensor = mappedTensor(map, Rank, to);
    auto address = static_cast<Register>(all[Rank]);
    auto *begin = static_cast<unsigned char *>(sharedBytes(to, 1));
    std::array<int, Rank> first;
    std::copy_n(all, Rank, first.begin());
    Mbarrier &barrier = mbarrierAt(address);
    barrier.inFlight.push_back([=, &barrier] {
      loadBox(tensor, begin, first.data());
      barrier.bytes -= static_cast<int64_t>(tensor.boxBytes());
      barrier.endPhase();
    });
    if (block.isReversed || !barrier.waiting.empty())
      barrier.arriveFirst();
  }
};
template <>
struct Instruction<
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"> : LoadBox {
};
template <>
struct Instruction<
    "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"> : LoadBox {
};
template <>
struct Instruction<
    "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"> : LoadBox {
};
template <>
struct Instruction<
    "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"> : LoadBox {
};

// Read as late as it may be, when its group is waited for; reversed, at once.
template <auto Store> struct StoreBoxBy {
  template <typename Map, typename... Last> static void run(const Map *map, Last... last) {
    constexpr unsigned Rank = sizeof...(Last) - 1;
    int all[] = {static_cast<int>(last)...};
    auto from = static_cast<Register>(all[Rank]);
    MappedTensor tensor = mappedTensor(map, Rank, from);
    auto *begin = static_cast<unsigned char *>(sharedBytes(from, 1));
    std::array<int, Rank> first;
    std::copy_n(all, Rank, first.begin());
    if (block.isReversed)
      return Store(tensor, begin, first.data());
    block.current->stores.back().push_back([=] { Store(tensor, begin, first.data()); });
  }
};
using StoreBox = StoreBoxBy<storeBox>;
template <>
struct Instruction<"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"> : StoreBox {};
template <>
struct Instruction<"cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group"> : StoreBox {};
template <>
struct Instruction<"cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group"> : StoreBox {};
template <>
struct Instruction<"cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group"> : StoreBox {};

template <BoxReduction Kind>
void reduceBoxBy(const MappedTensor &map, unsigned char *tile, const int *first) {
  reduceBox(map, tile, first, Kind);
}
using AddBox = StoreBoxBy<reduceBoxBy<BoxReduction::Add>>;
using MaxBox = StoreBoxBy<reduceBoxBy<BoxReduction::Max>>;
using MinBox = StoreBoxBy<reduceBoxBy<BoxReduction::Min>>;
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group">
    : AddBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group">
    : AddBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group">
    : AddBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.tile.bulk_group">
    : AddBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group">
    : MaxBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.3d.global.shared::cta.max.tile.bulk_group">
    : MaxBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.4d.global.shared::cta.max.tile.bulk_group">
    : MaxBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.5d.global.shared::cta.max.tile.bulk_group">
    : MaxBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group">
    : MinBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.3d.global.shared::cta.min.tile.bulk_group">
    : MinBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.4d.global.shared::cta.min.tile.bulk_group">
    : MinBox {};
template <>
struct Instruction<"cp.reduce.async.bulk.tensor.5d.global.shared::cta.min.tile.bulk_group">
    : MinBox {};

template <> struct Instruction<"cp.async.bulk.commit_group"> {
  static void run() { block.current->stores.emplace_back(); }
};
template <> struct Instruction<"cp.async.bulk.wait_group"> {
  static void run(unsigned pending) {
    auto &groups = block.current->stores;
    for (; groups.size() - 1 > pending; groups.pop_front())
      for (const std::function<void()> &store : groups.front())
        store();
  }
};

} // namespace witness
