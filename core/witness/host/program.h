// The program around a kernel: tensors come from files of the folder that it is given, and go back
// into them.
#pragma once

#include "core/witness/host/builtins.h"

#include <fcntl.h>
#include <map>
#include <string>

namespace witness {

class Program {
public:
  Program(int argc, char **argv) : folder_(argv[1]) {
    block.isReversed = argc > 2;
    explainSignals();
  }

  // `file`: what it starts with; without one it starts poisoned.
  void tensor(const char *name, size_t bytes, const char *file = nullptr) {
    Tensor tensor{reserve(bytes, Alignment), bytes, file ? folder_ + "/" + file : ""};
    if (file)
      move(tensor, O_RDONLY,
           [](int from, unsigned char *at, size_t count) { return read(from, at, count); });
    tensors_.emplace(name, tensor);
  }

  // Bits of the value in the low end.
  void scalar(const char *name, unsigned long long bits) { scalars_[name] = bits; }

  // What copies of boxes are told of a tensor: `map.begin` is that of the tensor then.
  void tensorMap(const char *name, const char *tensor, MappedTensor map) {
    map.begin = tensors_.at(tensor).memory.begin;
    maps_[name] = map;
  }

  // `lot`: blocks that may wait for each other.
  template <typename... Params>
  void launch(void (*kernel)(Params...), const char *const (&names)[sizeof...(Params) + 1],
              dim3 grid, dim3 lot, unsigned threads, size_t dynamicSharedBytes) {
    launch(kernel, names, grid, lot, threads, dynamicSharedBytes,
           std::index_sequence_for<Params...>());
  }

  void write() const {
    for (const auto &[name, tensor] : tensors_)
      if (!tensor.path.empty())
        move(tensor, O_WRONLY,
             [](int to, unsigned char *at, size_t count) { return ::write(to, at, count); });
  }

private:
  static constexpr size_t Alignment = 16;
  struct Tensor {
    Memory memory;
    size_t bytes;
    std::string path;
  };

  template <typename Step> static void move(const Tensor &tensor, int mode, Step step) {
    int file = open(tensor.path.c_str(), mode);
    for (size_t done = 0; done < tensor.bytes;) {
      ssize_t count = step(file, tensor.memory.begin + done, tensor.bytes - done);
      if (count <= 0)
        fail("cannot read or write ", tensor.path.c_str());
      done += static_cast<size_t>(count);
    }
    close(file);
  }

  template <typename T> T argument(const char *name) const {
    if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<T>(tensors_.at(name).memory.begin);
    } else if constexpr (std::is_class_v<T> && sizeof(T) == 128) {
      T map;
      memcpy(&map, &maps_.at(name), sizeof(MappedTensor));
      return map;
    } else {
      T value;
      memcpy(&value, &scalars_.at(name), sizeof value);
      return value;
    }
  }

  template <typename... Params, size_t... I>
  void launch(void (*kernel)(Params...), const char *const *names, dim3 grid, dim3 lot,
              unsigned threads, size_t dynamicSharedBytes, std::index_sequence<I...>) {
    // As the kernel's text asks for.
    arena = reserve(dynamicSharedBytes, 1024);
    gridDim = grid;
    blockDim.x = threads;
    auto body = [&] { kernel(argument<Params>(names[I])...); };
    using Body = decltype(body);
    block.body = [](void *argument) { (*static_cast<Body *>(argument))(); };
    block.argument = &body;
    for (unsigned z = 0; z < grid.z; z += lot.z)
      for (unsigned y = 0; y < grid.y; y += lot.y)
        for (unsigned x = 0; x < grid.x; x += lot.x)
          runLot({x, y, z}, lot);
  }

  static void runLot(uint3 first, dim3 lot) {
    std::deque<WaitingBlock> waiting;
    block.firstStack = 0;
    for (unsigned number = 0; number != lot.x * lot.y * lot.z; ++number) {
      blockIdx = {first.x + number % lot.x, first.y + number / lot.x % lot.y,
                  first.z + number / lot.x / lot.y};
      poisonShared();
      mbarriers().clear();
      prepareThreads(blockDim.x);
      if (runReady())
        putAside(waiting);
    }
    runWaiting(waiting, size_t{lot.x} * lot.y * lot.z);
  }

  // A block that waits for all others, and what it holds.
  struct WaitingBlock {
    Block block;
    uint3 index;
    std::vector<unsigned char> arena, statics;
  };

  // What comes next runs on other stacks.
  static void putAside(std::deque<WaitingBlock> &waiting) {
    unsigned behind = block.firstStack + static_cast<unsigned>(block.threads.size());
    Block next;
    next.isReversed = block.isReversed;
    next.body = block.body;
    next.argument = block.argument;
    next.firstStack = behind;
    waiting.push_back({std::exchange(block, std::move(next)),
                       blockIdx,
                       {arena.begin, arena.begin + arena.bytes},
                       {__start_shared, __start_shared + staticSharedBytes()}});
  }

  // All blocks go on together, or none.
  static void runWaiting(std::deque<WaitingBlock> &waiting, size_t count) {
    while (!waiting.empty()) {
      if (waiting.size() != count) {
        blockIdx = waiting.front().index;
        threadIdx.x = 0;
        fail("waits for blocks that do not come");
      }
      std::deque<WaitingBlock> next;
      for (WaitingBlock &one : waiting) {
        block = std::move(one.block);
        blockIdx = one.index;
        std::copy(one.arena.begin(), one.arena.end(), arena.begin);
        std::copy(one.statics.begin(), one.statics.end(), __start_shared);
        block.atOthers = 0;
        block.current = nullptr;
        wakeOthers(0, static_cast<unsigned>(block.threads.size()));
        if (runReady())
          putAside(next);
      }
      waiting = std::move(next);
    }
  }

  std::string folder_;
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, unsigned long long> scalars_;
  std::map<std::string, MappedTensor> maps_;
};

} // namespace witness
