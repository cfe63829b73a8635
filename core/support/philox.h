// The random numbers of T.rng_init and T.rng_rand: Philox4x32-10 (Salmon, Moraes, Dror and Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", 2011), with the counter, the key and the order of
// words that cuRAND's curandStatePhilox4_32_10_t has: the same bits for the same seed.
//
// The counter is 128 bits: the upper 64 are the sequence, the lower 64 count blocks of four words.
#pragma once

#include <array>
#include <cstdint>

namespace tilescope {

// What one thread keeps, as the emitted code has it.
class PhiloxState {
public:
  static constexpr unsigned Words = 16;
  using Storage = std::array<uint32_t, Words>;

  explicit PhiloxState(const Storage &words = {}) : words_(words) {}
  const Storage &words() const { return words_; }

  void init(uint64_t seed, uint64_t sequence, uint64_t offset);
  uint32_t bits();
  // In (0, 1].
  float uniform();
  double uniformDouble();
  // Two at a time, by Box and Muller; the second is kept for the next call.
  float normal();
  double normalDouble();

private:
  enum Place : unsigned {
    Counter = 0,   // 4 words
    Key = 4,       // 2
    Block = 6,     // 4: what is given out
    Next = 10,     // which of them
    HasSpare = 11, // a float
    Spare = 12,
    HasSpareDouble = 13,
    SpareDouble = 14, // 2
  };

  void nextBlock();
  void fillBlock();

  Storage words_;
};

} // namespace tilescope
