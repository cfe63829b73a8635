// What emitted text takes from CUDA without naming it: qualifiers, vector types, barriers,
// shuffles, atomics and functions of numbers. All of it is in the namespace that the text is
// compiled in, so that no name of the C library gets in its way.
#pragma once

#include "core/witness/host/clusters.h"
#include "core/witness/host/tensor_copies.h"
#include "core/witness/host/warp_groups.h"

#include <cfenv>
#include <cstring>
#include <numbers>

// The text has a host part for other compilers than NVRTC.
#define __CUDACC_RTC__
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_assume(condition) ::witness::require(condition, #condition)

namespace witness {

struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

using half = Half;
using __nv_bfloat16 = Bfloat16;
using __nv_fp8_e4m3 = SmallFloat<E4m3Format>;
using __nv_fp8_e5m2 = SmallFloat<E5m2Format>;

// ---- Threads ------------------------------------------------------------------------------------

inline void __syncthreads() { meetBlock(); }

} // namespace witness
namespace witness::cooperative_groups {
struct Grid {
  void sync() const { meetBlocks("the barrier of the grid"); }
};
inline Grid this_grid() { return {}; }
} // namespace witness::cooperative_groups
namespace witness {

inline void __syncwarp(unsigned mask = ~0U) {
  int nothing = 0;
  meetLanes("__syncwarp()", mask, nothing, [](unsigned, auto) {});
}

inline unsigned laneOfThread() { return block.current->index % WarpSize; }

template <typename T> struct Exchange {
  T given;
  T received;
  unsigned source; // the lane that is asked
};

// As "shfl.sync" of the PTX ISA; who asks for a lane that is not there keeps its own.
template <typename T> T shuffle(const char *operation, unsigned mask, T value, unsigned source) {
  Exchange<T> own{value, value, source};
  meetLanes(operation, mask, own, [&](unsigned lanes, auto operands) {
    for (unsigned lane = 0; lane != WarpSize; ++lane)
      if (lanes >> lane & 1) {
        unsigned from = operands(lane).source;
        if (from < WarpSize && (lanes >> from & 1))
          operands(lane).received = operands(from).given;
      }
  });
  return own.received;
}

template <typename T>
T __shfl_sync(unsigned mask, T value, unsigned from, unsigned width = WarpSize) {
  unsigned lane = laneOfThread();
  return shuffle("__shfl_sync", mask, value, lane - lane % width + from % width);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned lanes, unsigned width = WarpSize) {
  unsigned lane = laneOfThread(), distance = lanes % WarpSize;
  return shuffle("__shfl_up_sync", mask, value, lane % width >= distance ? lane - distance : lane);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned lanes, unsigned width = WarpSize) {
  unsigned lane = laneOfThread(), distance = lanes % WarpSize;
  return shuffle("__shfl_down_sync", mask, value,
                 lane % width + distance < width ? lane + distance : lane);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, unsigned lanes, unsigned width = WarpSize) {
  unsigned lane = laneOfThread(), other = lane ^ lanes % WarpSize;
  return shuffle("__shfl_xor_sync", mask, value,
                 other < lane - lane % width + width ? other : lane);
}

// Of the lanes of a mask, as bits.
template <typename T> struct Vote {
  T value;
  unsigned where; // lanes that have this value
  unsigned votes; // lanes whose value is not 0
};
template <typename T> Vote<T> vote(const char *operation, unsigned mask, T value) {
  Vote<T> own{value, 0, 0};
  meetLanes(operation, mask, own, [&](unsigned lanes, auto operands) {
    for (unsigned lane = 0; lane != WarpSize; ++lane)
      for (unsigned other = 0; other != WarpSize; ++other)
        if ((lanes >> lane & 1) && (lanes >> other & 1)) {
          operands(lane).where |= unsigned(operands(lane).value == operands(other).value) << other;
          operands(lane).votes |= unsigned(operands(other).value != T(0)) << other;
        }
  });
  return own;
}

inline unsigned lanesOfWarp() {
  unsigned size = block.warps[block.current->index / WarpSize].size;
  return size == WarpSize ? ~0U : (1U << size) - 1;
}
inline int __any_sync(unsigned mask, int value) {
  return vote<int>("__any_sync", mask, value != 0).votes != 0;
}
inline int __all_sync(unsigned mask, int value) {
  return vote<int>("__all_sync", mask, value != 0).votes == (mask & lanesOfWarp());
}
inline unsigned __ballot_sync(unsigned mask, int value) {
  return vote<int>("__ballot_sync", mask, value != 0).votes;
}
template <typename T> unsigned __match_any_sync(unsigned mask, T value) {
  return vote("__match_any_sync", mask, value).where;
}
template <typename T> unsigned __match_all_sync(unsigned mask, T value, int *agrees) {
  *agrees = vote("__match_all_sync", mask, value).where == (mask & lanesOfWarp());
  return *agrees ? mask & lanesOfWarp() : 0;
}
// Threads run one after the other here: all of a warp count, wherever they are.
inline unsigned __activemask() { return lanesOfWarp(); }

inline int __syncthreads_count(int value) { return static_cast<int>(voteOfBlock(value != 0)); }
inline int __syncthreads_and(int value) {
  return voteOfBlock(value != 0) == static_cast<unsigned>(block.threads.size());
}
inline int __syncthreads_or(int value) { return voteOfBlock(value != 0) != 0; }

template <typename T, typename V> T atomicAdd(T *place, V value) {
  T before = *place;
  *place = before + T(value);
  return before;
}
template <typename T, typename V> T atomicMax(T *place, V value) {
  T before = *place;
  *place = before < T(value) ? T(value) : before;
  return before;
}
template <typename T, typename V> T atomicMin(T *place, V value) {
  T before = *place;
  *place = T(value) < before ? T(value) : before;
  return before;
}
template <typename T, typename V> T atomicOr(T *place, V value) {
  T before = *place;
  *place = before | T(value);
  return before;
}
template <typename T, typename V> T atomicAnd(T *place, V value) {
  T before = *place;
  *place = before & T(value);
  return before;
}
template <typename T, typename V> T atomicXor(T *place, V value) {
  T before = *place;
  *place = before ^ T(value);
  return before;
}
template <typename T> T atomicCAS(T *place, T expected, T value) {
  T before = *place;
  if (before == expected)
    *place = value;
  return before;
}
// A fiber runs alone, and its writes are there at once.
inline void __threadfence() {}

// What a kernel prints is nothing that it computes.
template <typename... Values> void printf(const char *, Values...) {}
[[noreturn]] inline void __trap() { fail("stops itself"); }

// ---- Numbers ------------------------------------------------------------------------------------

using std::memcpy;

inline double __longlong_as_double(long long bits) { return std::bit_cast<double>(bits); }

using std::abs;
template <typename A, typename B> auto min(A a, B b) { return b < a ? b : a; }
template <typename A, typename B> auto max(A a, B b) { return a < b ? b : a; }

template <Format F> SmallFloat<F> __hmin(SmallFloat<F> a, SmallFloat<F> b) {
  return std::fmin(float(a), float(b));
}
template <Format F> SmallFloat<F> __hmax(SmallFloat<F> a, SmallFloat<F> b) {
  return std::fmax(float(a), float(b));
}
template <Format F> SmallFloat<F> __hmin_nan(SmallFloat<F> a, SmallFloat<F> b) {
  return std::isnan(float(a)) || std::isnan(float(b)) ? float(a) + float(b)
                                                      : std::fmin(float(a), float(b));
}
template <Format F> SmallFloat<F> __hmax_nan(SmallFloat<F> a, SmallFloat<F> b) {
  return std::isnan(float(a)) || std::isnan(float(b)) ? float(a) + float(b)
                                                      : std::fmax(float(a), float(b));
}

// Computed as doubles and rounded once, as the executor does.
#define WITNESS_FUNCTION(name)                                                                     \
  using std::name;                                                                                 \
  inline float name##f(float x) { return static_cast<float>(std::name(static_cast<double>(x))); }
WITNESS_FUNCTION(exp)
WITNESS_FUNCTION(exp2)
WITNESS_FUNCTION(log)
WITNESS_FUNCTION(log2)
WITNESS_FUNCTION(log10)
WITNESS_FUNCTION(sqrt)
WITNESS_FUNCTION(log1p)
WITNESS_FUNCTION(sin)
WITNESS_FUNCTION(cos)
WITNESS_FUNCTION(tan)
WITNESS_FUNCTION(asin)
WITNESS_FUNCTION(acos)
WITNESS_FUNCTION(atan)
WITNESS_FUNCTION(sinh)
WITNESS_FUNCTION(cosh)
WITNESS_FUNCTION(tanh)
WITNESS_FUNCTION(asinh)
WITNESS_FUNCTION(acosh)
WITNESS_FUNCTION(atanh)
WITNESS_FUNCTION(erf)
WITNESS_FUNCTION(fabs)
WITNESS_FUNCTION(floor)
WITNESS_FUNCTION(ceil)
WITNESS_FUNCTION(round)
WITNESS_FUNCTION(trunc)
WITNESS_FUNCTION(nearbyint)
#undef WITNESS_FUNCTION
#define WITNESS_FUNCTION(name)                                                                     \
  using std::name;                                                                                 \
  inline float name##f(float x, float y) {                                                         \
    return static_cast<float>(std::name(static_cast<double>(x), static_cast<double>(y)));          \
  }
WITNESS_FUNCTION(pow)
WITNESS_FUNCTION(atan2)
WITNESS_FUNCTION(hypot)
WITNESS_FUNCTION(fmod)
#undef WITNESS_FUNCTION

using std::copysign;
using std::copysignf;
using std::fmax;
using std::fmin;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::ldexp;
using std::nextafter;
inline double ldexp(double x, double exponent) { return std::ldexp(x, static_cast<int>(exponent)); }
inline float ldexpf(float x, int exponent) { return std::ldexp(x, exponent); }
inline float nextafterf(float x, float y) { return std::nextafter(x, y); }
inline float fmaf(float x, float y, float z) { return std::fma(x, y, z); }
inline double cospi(double x) { return std::cos(x * std::numbers::pi); }
inline double sinpi(double x) { return std::sin(x * std::numbers::pi); }
inline double exp10(double x) { return std::pow(10.0, x); }
inline float exp10f(float x) { return static_cast<float>(exp10(x)); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rsqrtf(float x) { return static_cast<float>(rsqrt(x)); }
inline float fminf(float x, float y) { return std::fmin(x, y); }
inline float fmaxf(float x, float y) { return std::fmax(x, y); }
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __fdividef(float x, float y) {
  return static_cast<float>(static_cast<double>(x) / static_cast<double>(y));
}

// In the direction that the name says. Volatile: what the compiler computes itself it rounds to
// nearest.
template <int Rounding, typename Compute> auto roundedBy(Compute compute) {
  int usual = std::fegetround();
  std::fesetround(Rounding);
  volatile auto result = compute();
  std::fesetround(usual);
  return +result;
}
#define WITNESS_ROUNDED(suffix, Rounding)                                                          \
  WITNESS_ROUNDED_TYPE(f, float, suffix, Rounding)                                                 \
  WITNESS_ROUNDED_TYPE(d, double, suffix, Rounding)
#define WITNESS_ROUNDED_TYPE(prefix, T, suffix, Rounding)                                          \
  inline T __##prefix##add_##suffix(volatile T x, volatile T y) {                                  \
    return roundedBy<Rounding>([&] { return x + y; });                                             \
  }                                                                                                \
  inline T __##prefix##sub_##suffix(volatile T x, volatile T y) {                                  \
    return roundedBy<Rounding>([&] { return x - y; });                                             \
  }                                                                                                \
  inline T __##prefix##mul_##suffix(volatile T x, volatile T y) {                                  \
    return roundedBy<Rounding>([&] { return x * y; });                                             \
  }                                                                                                \
  inline T __##prefix##div_##suffix(volatile T x, volatile T y) {                                  \
    return roundedBy<Rounding>([&] { return x / y; });                                             \
  }                                                                                                \
  inline T __##prefix##rcp_##suffix(volatile T x) {                                                \
    volatile T one = 1;                                                                            \
    return roundedBy<Rounding>([&] { return one / x; });                                           \
  }                                                                                                \
  inline T __##prefix##sqrt_##suffix(volatile T x) {                                               \
    return roundedBy<Rounding>([&] { return std::sqrt(+x); });                                     \
  }                                                                                                \
  inline T __fma##prefix##_of_##suffix(volatile T x, volatile T y, volatile T z) {                 \
    return roundedBy<Rounding>([&] { return std::fma(+x, +y, +z); });                              \
  }
WITNESS_ROUNDED(rn, FE_TONEAREST)
WITNESS_ROUNDED(rz, FE_TOWARDZERO)
WITNESS_ROUNDED(ru, FE_UPWARD)
WITNESS_ROUNDED(rd, FE_DOWNWARD)
#undef WITNESS_ROUNDED
#undef WITNESS_ROUNDED_TYPE
#define WITNESS_FMA(suffix)                                                                        \
  inline float __fmaf_##suffix(float x, float y, float z) { return __fmaf_of_##suffix(x, y, z); }  \
  inline double __fma_##suffix(double x, double y, double z) { return __fmad_of_##suffix(x, y, z); }
WITNESS_FMA(rn)
WITNESS_FMA(rz)
WITNESS_FMA(ru)
WITNESS_FMA(rd)
#undef WITNESS_FMA
inline float __frsqrt_rn(float x) { return rsqrtf(x); }

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __dp4a(int a, int b, int sum) {
  for (int shift = 0; shift < 32; shift += 8)
    sum += static_cast<signed char>(a >> shift) * static_cast<signed char>(b >> shift);
  return sum;
}

} // namespace witness
