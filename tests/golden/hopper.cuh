// The primitives of sm_90a that the golden kernels are written in, under the names that the prelude
// of emitted kernels is to give them. Formats and ordering rules: PTX ISA 9.1, 5.5
// (tensors), 9.7.9.25 (bulk copies), 9.7.13 (barriers), 9.7.15 (wgmma), 9.7.19.5 (setmaxnreg).
#pragma once
#include <cuda_fp16.h>

using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

// An encoded tensor map, what cuTensorMapEncodeTiled writes.
struct alignas(64) TensorMap {
  u64 words[16];
};

__device__ __forceinline__ u32 shared_address(const void *pointer) {
  return static_cast<u32>(__cvta_generic_to_shared(pointer));
}

// The number of this thread's group of four warps, in a uniform register.
__device__ __forceinline__ int warp_group() {
  return __shfl_sync(~0u, static_cast<int>(threadIdx.x / 128), 0);
}

// True in one lane of a warp that is there as a whole.
__device__ __forceinline__ bool elect_one() {
  u32 elected;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(elected));
  return elected != 0;
}

// ---- mbarriers: a phase ends when its arrivals and its bytes are complete ----

__device__ __forceinline__ void mbarrier_init(u64 *barrier, u32 arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}

// After the last mbarrier_init, before the barrier that lets other threads use them.
__device__ __forceinline__ void mbarrier_init_fence() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void mbarrier_arrive(u64 *barrier) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}

// Arrives at the barrier of the same offset in the block of this rank of the cluster. It orders
// nothing but reads that a wait has completed: with `.release.cluster` ptxas puts a fence of the
// whole GPU before it, which costs a quarter of the speed of a GEMM.
__device__ __forceinline__ void mbarrier_arrive_at(u64 *barrier, u32 rank) {
  asm volatile("{.reg .b32 remote; mapa.shared::cluster.u32 remote, %0, %1; "
               "mbarrier.arrive.shared::cluster.b64 _, [remote];}" ::"r"(shared_address(barrier)),
               "r"(rank)
               : "memory");
}

// Arrives, and has the phase wait for this many bytes of copies.
__device__ __forceinline__ void mbarrier_arrive_expect(u64 *barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address(barrier)),
               "r"(bytes)
               : "memory");
}

// Waits until the phase of this parity is complete; parity 1 is complete on a fresh barrier.
__device__ __forceinline__ void mbarrier_wait(u64 *barrier, u32 parity) {
  u32 complete;
  do {
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p;}"
                 : "=r"(complete)
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
  } while (!complete);
}

// The next use of a ring of slots: which slot, and the parity of the phase in which it is filled.
template <int Slots> struct Ring {
  int slot = 0;
  u32 parity = 0;
  __device__ __forceinline__ void advance() {
    bool wraps = slot == Slots - 1;
    slot = wraps ? 0 : slot + 1;
    parity ^= static_cast<u32>(wraps);
  }
};

// ---- barriers and fences ----

// Waits for `threads` threads at named barrier 1..15.
__device__ __forceinline__ void named_barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

// Arrives without waiting.
__device__ __forceinline__ void named_barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

// Orders what this thread wrote and read before what copies and MMAs that it hands over to do
// after.
__device__ __forceinline__ void fence_proxy_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ u32 cluster_rank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// Waits for all threads of all blocks of the cluster.
__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

// ---- registers of a warp group; the pool of the block must be large enough ----

template <int Registers> __device__ __forceinline__ void registers_up() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

template <int Registers> __device__ __forceinline__ void registers_down() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}

// ---- bulk tensor copies, by one thread; coordinates innermost first, in elements ----

__device__ __forceinline__ void tma_prefetch_map(const TensorMap *map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

__device__ __forceinline__ void tma_load(void *dst, const TensorMap *map, u64 *barrier, int x,
                                         int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(dst)),
               "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y)
               : "memory");
}

__device__ __forceinline__ void tma_load(void *dst, const TensorMap *map, u64 *barrier, int x,
                                         int y, int z) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%3, %4, %5}], [%2];" ::"r"(shared_address(dst)),
               "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z)
               : "memory");
}

// The same bytes and the same completion at the same offsets in every block of the mask.
__device__ __forceinline__ void tma_load_multicast(void *dst, const TensorMap *map, u64 *barrier,
                                                   u16 mask, int x, int y, int z) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
               "multicast::cluster "
               "[%0], [%1, {%4, %5, %6}], [%2], %3;" ::"r"(shared_address(dst)),
               "l"(map), "r"(shared_address(barrier)), "h"(mask), "r"(x), "r"(y), "r"(z)
               : "memory");
}

// Where the predicate is false, nothing is stored.
__device__ __forceinline__ void tma_store(const TensorMap *map, const void *src, int x, int y,
                                          bool predicate) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %4, 0; "
      "@p cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];}" ::"l"(
          map),
      "r"(shared_address(src)), "r"(x), "r"(y), "r"(static_cast<int>(predicate))
      : "memory");
}

__device__ __forceinline__ void tma_store(const TensorMap *map, const void *src, int x, int y,
                                          int z, bool predicate) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %5, 0; "
      "@p cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];}" ::
          "l"(map),
      "r"(shared_address(src)), "r"(x), "r"(y), "r"(z), "r"(static_cast<int>(predicate))
      : "memory");
}

// Closes the group of this thread's stores.
__device__ __forceinline__ void tma_store_commit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until the sources of all but the Pending newest groups of this thread have been read.
template <int Pending> __device__ __forceinline__ void tma_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

// Stores four 8x8 matrices of 16-bit elements; lane l gives the address of row l % 8 of matrix l
// / 8.
__device__ __forceinline__ void stmatrix_x4(u32 row, u32 a, u32 b, u32 c, u32 d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row),
               "r"(a), "r"(b), "r"(c), "r"(d)
               : "memory");
}

// Stores 64 rows of float16 of a warp group, registers in the order of a wgmma accumulator, as
// panels of 64 columns of 128-byte swizzled rows.
template <int Panels>
__device__ __forceinline__ void stmatrix_panels(void *panels, const u32 (&packed)[Panels * 16]) {
  int lane = threadIdx.x % 32;
  int row = threadIdx.x / 32 % 4 * 16 + lane % 16;
  u32 base = shared_address(panels) + row * 128;
#pragma unroll
  for (int c = 0; c < Panels * 4; ++c) {
    u32 chunk = (c % 4 * 2 + lane / 16) ^ (row % 8);
    stmatrix_x4(base + c / 4 * (64 * 128) + chunk * 16, packed[c * 4], packed[c * 4 + 1],
                packed[c * 4 + 2], packed[c * 4 + 3]);
  }
}

// Two values as a pair of float16, the first in the low half.
__device__ __forceinline__ u32 pack_half(float low, float high) {
  u32 pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

// ---- wgmma: d += a * b by a warp group, 64 rows; operands in 128-byte swizzled rows ----

// The descriptor of an operand that starts at an address in shared memory. `leading` is the
// distance in bytes of two panels of an operand whose rows run along M or N (unused along K),
// `stride` that of two groups of eight rows.
__device__ __forceinline__ u64 wgmma_descriptor(u32 address, u32 leading, u32 stride) {
  constexpr u64 Swizzle128 = 1ull << 62;
  return Swizzle128 | static_cast<u64>(stride >> 4) << 32 | static_cast<u64>(leading >> 4) << 16 |
         static_cast<u64>((address & 0x3ffff) >> 4);
}

// The descriptor of the operand this many bytes further.
__device__ __forceinline__ u64 wgmma_advance(u64 descriptor, u32 bytes) {
  return descriptor + (bytes >> 4);
}

// Before the first wgmma of a stage: registers of d and a written before are seen by it.
__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until all but the Pending newest groups are complete.
template <int Pending> __device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

#define TILESCOPE_F8(d, i)                                                                         \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]),      \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define TILESCOPE_F64(d, i)                                                                        \
  TILESCOPE_F8(d, i), TILESCOPE_F8(d, i + 8), TILESCOPE_F8(d, i + 16), TILESCOPE_F8(d, i + 24),    \
      TILESCOPE_F8(d, i + 32), TILESCOPE_F8(d, i + 40), TILESCOPE_F8(d, i + 48),                   \
      TILESCOPE_F8(d, i + 56)

// a and b in shared memory. N is twice the length of d; transposed, the rows of a run along M and
// those of b along N, else along K.
template <int TransposeA, int TransposeB>
__device__ __forceinline__ void wgmma(float (&d)[64], u64 a, u64 b, bool accumulate) {
  asm volatile("{.reg .pred p; setp.ne.b32 p, %66, 0; "
               "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
               "}, %64, %65, p, 1, 1, %67, %68;}"
               : TILESCOPE_F64(d, 0)
               : "l"(a), "l"(b), "r"(static_cast<int>(accumulate)), "n"(TransposeA),
                 "n"(TransposeB));
}

template <int TransposeA, int TransposeB>
__device__ __forceinline__ void wgmma(float (&d)[128], u64 a, u64 b, bool accumulate) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %130, 0; "
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "
      "%127"
      "}, %128, %129, p, 1, 1, %131, %132;}"
      : TILESCOPE_F64(d, 0), TILESCOPE_F64(d, 64)
      : "l"(a), "l"(b), "r"(static_cast<int>(accumulate)), "n"(TransposeA), "n"(TransposeB));
}

// a in registers: 64 x 16, four words a thread.
template <int TransposeB>
__device__ __forceinline__ void wgmma(float (&d)[64], const u32 *a, u64 b, bool accumulate) {
  asm volatile("{.reg .pred p; setp.ne.b32 p, %69, 0; "
               "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
               "}, {%64, %65, %66, %67}, %68, p, 1, 1, %70;}"
               : TILESCOPE_F64(d, 0)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b),
                 "r"(static_cast<int>(accumulate)), "n"(TransposeB));
}

template <int TransposeB>
__device__ __forceinline__ void wgmma(float (&d)[32], const u32 *a, u64 b, bool accumulate) {
  asm volatile("{.reg .pred p; setp.ne.b32 p, %37, 0; "
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
               "}, {%32, %33, %34, %35}, %36, p, 1, 1, %38;}"
               : TILESCOPE_F8(d, 0), TILESCOPE_F8(d, 8), TILESCOPE_F8(d, 16), TILESCOPE_F8(d, 24)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b),
                 "r"(static_cast<int>(accumulate)), "n"(TransposeB));
}

#undef TILESCOPE_F64
#undef TILESCOPE_F8
