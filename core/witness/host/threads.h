// The threads of a block as fibers: each runs until it waits for others. What waits, for all
// threads of the block or for those of its warp, goes through `meetBlock` and `meetWarp`.
#pragma once

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace witness {

struct uint3 {
  unsigned x = 0, y = 0, z = 0;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

constexpr unsigned WarpSize = 32;
constexpr size_t StackBytes = 512 << 10;
constexpr size_t PageBytes = 4096;

// An asynchronous copy that has been started.
struct Copy {
  void *to;
  const void *from;
  unsigned bytes; // the rest of `size` becomes zero
  unsigned size;
};

struct Thread {
  unsigned index = 0;
  bool isStarted = false;
  ucontext_t start;
  jmp_buf place;                        // where it waits
  const char *awaited = nullptr;        // what it waits for
  std::deque<std::vector<Copy>> copies; // groups in flight, last the open one
};

struct Warp {
  unsigned size = 0;
  unsigned arrived = 0;
  const char *operation = nullptr;
  void *operands[WarpSize];
};

// One block that runs, and who of it can go on.
struct Block {
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::deque<Thread *> ready;
  Thread *current = nullptr;
  unsigned arrived = 0; // at the barrier
  unsigned ended = 0;
  bool isReversed = false; // the last thread goes first, copies arrive at once
  jmp_buf scheduler;
  void (*body)(void *) = nullptr;
  void *argument = nullptr;
};
inline Block block;

// The parent reads "fault BLOCK THREAD SENTENCE". Safe in a signal handler.
[[noreturn]] inline void fail(const char *sentence, const char *detail = "") {
  char line[512];
  unsigned long long number =
      blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                       (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  int length =
      snprintf(line, sizeof line, "fault %llu %u %s%s\n", number, threadIdx.x, sentence, detail);
  (void)!write(STDERR_FILENO, line, static_cast<size_t>(length));
  _exit(3);
}

inline void require(bool holds, const char *text) {
  if (!holds)
    fail("does not hold, though it is assumed: ", text);
}

// ---- Waiting ------------------------------------------------------------------------------------

// Until somebody wakes this thread.
inline void waitFor(const char *what) {
  block.current->awaited = what;
  if (_setjmp(block.current->place) == 0)
    _longjmp(block.scheduler, 1);
}

inline void wake(Thread &thread) {
  thread.awaited = nullptr;
  block.ready.push_back(&thread);
}

// Threads from `first` on but for the one that runs, in the order that was asked for.
inline void wakeOthers(unsigned first, unsigned count) {
  for (unsigned i = 0; i != count; ++i) {
    Thread &thread = block.threads[first + (block.isReversed ? count - 1 - i : i)];
    if (&thread != block.current)
      wake(thread);
  }
}

inline void meetBlock() {
  auto count = static_cast<unsigned>(block.threads.size());
  if (++block.arrived != count)
    return waitFor("__syncthreads()");
  block.arrived = 0;
  wakeOthers(0, count);
}

// All lanes of a warp bring their operands; the last one performs the operation for all.
// `perform(lanes, operands)`, where `operands(lane)` are those of a lane.
template <typename Operands, typename Perform>
void meetWarp(const char *operation, Operands &own, Perform perform) {
  unsigned index = block.current->index;
  Warp &warp = block.warps[index / WarpSize];
  if (warp.arrived != 0 && warp.operation != operation)
    fail("does what other lanes of its warp do not: ", operation);
  warp.operation = operation;
  warp.operands[index % WarpSize] = &own;
  if (++warp.arrived != warp.size)
    return waitFor(operation);
  perform(warp.size, [&warp](unsigned lane) -> Operands & {
    return *static_cast<Operands *>(warp.operands[lane]);
  });
  warp.arrived = 0;
  wakeOthers(index / WarpSize * WarpSize, warp.size);
}

// ---- Running ------------------------------------------------------------------------------------

inline void startThread() {
  block.body(block.argument);
  ++block.ended;
  _longjmp(block.scheduler, 1);
}

// The page below each stack may not be touched.
inline char *makeStacks() {
  constexpr size_t MostThreads = 1024;
  void *stacks = mmap(nullptr, MostThreads * StackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (size_t i = 0; i != MostThreads; ++i)
    mprotect(static_cast<char *>(stacks) + i * StackBytes, PageBytes, PROT_NONE);
  return static_cast<char *>(stacks);
}

inline char *stackOf(unsigned thread) {
  static char *stacks = makeStacks();
  return stacks + thread * StackBytes;
}

inline void prepareThreads(unsigned count) {
  block.threads.resize(count);
  block.warps.assign((count + WarpSize - 1) / WarpSize, {});
  block.ready.clear();
  block.arrived = block.ended = 0;
  for (unsigned i = 0; i != count; ++i) {
    Thread &thread = block.threads[i];
    thread.index = i;
    thread.isStarted = false;
    thread.copies.assign(1, {});
    getcontext(&thread.start);
    thread.start.uc_stack.ss_sp = stackOf(i);
    thread.start.uc_stack.ss_size = StackBytes;
    thread.start.uc_link = nullptr;
    makecontext(&thread.start, startThread, 0);
    ++block.warps[i / WarpSize].size;
  }
  block.current = nullptr;
  wakeOthers(0, count);
}

inline void resume(Thread &thread) {
  block.current = &thread;
  threadIdx.x = thread.index;
  if (_setjmp(block.scheduler) != 0)
    return;
  if (thread.isStarted)
    _longjmp(thread.place, 1);
  thread.isStarted = true;
  setcontext(&thread.start);
}

// Runs `body` once for each thread of a block.
template <typename Body> void runBlock(unsigned threads, Body body) {
  block.body = [](void *argument) { (*static_cast<Body *>(argument))(); };
  block.argument = &body;
  prepareThreads(threads);
  while (!block.ready.empty()) {
    Thread &next = *block.ready.front();
    block.ready.pop_front();
    resume(next);
  }
  if (block.ended == threads)
    return;
  for (const Thread &thread : block.threads) {
    threadIdx.x = thread.index;
    if (thread.awaited)
      fail("waits for threads that do not come, at ", thread.awaited);
  }
}

} // namespace witness
