// C = A * B by hand for sm_90a: A (M x K), B (K x N) and C (M x N) of float16 in rows, float32
// sums. What our emitter is to print, each rung of the ladder a macro:
//   ROLES 0            every warp group multiplies, thread 0 also copies; 1: the last one copies
//   LOAD_WARPS 4       the role that copies is a warp group and gives registers away; 1: it is a
//   warp TILE_M, TILE_N     of a block SPLIT_N 0          the two warp groups that multiply split
//   the rows; 1: the columns STAGES             slots of the ring PENDING            groups of MMAs
//   in flight when the loop goes on EPILOGUE 0         four-byte stores; 1: through shared memory
//   by TMA; 2: that while the next
//                      tile is multiplied
//   CLUSTER 2, 4       so many blocks, one below the other, share their columns of B
//   GROUP              tiles below one another before the next column of tiles
//   ARRIVALS           per warp group at an empty barrier: 1 or 4
//   TRANSPOSE_A 1      A is K x M
//   PANELS_APART 1     each panel of B and C has a copy of its own
// A block takes tiles blockIdx.x, + gridDim.x, ...: a grid of as many blocks as tiles is not
// persistent. M, N and K are multiples of the tile; with PANELS_APART and an EPILOGUE, of 8. There
// are two tiles along K at least.
#include "hopper.cuh"

#ifndef ROLES
#define ROLES 1
#endif
#ifndef LOAD_WARPS
#define LOAD_WARPS 4
#endif
#ifndef TILE_M
#define TILE_M 128
#endif
#ifndef TILE_N
#define TILE_N 256
#endif
#ifndef SPLIT_N
#define SPLIT_N 0
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef PENDING
#define PENDING 1
#endif
#ifndef EPILOGUE
#define EPILOGUE 2
#endif
#ifndef CLUSTER
#define CLUSTER 1
#endif
#ifndef GROUP
#define GROUP 16
#endif
#ifndef TRANSPOSE_A
#define TRANSPOSE_A 0
#endif
#ifndef PANELS_APART
#define PANELS_APART 0
#endif
#ifndef ARRIVALS
#define ARRIVALS 1
#endif

constexpr int TileM = TILE_M;
constexpr int TileN = TILE_N;
constexpr int TileK = 64;
constexpr int Stages = STAGES;
constexpr int MathGroups = 2;
constexpr int Threads = 128 * MathGroups + 32 * LOAD_WARPS * ROLES;
constexpr int Panel = 64; // elements of a swizzled row

// What one warp group multiplies: blocks of 64 rows, each by this many columns.
constexpr int RowBlocks = SPLIT_N ? TileM / 64 : TileM / 64 / MathGroups;
constexpr int GroupN = SPLIT_N ? TileN / MathGroups : TileN;
constexpr int Accumulators = GroupN / 2;

constexpr int BytesA = TileM * TileK * 2;
constexpr int BytesB = TileK * TileN * 2;
constexpr int BytesPanelB = TileK * Panel * 2; // 64 x 64, of a transposed A too
// Of C a warp group stages two panels, 64 x 128, at a time.
constexpr int BytesPanelC = 64 * Panel * 2;
constexpr int BytesC = EPILOGUE && ROLES ? MathGroups * 2 * BytesPanelC : 0; // else over the ring

struct Tile {
  int m, n; // its first row and column
};

struct Problem {
  int m, n, k;
  __device__ __forceinline__ int rows() const { return (m + TileM - 1) / TileM; }
  __device__ __forceinline__ int columns() const { return (n + TileN - 1) / TileN; }
  __device__ __forceinline__ int tiles() const { return rows() * columns(); }
};

// Tile `index` of this block's rank: GROUP tiles below one another, then the next column.
__device__ __forceinline__ Tile tile_at(const Problem &problem, int index) {
  int rows = problem.rows() / CLUSTER;
  int columns = problem.columns();
  int unit = index / CLUSTER;
  int height = GROUP / CLUSTER;
  int first = unit / (height * columns) * height;
  int in_group = unit % (height * columns);
  int here = min(height, rows - first);
  int row = first + in_group % here;
  return {(row * CLUSTER + index % CLUSTER) * TileM, in_group / here * TileN};
}

struct Shared {
  half *A;           // [Stages][TileM][TileK], 128-byte swizzled rows; transposed as B
  half *B;           // [Stages][TileN / Panel][TileK][Panel], 128-byte swizzled rows
  half *C;           // [MathGroups][2][64][Panel], 128-byte swizzled rows
  u64 *full, *empty; // [Stages]
};

__device__ __forceinline__ Shared shared_buffers(unsigned char *arena) {
  Shared shared;
  shared.A = reinterpret_cast<half *>(arena);
  shared.B = reinterpret_cast<half *>(arena + Stages * BytesA);
  shared.C = reinterpret_cast<half *>(arena + (ROLES ? Stages * (BytesA + BytesB) : 0));
  shared.full = reinterpret_cast<u64 *>(arena + Stages * (BytesA + BytesB) + BytesC);
  shared.empty = shared.full + Stages;
  return shared;
}

// Fills a slot with step k of a tile.
__device__ __forceinline__ void load_stage(const Shared &shared, const TensorMap *A,
                                           const TensorMap *B, int slot, Tile tile, int k) {
  u64 *full = &shared.full[slot];
  mbarrier_arrive_expect(full, BytesA + BytesB);
#if TRANSPOSE_A
  tma_load(shared.A + slot * (BytesA / 2), A, full, 0, k, tile.m / Panel);
#else
  tma_load(shared.A + slot * (BytesA / 2), A, full, k, tile.m);
#endif
#if CLUSTER > 1
  // Each block copies its share of the panels into all.
  constexpr int Panels = TileN / Panel / CLUSTER;
  int first = static_cast<int>(cluster_rank()) * Panels;
  tma_load_multicast(shared.B + slot * (BytesB / 2) + first * (BytesPanelB / 2), B, full,
                     (1 << CLUSTER) - 1, 0, k, tile.n / Panel + first);
#elif PANELS_APART
#pragma unroll
  for (int i = 0; i < TileN / Panel; ++i)
    tma_load(shared.B + slot * (BytesB / 2) + i * (BytesPanelB / 2), B, full, tile.n + i * Panel,
             k);
#else
  tma_load(shared.B + slot * (BytesB / 2), B, full, 0, k, tile.n / Panel);
#endif
}

// Lets the slot be filled again; in a cluster all blocks fill it.
__device__ __forceinline__ void release_stage(const Shared &shared, int slot) {
  constexpr int ThreadsApart = 128 / ARRIVALS;
#if CLUSTER > 1
  if (threadIdx.x % ThreadsApart < CLUSTER)
    mbarrier_arrive_at(&shared.empty[slot], threadIdx.x % ThreadsApart);
#else
  if (threadIdx.x % ThreadsApart == 0)
    mbarrier_arrive(&shared.empty[slot]);
#endif
}

struct Operands {
  u64 a, b; // descriptors of slot 0, at this warp group's rows and columns
};

__device__ __forceinline__ Operands group_operands(const Shared &shared, int group) {
  int rows = SPLIT_N ? 0 : group * RowBlocks * 64;
  int panels = SPLIT_N ? group * (GroupN / Panel) : 0;
  return {
      wgmma_descriptor(shared_address(shared.A) + rows * 128, TRANSPOSE_A ? BytesPanelB : 16, 1024),
      wgmma_descriptor(shared_address(shared.B) + panels * BytesPanelB, BytesPanelB, 1024)};
}

// Starts the MMAs of a slot and closes their group.
__device__ __forceinline__ void multiply_stage(float (&acc)[RowBlocks][Accumulators],
                                               const Operands &operands, int slot,
                                               bool accumulate) {
  u64 a = wgmma_advance(operands.a, slot * BytesA);
  u64 b = wgmma_advance(operands.b, slot * BytesB);
  constexpr int StepA = TRANSPOSE_A ? 16 * 128 : 32; // bytes of 16 elements along K
  wgmma_fence();
#pragma unroll
  for (int kk = 0; kk < TileK / 16; ++kk) {
#pragma unroll
    for (int i = 0; i < RowBlocks; ++i)
      wgmma<TRANSPOSE_A, 1>(acc[i], wgmma_advance(a, i * 64 * 128 + kk * StepA),
                            wgmma_advance(b, kk * 16 * 128), accumulate || kk > 0);
  }
  wgmma_commit();
}

// Four bytes a store, straight from the registers.
__device__ __forceinline__ void store_direct(const float (&acc)[RowBlocks][Accumulators], half *C,
                                             int n, Tile tile, int group) {
  int lane = threadIdx.x % 32;
  int row = tile.m + (SPLIT_N ? 0 : group * RowBlocks * 64) + threadIdx.x / 32 % 4 * 16 + lane / 4;
  int column = tile.n + (SPLIT_N ? group * GroupN : 0) + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < RowBlocks; ++i) {
#pragma unroll
    for (int c = 0; c < GroupN / 8; ++c) {
      u32 *upper =
          reinterpret_cast<u32 *>(&C[static_cast<long long>(row + i * 64) * n + column + c * 8]);
      u32 *lower = reinterpret_cast<u32 *>(
          &C[static_cast<long long>(row + i * 64 + 8) * n + column + c * 8]);
      *upper = pack_half(acc[i][c * 4], acc[i][c * 4 + 1]);
      *lower = pack_half(acc[i][c * 4 + 2], acc[i][c * 4 + 3]);
    }
  }
}

#if EPILOGUE
constexpr int Pieces = RowBlocks * GroupN / 128; // of 64 x 128

__device__ __forceinline__ void pack(u32 (&packed)[Pieces][32],
                                     const float (&acc)[RowBlocks][Accumulators]) {
#pragma unroll
  for (int piece = 0; piece < Pieces; ++piece) {
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      int first = piece * 64 + i * 2;
      packed[piece][i] = pack_half(acc[first / Accumulators][first % Accumulators],
                                   acc[first / Accumulators][first % Accumulators + 1]);
    }
  }
}

// Stores one piece of the tile through the warp group's part of shared.C; nothing of a tile above
// the first row. The first thread of the group issues every store, so it alone waits for their
// sources to be read.
__device__ __forceinline__ void store_piece(const u32 (&packed)[32], const Shared &shared,
                                            const TensorMap *C, Tile tile, int group, int piece) {
  half *staged = shared.C + group * BytesPanelC; // two panels of BytesPanelC / 2 elements
  bool issues = threadIdx.x % 128 == 0;
  int barrier = 1 + group;
  if (issues)
    tma_store_wait_read<0>();
  named_barrier_sync(barrier, 128);
  stmatrix_panels<2>(staged, packed);
  fence_proxy_async();
  named_barrier_sync(barrier, 128);
  if (issues) {
    int row_block = piece * 128 / GroupN;
    int m = tile.m + (SPLIT_N ? 0 : group * RowBlocks * 64) + row_block * 64;
    int n = tile.n + (SPLIT_N ? group * GroupN : 0) + piece * 128 % GroupN;
#if PANELS_APART
    tma_store(C, staged, n, m, tile.m >= 0);
    tma_store(C, staged + BytesPanelC / 2, n + Panel, m, tile.m >= 0);
#else
    tma_store(C, staged, 0, m, n / Panel, tile.m >= 0);
#endif
    tma_store_commit();
  }
}
#endif

#if ROLES
__device__ __forceinline__ void load_role(const Shared &shared, const TensorMap *A,
                                          const TensorMap *B, const Problem &problem) {
  Ring<Stages> ring;
  for (int index = blockIdx.x; index < problem.tiles(); index += gridDim.x) {
    Tile tile = tile_at(problem, index);
    for (int k = 0; k < problem.k; k += TileK) {
      mbarrier_wait(&shared.empty[ring.slot], ring.parity ^ 1);
      load_stage(shared, A, B, ring.slot, tile, k);
      ring.advance();
    }
  }
}

// Multiplies a tile; `during` runs while the MMAs of its first steps do.
template <typename During>
__device__ __forceinline__ void multiply_tile(float (&acc)[RowBlocks][Accumulators],
                                              const Shared &shared, const Operands &operands,
                                              Ring<Stages> &ring, int steps, During during) {
  int previous = ring.slot;
  mbarrier_wait(&shared.full[ring.slot], ring.parity);
  multiply_stage(acc, operands, ring.slot, false);
  during();
  if (PENDING == 0) {
    wgmma_wait<0>();
    release_stage(shared, ring.slot);
  }
  ring.advance();
  for (int step = 1; step < steps; ++step) {
    mbarrier_wait(&shared.full[ring.slot], ring.parity);
    multiply_stage(acc, operands, ring.slot, true);
    wgmma_wait<PENDING>();
    release_stage(shared, PENDING ? previous : ring.slot);
    previous = ring.slot;
    ring.advance();
  }
  if (PENDING) {
    wgmma_wait<0>();
    release_stage(shared, previous);
  }
}

__device__ __forceinline__ void math_role(const Shared &shared, const TensorMap *C_map, half *C,
                                          const Problem &problem, int group) {
  float acc[RowBlocks][Accumulators];
  Operands operands = group_operands(shared, group);
  Ring<Stages> ring;
#if EPILOGUE
  u32 packed[Pieces][32] = {};
  Tile packed_tile = {-1, 0};
  auto store_packed = [&] {
#pragma unroll
    for (int piece = 0; piece < Pieces; ++piece)
      store_piece(packed[piece], shared, C_map, packed_tile, group, piece);
  };
#endif
  for (int index = blockIdx.x; index < problem.tiles(); index += gridDim.x) {
    Tile tile = tile_at(problem, index);
    multiply_tile(acc, shared, operands, ring, (problem.k + TileK - 1) / TileK, [&] {
#if EPILOGUE == 2
      store_packed();
#endif
    });
#if EPILOGUE
    pack(packed, acc);
    packed_tile = tile;
#else
    store_direct(acc, C, problem.n, tile, group);
#endif
#if EPILOGUE == 1
    store_packed();
#endif
  }
#if EPILOGUE == 2
  store_packed();
#endif
}
#else
// One role: thread 0 fills a slot again when the block has left it.
__device__ __forceinline__ void one_role(const Shared &shared, const TensorMap *A,
                                         const TensorMap *B, const TensorMap *C_map, half *C,
                                         const Problem &problem, int group) {
  float acc[RowBlocks][Accumulators];
  Operands operands = group_operands(shared, group);
  Tile tile = tile_at(problem, blockIdx.x);
  int steps = (problem.k + TileK - 1) / TileK;
  if (threadIdx.x == 0)
    for (int step = 0; step < min(steps, Stages); ++step)
      load_stage(shared, A, B, step, tile, step * TileK);
  Ring<Stages> ring;
  for (int step = 0; step < steps; ++step) {
    mbarrier_wait(&shared.full[ring.slot], ring.parity);
    multiply_stage(acc, operands, ring.slot, step > 0);
    wgmma_wait<0>();
    __syncthreads();
    if (threadIdx.x == 0 && step + Stages < steps)
      load_stage(shared, A, B, ring.slot, tile, (step + Stages) * TileK);
    ring.advance();
  }
#if EPILOGUE
  u32 packed[Pieces][32];
  pack(packed, acc);
#pragma unroll
  for (int piece = 0; piece < Pieces; ++piece)
    store_piece(packed[piece], shared, C_map, tile, group, piece);
#else
  store_direct(acc, C, problem.n, tile, group);
#endif
}
#endif

#if CLUSTER > 1
#define CLUSTER_DIMS __cluster_dims__(CLUSTER, 1, 1)
#else
#define CLUSTER_DIMS
#endif

extern "C" __global__ void CLUSTER_DIMS __launch_bounds__(Threads, 1)
    gemm(const __grid_constant__ TensorMap A_map, const __grid_constant__ TensorMap B_map,
         const __grid_constant__ TensorMap C_map, half *C, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char arena[];
  Shared shared = shared_buffers(arena);
  Problem problem = {m, n, k};
  int group = warp_group();
  if (threadIdx.x == 0) {
    for (int slot = 0; slot < Stages; ++slot) {
      mbarrier_init(&shared.full[slot], 1);
      mbarrier_init(&shared.empty[slot], MathGroups * ARRIVALS * CLUSTER);
    }
    mbarrier_init_fence();
  }
#if CLUSTER > 1
  cluster_sync();
#else
  __syncthreads();
#endif
#if ROLES
  if (group == MathGroups) { // load
    if (LOAD_WARPS == 4)
      registers_down<24>();
    if (threadIdx.x / 32 % 4 == 0 && elect_one())
      load_role(shared, &A_map, &B_map, problem);
  } else { // math
    if (LOAD_WARPS == 4)
      registers_up<240>();
    math_role(shared, &C_map, C, problem, group);
  }
#else
  one_role(shared, &A_map, &B_map, &C_map, C, problem, group);
#endif
#if CLUSTER > 1
  __syncwarp();
  cluster_sync(); // a block must be there while others copy to it and arrive at it
#endif
}
