// Memory that ends where its last byte does: what is read or written behind it, or in front of it,
// stops the program. Shared memory is poisoned before each block.
#pragma once

#include "core/witness/host/threads.h"

#include <csignal>
#include <cstdint>
#include <cstring>

// Static shared arrays lie in a section of their own, whose ends the linker knows.
extern "C" {
extern unsigned char __start_shared[] __attribute__((weak));
extern unsigned char __stop_shared[] __attribute__((weak));
}

namespace witness {

constexpr unsigned char Poison = 0xff;

struct Memory {
  unsigned char *begin = nullptr;
  size_t bytes = 0; // from `begin` to the page that nobody may touch
  size_t pages = 0;
};

// Poisoned bytes at an address that is a multiple of `alignment`.
inline Memory reserve(size_t bytes, size_t alignment) {
  Memory memory;
  memory.bytes = (bytes + alignment - 1) / alignment * alignment;
  memory.pages = (memory.bytes + PageBytes - 1) / PageBytes;
  auto *all =
      static_cast<unsigned char *>(mmap(nullptr, (memory.pages + 2) * PageBytes, PROT_NONE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  unsigned char *usable = all + PageBytes;
  mprotect(usable, memory.pages * PageBytes, PROT_READ | PROT_WRITE);
  memory.begin = usable + memory.pages * PageBytes - memory.bytes;
  memset(memory.begin, Poison, memory.bytes);
  return memory;
}

// ---- Shared memory ------------------------------------------------------------------------------

inline Memory arena; // of the launch that runs
// Addresses of static arrays are above those of the arena.
constexpr unsigned StaticShared = 1U << 24;

inline size_t staticSharedBytes() {
  return __start_shared ? static_cast<size_t>(__stop_shared - __start_shared) : 0;
}

inline void poisonShared() {
  memset(arena.begin, Poison, arena.bytes);
  if (size_t bytes = staticSharedBytes())
    memset(__start_shared, Poison, bytes);
}

inline size_t __cvta_generic_to_shared(const void *pointer) {
  const auto *byte = static_cast<const unsigned char *>(pointer);
  if (byte >= arena.begin && byte <= arena.begin + arena.bytes)
    return static_cast<size_t>(byte - arena.begin);
  if (byte >= __start_shared && byte < __start_shared + staticSharedBytes())
    return StaticShared + static_cast<size_t>(byte - __start_shared);
  fail("uses an address as one of shared memory that is none");
}

// `bytes` of shared memory that an instruction accesses.
inline void *sharedBytes(unsigned address, unsigned bytes) {
  bool isStatic = address >= StaticShared;
  size_t offset = isStatic ? address - StaticShared : address;
  if (offset + bytes > (isStatic ? staticSharedBytes() : arena.bytes))
    fail("accesses bytes behind shared memory");
  if (offset % bytes != 0)
    fail("accesses shared memory at an address that is not aligned");
  return (isStatic ? __start_shared : arena.begin) + offset;
}

// ---- Signals ------------------------------------------------------------------------------------

inline void explainSignal(int number) {
  if (number == SIGSEGV || number == SIGBUS)
    fail("accesses memory outside of all tensors, of shared memory and of its stack");
  if (number == SIGFPE)
    fail("divides by zero");
  // The compiler's checks end in a trap.
  fail("accesses an address that is not aligned, or an element outside of an array");
}

inline void explainSignals() {
  static char stack[64 << 10];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  struct sigaction action{};
  action.sa_handler = explainSignal;
  action.sa_flags = SA_ONSTACK;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    sigaction(number, &action, nullptr);
}

} // namespace witness
