// O = softmax(Q * K^T / sqrt(D)) * V by hand for sm_90a: float16 in rows of D,
// [batch][head][length][D], float32 sums. What our emitter is to print, each rung of the ladder a
// macro:
//   HEAD_DIM 128, 64   D
//   MATH_GROUPS 2, 3   warp groups that multiply, 64 queries each; 3 where nothing is masked
//   LOAD_WARPS 4       the role that copies is a warp group and gives registers away; 1: it is a
//   warp CAUSAL 1           key k counts for query q where k <= q MASK_ALL 1         every block of
//   keys is masked; 0: the one on the diagonal ROTATED 0          QK, softmax and PV of a block one
//   after the other; 1: QK of a block is
//                      issued before PV of the last
//   PINGPONG 1         the warp groups that multiply take turns
//   OVERLAP 1          softmax runs while PV does
//   PIN 1              a wait on a barrier keeps ptxas from moving the wait for PV above softmax
//   QUERY_SLOTS 2      queries of the next tile are there before this one is done
//   JOINED 1           QK of a tile's first block is issued before PV of the last block of the tile
//                      before; QUERY_SLOTS 2
//   DYNAMIC 1          a block takes the next tile that none has taken; 0: tiles blockIdx.x,
//                      + gridDim.x, ...
//   LONGEST 1          the longest tiles first, in sections of heads with SECTION MB of keys and
//                      values
// A tile is the queries of a head that the warp groups have. The length is a multiple of 128.
#include "hopper.cuh"

#ifndef HEAD_DIM
#define HEAD_DIM 128
#endif
#ifndef MATH_GROUPS
#define MATH_GROUPS 2
#endif
#ifndef CAUSAL
#define CAUSAL 0
#endif
#ifndef MASK_ALL
#define MASK_ALL 0
#endif
#ifndef ROTATED
#define ROTATED 1
#endif
#ifndef PINGPONG
#define PINGPONG 1
#endif
#ifndef OVERLAP
#define OVERLAP 1
#endif
#ifndef PIN
#define PIN 1
#endif
#ifndef QUERY_SLOTS
#define QUERY_SLOTS 2
#endif
#ifndef JOINED
#define JOINED 1
#endif
#ifndef SECTION
#define SECTION 32
#endif
#ifndef DYNAMIC
#define DYNAMIC 0
#endif
#ifndef LONGEST
#define LONGEST 0
#endif

constexpr int MathGroups = MATH_GROUPS;
constexpr int Queries = 64 * MathGroups; // of a tile
constexpr int Keys = 128;                // of a block of keys
constexpr int D = HEAD_DIM;
constexpr int Stages = 2; // of keys, and of values
constexpr int QuerySlots = QUERY_SLOTS;
constexpr int Threads = 128 * (MathGroups + 1);
// Tiles are panels of 64 columns of 128-byte swizzled rows.
constexpr int QueryPanelBytes = Queries * 128;
constexpr int QueryBytes = D / 64 * QueryPanelBytes; // of outputs too
constexpr int KeyPanelBytes = Keys * 128;
constexpr int KeyBytes = D / 64 * KeyPanelBytes; // of values too
static_assert(!CAUSAL || MathGroups == 2, "one block of keys is masked");

struct Problem {
  int heads, length; // all heads of all batches
  int *taken; // how many tiles were taken beyond the first of each block; 0 before and after the
              // launch
  __device__ __forceinline__ int row_blocks() const { return (length + Queries - 1) / Queries; }
  __device__ __forceinline__ int tiles() const { return heads * row_blocks(); }
};

struct Tile {
  int head, row_block;
  __device__ __forceinline__ int key_blocks(const Problem &problem) const {
    return CAUSAL ? row_block + 1 : problem.length / Keys;
  }
};

__device__ __forceinline__ Tile tile_at(const Problem &problem, int index) {
  int rows = problem.row_blocks();
#if LONGEST
  constexpr int SectionBytes = SECTION << 20;
  int section = SectionBytes / (problem.length * D * 2 * 2);
  section = section > 1 ? 1 << (31 - __clz(section)) : 1;
  int first = index / (section * rows) * section;
  int in_section = index % (section * rows);
  int here = min(section, problem.heads - first);
  return {first + in_section % here, rows - 1 - in_section / here};
#else
  return {index / rows, index % rows};
#endif
}

struct Shared {
  unsigned char *Q, *K, *V,
      *O; // [QuerySlots], [Stages], [Stages], [1]; of O each warp group has 64 rows
  u64 *Q_full, *Q_empty, *K_full, *K_empty, *V_full, *V_empty;
  u64 *index_full, *index_empty; // [2], and the tile that the loader took:
  int *index;
};

__device__ __forceinline__ Shared shared_buffers(unsigned char *arena) {
  Shared shared;
  shared.Q = arena;
  shared.K = shared.Q + QuerySlots * QueryBytes;
  shared.V = shared.K + Stages * KeyBytes;
  shared.O = shared.V + Stages * KeyBytes;
  shared.Q_full = reinterpret_cast<u64 *>(shared.O + QueryBytes);
  shared.Q_empty = shared.Q_full + QuerySlots;
  shared.K_full = shared.Q_empty + QuerySlots;
  shared.K_empty = shared.K_full + Stages;
  shared.V_full = shared.K_empty + Stages;
  shared.V_empty = shared.V_full + Stages;
  shared.index_full = shared.V_empty + Stages;
  shared.index_empty = shared.index_full + 2;
  shared.index = reinterpret_cast<int *>(shared.index_empty + 2);
  return shared;
}

// The next tile of this block, by the one thread that loads, which tells the others; past the last
// one none is left.
__device__ __forceinline__ int take_tile(const Shared &shared, const Problem &problem,
                                         Ring<2> &indices, int index) {
#if DYNAMIC
  int taken = atomicAdd(problem.taken, 1);
  if (taken ==
      problem.tiles() - 1) // each block asks once more than it gets: nobody asks after this
    *problem.taken = 0;
  index = static_cast<int>(gridDim.x) + taken;
  mbarrier_wait(&shared.index_empty[indices.slot], indices.parity ^ 1);
  shared.index[indices.slot] = index;
  mbarrier_arrive(&shared.index_full[indices.slot]);
  indices.advance();
  return index;
#else
  return index + static_cast<int>(gridDim.x);
#endif
}

// What take_tile took, in the threads that multiply.
__device__ __forceinline__ int next_tile(const Shared &shared, Ring<2> &indices, int index) {
#if DYNAMIC
  mbarrier_wait(&shared.index_full[indices.slot], indices.parity);
  index = shared.index[indices.slot];
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    mbarrier_arrive(&shared.index_empty[indices.slot]);
  indices.advance();
  return index;
#else
  return index + static_cast<int>(gridDim.x);
#endif
}

// Copies a tile from this row on into the next slot.
template <int Bytes, int Slots>
__device__ __forceinline__ void load_slot(unsigned char *slots, const TensorMap *map, u64 *full,
                                          u64 *empty, Ring<Slots> &ring, int row) {
  mbarrier_wait(&empty[ring.slot], ring.parity ^ 1);
  mbarrier_arrive_expect(&full[ring.slot], Bytes);
  tma_load(slots + ring.slot * Bytes, map, &full[ring.slot], 0, row, 0);
  ring.advance();
}

// Keys go one block ahead of values, from the diagonal or the end to the first; over tiles too if Q
// has two slots.
__device__ __forceinline__ void load_role(const Shared &shared, const TensorMap *Q,
                                          const TensorMap *K, const TensorMap *V,
                                          const Problem &problem) {
  Ring<QuerySlots> q;
  Ring<Stages> k, v;
  Ring<2> indices;
  int value_row = -1; // of the block of values that is behind
  for (int index = blockIdx.x; index < problem.tiles();) {
    Tile tile = tile_at(problem, index);
    index = take_tile(shared, problem, indices, index);
    int row = tile.head * problem.length;
    load_slot<QueryBytes>(shared.Q, Q, shared.Q_full, shared.Q_empty, q,
                          row + tile.row_block * Queries);
    for (int block = tile.key_blocks(problem) - 1; block >= 0; --block) {
      load_slot<KeyBytes>(shared.K, K, shared.K_full, shared.K_empty, k, row + block * Keys);
      if (value_row >= 0)
        load_slot<KeyBytes>(shared.V, V, shared.V_full, shared.V_empty, v, value_row);
      value_row = row + block * Keys;
    }
    if (QuerySlots == 1) {
      load_slot<KeyBytes>(shared.V, V, shared.V_full, shared.V_empty, v, value_row);
      value_row = -1;
    }
  }
  if (value_row >= 0)
    load_slot<KeyBytes>(shared.V, V, shared.V_full, shared.V_empty, v, value_row);
}

// Two rows a thread, lane / 4 and that + 8 of the 16 of its warp: element i of a register array is
// of row i / 2 % 2.
struct Rows {
  float maximum[2], sum[2]; // the sum is of this thread's columns alone
};

__device__ __forceinline__ Rows fresh_rows() { return {{-1e30f, -1e30f}, {0.0f, 0.0f}}; }

__device__ __forceinline__ float exp2_approximate(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ float quad_maximum(float x) {
  x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
  return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}

__device__ __forceinline__ float quad_sum(float x) {
  x += __shfl_xor_sync(~0u, x, 1);
  return x + __shfl_xor_sync(~0u, x, 2);
}

// s becomes exp2(scale * (s - maximum)); `factor` is what the sums and outputs so far are to be
// multiplied by.
__device__ __forceinline__ void softmax(float (&s)[Keys / 2], Rows &rows, float (&factor)[2],
                                        float scale) {
  float scaled[2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    float maximum = rows.maximum[r];
#pragma unroll
    for (int i = 0; i < Keys / 2; i += 4)
      maximum = fmaxf(maximum, fmaxf(s[i + 2 * r], s[i + 2 * r + 1]));
    maximum = quad_maximum(maximum);
    factor[r] = exp2_approximate((rows.maximum[r] - maximum) * scale);
    rows.maximum[r] = maximum;
    rows.sum[r] *= factor[r];
    scaled[r] = maximum * scale;
  }
#pragma unroll
  for (int i = 0; i < Keys / 2; ++i) {
    s[i] = exp2_approximate(fmaf(s[i], scale, -scaled[i / 2 % 2]));
    rows.sum[i / 2 % 2] += s[i];
  }
}

__device__ __forceinline__ void mask(float (&s)[Keys / 2], int query, int key) {
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < Keys / 2; ++i) {
    if (key + i / 4 * 8 + lane % 4 * 2 + i % 2 > query + i / 2 % 2 * 8)
      s[i] = -__int_as_float(0x7f800000);
  }
}

__device__ __forceinline__ void pack(u32 (&p)[Keys / 4], const float (&s)[Keys / 2]) {
#pragma unroll
  for (int i = 0; i < Keys / 4; ++i)
    p[i] = pack_half(s[2 * i], s[2 * i + 1]);
}

__device__ __forceinline__ void rescale(float (&o)[D / 2], const float (&factor)[2]) {
#pragma unroll
  for (int i = 0; i < D / 2; ++i)
    o[i] *= factor[i / 2 % 2];
}

struct Operands {
  u64 q, k, v; // descriptors of slot 0, q at this warp group's rows
};

// Starts s = Q * K^T of two slots.
__device__ __forceinline__ void multiply_qk(float (&s)[Keys / 2], const Operands &operands,
                                            int q_slot, int k_slot) {
  u64 q = wgmma_advance(operands.q, q_slot * QueryBytes);
  u64 k = wgmma_advance(operands.k, k_slot * KeyBytes);
  wgmma_fence();
#pragma unroll
  for (int i = 0; i < D / 16; ++i) {
    wgmma<0, 0>(s, wgmma_advance(q, i / 4 * QueryPanelBytes + i % 4 * 32),
                wgmma_advance(k, i / 4 * KeyPanelBytes + i % 4 * 32), i > 0);
  }
  wgmma_commit();
}

// Starts o += P * V of a slot.
__device__ __forceinline__ void multiply_pv(float (&o)[D / 2], const u32 (&p)[Keys / 4],
                                            const Operands &operands, int slot) {
  u64 v = wgmma_advance(operands.v, slot * KeyBytes);
  wgmma_fence();
#pragma unroll
  for (int i = 0; i < Keys / 16; ++i)
    wgmma<1>(o, &p[i * 4], wgmma_advance(v, i * 16 * 128), true);
  wgmma_commit();
}

// By one thread of the warp group, which has waited for the MMAs that all of it issued.
__device__ __forceinline__ void release(u64 *empty) {
  if (threadIdx.x % 128 == 0)
    mbarrier_arrive(empty);
}

constexpr int TurnBarrier = 1; // and the next, one for each warp group
constexpr int OutputBarrier = TurnBarrier + MathGroups;

__device__ __forceinline__ void await_turn(int group) {
  if (PINGPONG)
    named_barrier_sync(TurnBarrier + group, 256);
}

__device__ __forceinline__ void pass_turn(int group) {
  if (PINGPONG)
    named_barrier_arrive(TurnBarrier + (group + 1) % MathGroups, 256);
}

struct Context {
  Shared shared;
  Operands operands;
  Problem problem;
  const TensorMap *O;
  float scale;
  int group;
};

struct State {
  float s[Keys / 2], o[D / 2];
  u32 p[Keys / 4];
  Rows rows;
  Ring<QuerySlots> q;
  Ring<Stages> k, v;
  Tile tile;
};

__device__ __forceinline__ void mask_block(State &state, const Context &context, int block) {
  int row = context.group * 64 + threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4;
  mask(state.s, state.tile.row_block * Queries + row, block * Keys);
}

__device__ __forceinline__ void clear(State &state) {
#pragma unroll
  for (int i = 0; i < D / 2; ++i)
    state.o[i] = 0.0f;
}

// Waits for QK and lets its keys be overwritten.
template <int Pending>
__device__ __forceinline__ void finish_qk(State &state, const Shared &shared) {
  wgmma_wait<Pending>();
  release(&shared.K_empty[state.k.slot]);
  state.k.advance();
}

__device__ __forceinline__ void finish_pv(State &state, const Shared &shared) {
  wgmma_wait<0>();
  release(&shared.V_empty[state.v.slot]);
  state.v.advance();
}

// Through the warp group's rows of shared.O; its first thread issues every store.
__device__ __forceinline__ void store_output(const State &state, const Context &context, Tile tile,
                                             const float (&sum)[2]) {
  u32 packed[D / 4];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    float inverse = 1.0f / quad_sum(sum[r]);
#pragma unroll
    for (int i = r; i < D / 4; i += 2)
      packed[i] = pack_half(state.o[2 * i] * inverse, state.o[2 * i + 1] * inverse);
  }
  unsigned char *staged = context.shared.O + context.group * (QueryBytes / MathGroups);
  bool issues = threadIdx.x % 128 == 0;
  if (issues)
    tma_store_wait_read<0>();
  named_barrier_sync(OutputBarrier + context.group, 128);
  stmatrix_panels<D / 64>(staged, packed);
  fence_proxy_async();
  named_barrier_sync(OutputBarrier + context.group, 128);
  if (issues) {
    int query = tile.row_block * Queries + context.group * 64;
    int length = context.problem.length;
    tma_store(context.O, staged, 0, tile.head * length + query, 0, query < length);
    tma_store_commit();
  }
}

// QK and softmax of a tile's first block, or of any where blocks go in order.
__device__ __forceinline__ void attend_alone(State &state, const Context &context,
                                             float (&factor)[2], int block, bool masked) {
  const Shared &shared = context.shared;
  mbarrier_wait(&shared.K_full[state.k.slot], state.k.parity);
  multiply_qk(state.s, context.operands, state.q.slot, state.k.slot);
  finish_qk<0>(state, shared);
  if (masked)
    mask_block(state, context, block);
  softmax(state.s, state.rows, factor, context.scale);
  pack(state.p, state.s);
}

// PV of the last block that softmax has seen.
__device__ __forceinline__ void add_values(State &state, const Context &context) {
  mbarrier_wait(&context.shared.V_full[state.v.slot], state.v.parity);
  multiply_pv(state.o, state.p, context.operands, state.v.slot);
  finish_pv(state, context.shared);
}

// QK and softmax of a block with PV of the block before it between them. Where the block is the
// first of the next tile the output of this one is stored, and state.tile becomes the next.
template <bool FirstOfNext>
__device__ __forceinline__ void attend_rotated(State &state, const Context &context, Tile next) {
  const Shared &shared = context.shared;
  Tile tile = state.tile;
  Rows before = state.rows;
  if (FirstOfNext) {
    release(&shared.Q_empty[state.q.slot]);
    state.q.advance();
    mbarrier_wait(&shared.Q_full[state.q.slot], state.q.parity);
  }
  mbarrier_wait(&shared.K_full[state.k.slot], state.k.parity);
  await_turn(context.group);
  multiply_qk(state.s, context.operands, state.q.slot, state.k.slot);
  mbarrier_wait(&shared.V_full[state.v.slot], state.v.parity);
  multiply_pv(state.o, state.p, context.operands, state.v.slot);
  if (OVERLAP)
    pass_turn(context.group);
  finish_qk<OVERLAP>(state, shared);
  if (!OVERLAP)
    pass_turn(context.group);
  if (FirstOfNext) {
    state.tile = next;
    state.rows = fresh_rows();
    if (CAUSAL)
      mask_block(state, context, next.key_blocks(context.problem) - 1);
  }
  float factor[2];
  softmax(state.s, state.rows, factor, context.scale);
  if (PIN) // long complete: these queries stay until the tile is done
    mbarrier_wait(&shared.Q_full[state.q.slot], state.q.parity);
  finish_pv(state, shared);
  pack(state.p, state.s);
  if (FirstOfNext) {
    store_output(state, context, tile, before.sum);
    clear(state);
  } else {
    rescale(state.o, factor);
  }
}

// One tile from its first block to the one before the end, or to the end where blocks go in order.
__device__ __forceinline__ void begin_tile(State &state, const Context &context, Tile tile) {
  state.tile = tile;
  state.rows = fresh_rows();
  clear(state);
  mbarrier_wait(&context.shared.Q_full[state.q.slot], state.q.parity);
  float factor[2];
  int last = tile.key_blocks(context.problem) - 1;
#if ROTATED
  attend_alone(state, context, factor, last, CAUSAL);
#else
  for (int block = last; block >= 0; --block) {
    attend_alone(state, context, factor, block, CAUSAL && (MASK_ALL || block == last));
    rescale(state.o, factor);
    add_values(state, context);
  }
#endif
}

__device__ __forceinline__ void end_tile(State &state, const Context &context) {
  if (ROTATED)
    add_values(state, context);
  release(&context.shared.Q_empty[state.q.slot]);
  state.q.advance();
  store_output(state, context, state.tile, state.rows.sum);
}

__device__ __forceinline__ void math_role(const Context &context) {
  State state;
  if (context.group == MathGroups - 1)
    pass_turn(context.group);
  int tiles = context.problem.tiles();
  int index = blockIdx.x;
  Ring<2> indices;
  begin_tile(state, context, tile_at(context.problem, index));
  while (true) {
    if (ROTATED)
      for (int step = 1; step < state.tile.key_blocks(context.problem); ++step)
        attend_rotated<false>(state, context, state.tile);
    index = next_tile(context.shared, indices, index);
    if (index >= tiles)
      break;
    Tile next = tile_at(context.problem, index);
#if JOINED
    attend_rotated<true>(state, context, next);
#else
    end_tile(state, context);
    begin_tile(state, context, next);
#endif
  }
  end_tile(state, context);
}

// `scale` is log2(e) / sqrt(D).
extern "C" __global__ void __launch_bounds__(Threads, 1)
    attention(const __grid_constant__ TensorMap Q_map, const __grid_constant__ TensorMap K_map,
              const __grid_constant__ TensorMap V_map, const __grid_constant__ TensorMap O_map,
              int heads, int length, int *taken, float scale) {
  extern __shared__ __align__(1024) unsigned char arena[];
  Shared shared = shared_buffers(arena);
  Problem problem = {heads, length, taken};
  int group = warp_group();
  if (threadIdx.x == 0) {
    for (int slot = 0; slot < QuerySlots; ++slot) {
      mbarrier_init(&shared.Q_full[slot], 1);
      mbarrier_init(&shared.Q_empty[slot], MathGroups);
    }
    for (int slot = 0; slot < Stages; ++slot) {
      mbarrier_init(&shared.K_full[slot], 1);
      mbarrier_init(&shared.K_empty[slot], MathGroups);
      mbarrier_init(&shared.V_full[slot], 1);
      mbarrier_init(&shared.V_empty[slot], MathGroups);
    }
    for (int slot = 0; slot < 2; ++slot) {
      mbarrier_init(&shared.index_full[slot], 1);
      mbarrier_init(&shared.index_empty[slot], MathGroups * 4);
    }
    mbarrier_init_fence();
  }
  __syncthreads();
  if (group == MathGroups) { // load
    registers_down<MathGroups == 2 ? 24 : 32>();
    if (threadIdx.x / 32 % 4 == 0 && elect_one())
      load_role(shared, &Q_map, &K_map, &V_map, problem);
  } else { // math
    registers_up<MathGroups == 2 ? 240 : 160>();
    Operands operands = {wgmma_descriptor(shared_address(shared.Q) + group * 64 * 128, 16, 1024),
                         wgmma_descriptor(shared_address(shared.K), 16, 1024),
                         wgmma_descriptor(shared_address(shared.V), KeyPanelBytes, 1024)};
    math_role({shared, operands, problem, &O_map, scale, group});
  }
}
