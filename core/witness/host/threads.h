// The threads of a block as fibers: each runs until it waits for others. What waits, for all
// threads of the block, for those of its warp or for some, goes through `meetBlock`, `meetWarp` and
// `meetNamed`.
#pragma once

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>
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
  jmp_buf place;                                         // where it waits
  const char *awaited = nullptr;                         // what it waits for
  std::deque<std::vector<Copy>> copies;                  // groups in flight, last the open one
  std::deque<std::vector<std::function<void()>>> stores; // the same, of boxes to tensors
};

// Lanes of a warp that perform one operation together.
struct Meeting {
  const char *operation = nullptr;
  unsigned lanes = 0; // that it takes, as bits
  unsigned arrived = 0;
  void *operands[WarpSize];
};

struct Warp {
  unsigned size = 0;
  std::vector<Meeting> meetings;
};

// A barrier with a number: who has arrived since it was last complete.
struct NamedBarrier {
  unsigned threads = 0; // that it takes
  unsigned arrived = 0;
  std::vector<Thread *> waiting;
};
constexpr unsigned NamedBarriers = 16;

// One block that runs, and who of it can go on.
struct Block {
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::deque<Thread *> ready;
  Thread *current = nullptr;
  unsigned arrived = 0;           // at the barrier
  unsigned votes = 0, result = 0; // of those that have arrived; of all, at the last barrier
  NamedBarrier named[NamedBarriers];
  unsigned atOthers = 0; // that wait for other blocks
  unsigned ended = 0;
  unsigned firstStack = 0;
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

// Threads from `first` on but for the one that runs, in the order that was asked for; of up to 32
// those of `lanes`.
inline void wakeOthers(unsigned first, unsigned count, unsigned lanes = ~0U) {
  for (unsigned i = 0; i != count; ++i) {
    unsigned place = block.isReversed ? count - 1 - i : i;
    Thread &thread = block.threads[first + place];
    if (&thread != block.current && (lanes >> place % WarpSize & 1))
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

// "bar.sync" and "bar.arrive" of the PTX ISA, of threads instead of warps.
inline void meetNamed(const char *operation, unsigned number, unsigned threads, bool waits) {
  if (number >= NamedBarriers || threads == 0 || threads % WarpSize != 0)
    fail("names no barrier of whole warps, at ", operation);
  NamedBarrier &barrier = block.named[number];
  if (barrier.arrived == 0)
    barrier.threads = threads;
  if (barrier.threads != threads)
    fail("waits for other numbers of threads than others do, at ", operation);
  bool isComplete = ++barrier.arrived == threads;
  if (!isComplete && waits) {
    barrier.waiting.push_back(block.current);
    return waitFor(operation);
  }
  if (!isComplete)
    return;
  barrier.arrived = 0;
  for (Thread *thread : std::exchange(barrier.waiting, {}))
    wake(*thread);
}

// All blocks, or those of a cluster: who launches them lets them go on.
inline void meetBlocks(const char *barrier) {
  ++block.atOthers;
  waitFor(barrier);
}

// How many threads of the block said yes at this barrier.
inline unsigned voteOfBlock(bool isYes) {
  block.votes += isYes;
  // Nobody gets to the next one before all have read what the last one leaves here.
  if (block.arrived + 1 == block.threads.size())
    block.result = std::exchange(block.votes, 0U);
  meetBlock();
  return block.result;
}

// That of these lanes, which is open already, or a new one.
inline Meeting &meetingOf(Warp &warp, const char *operation, unsigned lanes) {
  for (Meeting &meeting : warp.meetings) {
    if (!(meeting.lanes & lanes))
      continue;
    if (meeting.lanes != lanes || meeting.operation != operation)
      fail("does what other lanes of its warp do not: ", operation);
    return meeting;
  }
  return warp.meetings.emplace_back(Meeting{operation, lanes, 0, {}});
}

// The lanes of the mask that there are bring their operands; the last one performs the operation
// for all. `perform(lanes, operands)`, where `operands(lane)` are those of a lane.
template <typename Operands, typename Perform>
void meetLanes(const char *operation, unsigned mask, Operands &own, Perform perform) {
  unsigned index = block.current->index;
  unsigned lane = index % WarpSize;
  Warp &warp = block.warps[index / WarpSize];
  unsigned lanes = warp.size == WarpSize ? mask : mask & ((1U << warp.size) - 1);
  if (!(lanes >> lane & 1))
    fail("is no lane that takes part, for ", operation);
  Meeting &meeting = meetingOf(warp, operation, lanes);
  meeting.operands[lane] = &own;
  meeting.arrived |= 1U << lane;
  if (meeting.arrived != lanes)
    return waitFor(operation);
  Meeting complete = meeting;
  std::erase_if(warp.meetings, [&](const Meeting &open) { return open.lanes == lanes; });
  perform(lanes, [&complete](unsigned of) -> Operands & {
    return *static_cast<Operands *>(complete.operands[of]);
  });
  wakeOthers(index / WarpSize * WarpSize, warp.size, lanes);
}

// The same of all lanes, of which `perform` gets the number.
template <typename Operands, typename Perform>
void meetWarp(const char *operation, Operands &own, Perform perform) {
  unsigned size = block.warps[block.current->index / WarpSize].size;
  meetLanes(operation, ~0U, own, [&](unsigned, auto operands) { perform(size, operands); });
}

// ---- Running ------------------------------------------------------------------------------------

inline void startThread() {
  block.body(block.argument);
  ++block.ended;
  _longjmp(block.scheduler, 1);
}

// The page below may not be touched.
inline char *makeStack() {
  void *stack = mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED)
    fail("needs more threads at the same time than there is memory for");
  mprotect(stack, PageBytes, PROT_NONE);
  return static_cast<char *>(stack);
}

inline char *stackOf(unsigned number) {
  static std::vector<char *> stacks;
  while (stacks.size() <= number)
    stacks.push_back(makeStack());
  return stacks[number];
}

inline void prepareThreads(unsigned count) {
  block.threads.resize(count);
  block.warps.assign((count + WarpSize - 1) / WarpSize, {});
  block.ready.clear();
  block.arrived = block.ended = block.votes = block.atOthers = 0;
  for (NamedBarrier &barrier : block.named)
    barrier = {};
  for (unsigned i = 0; i != count; ++i) {
    Thread &thread = block.threads[i];
    thread.index = i;
    thread.isStarted = false;
    thread.copies.assign(1, {});
    thread.stores.assign(1, {});
    getcontext(&thread.start);
    thread.start.uc_stack.ss_sp = stackOf(block.firstStack + i);
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

// Until all threads of the block have ended, or wait for other blocks (true).
inline bool runReady() {
  while (!block.ready.empty()) {
    Thread &next = *block.ready.front();
    block.ready.pop_front();
    resume(next);
  }
  if (block.ended == block.threads.size() || block.atOthers == block.threads.size())
    return block.atOthers != 0;
  for (const Thread &thread : block.threads) {
    threadIdx.x = thread.index;
    if (thread.awaited)
      fail("waits for threads that do not come, at ", thread.awaited);
  }
  return false;
}

} // namespace witness
