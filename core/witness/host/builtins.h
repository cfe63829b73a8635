// What emitted text takes from CUDA without naming it: qualifiers, vector types, barriers,
// shuffles, atomics and functions of numbers. All of it is in the namespace that the text is
// compiled in, so that no name of the C library gets in its way.
#pragma once

#include "core/witness/host/instructions.h"

// The text has a host part for other compilers than NVRTC.
#define __CUDACC_RTC__
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
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

inline void __syncwarp() {
  int nothing = 0;
  meetWarp("__syncwarp()", nothing, [](unsigned, auto) {});
}

template <typename T> struct Exchange {
  T given;
  T received;
};

// `sourceOf(lane)` may be no lane: who asks for it keeps its own.
template <typename T, typename SourceOf>
T shuffle(const char *operation, unsigned mask, T value, SourceOf sourceOf) {
  if (mask != ~0U)
    fail("names only some lanes of its warp for ", operation);
  Exchange<T> own{value, value};
  meetWarp(operation, own, [&](unsigned lanes, auto operands) {
    for (unsigned lane = 0; lane != lanes; ++lane)
      if (unsigned source = sourceOf(lane); source < lanes)
        operands(lane).received = operands(source).given;
  });
  return own.received;
}

template <typename T> T __shfl_xor_sync(unsigned mask, T value, unsigned lanes) {
  return shuffle("__shfl_xor_sync", mask, value, [=](unsigned lane) { return lane ^ lanes; });
}
template <typename T> T __shfl_up_sync(unsigned mask, T value, unsigned lanes) {
  return shuffle("__shfl_up_sync", mask, value, [=](unsigned lane) { return lane - lanes; });
}

template <typename T, typename V> T atomicAdd(T *place, V value) {
  T before = *place;
  *place = before + T(value);
  return before;
}

// ---- Numbers ------------------------------------------------------------------------------------

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
WITNESS_FUNCTION(sin)
WITNESS_FUNCTION(cos)
WITNESS_FUNCTION(tanh)
WITNESS_FUNCTION(erf)
WITNESS_FUNCTION(fabs)
WITNESS_FUNCTION(floor)
WITNESS_FUNCTION(ceil)
WITNESS_FUNCTION(round)
WITNESS_FUNCTION(trunc)
#undef WITNESS_FUNCTION

using std::copysignf;
using std::fmax;
using std::fmin;
using std::pow;
inline double exp10(double x) { return std::pow(10.0, x); }
inline float exp10f(float x) { return static_cast<float>(exp10(x)); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rsqrtf(float x) { return static_cast<float>(rsqrt(x)); }
inline float powf(float x, float y) {
  return static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(y)));
}
inline float fminf(float x, float y) { return std::fmin(x, y); }
inline float fmaxf(float x, float y) { return std::fmax(x, y); }
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }

} // namespace witness
