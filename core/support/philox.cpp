#include "core/support/philox.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <numbers>

namespace tilescope {

namespace {

constexpr uint32_t Multipliers[] = {0xD2511F53, 0xCD9E8D57};
constexpr uint32_t KeySteps[] = {0x9E3779B9, 0xBB67AE85};
constexpr unsigned Rounds = 10;

uint64_t join(uint32_t low, uint32_t high) { return (uint64_t{high} << 32) | low; }

} // namespace

void PhiloxState::fillBlock() {
  uint32_t x[] = {words_[Counter], words_[Counter + 1], words_[Counter + 2], words_[Counter + 3]};
  uint32_t key[] = {words_[Key], words_[Key + 1]};
  for (unsigned round = 0; round < Rounds; ++round) {
    uint64_t a = uint64_t{Multipliers[0]} * x[0];
    uint64_t b = uint64_t{Multipliers[1]} * x[2];
    x[0] = static_cast<uint32_t>(b >> 32) ^ x[1] ^ key[0];
    x[1] = static_cast<uint32_t>(b);
    x[2] = static_cast<uint32_t>(a >> 32) ^ x[3] ^ key[1];
    x[3] = static_cast<uint32_t>(a);
    key[0] += KeySteps[0];
    key[1] += KeySteps[1];
  }
  for (unsigned i = 0; i < 4; ++i)
    words_[Block + i] = x[i];
}

void PhiloxState::init(uint64_t seed, uint64_t sequence, uint64_t offset) {
  words_ = {};
  uint64_t block = offset / 4;
  words_[Counter] = static_cast<uint32_t>(block);
  words_[Counter + 1] = static_cast<uint32_t>(block >> 32);
  words_[Counter + 2] = static_cast<uint32_t>(sequence);
  words_[Counter + 3] = static_cast<uint32_t>(sequence >> 32);
  words_[Key] = static_cast<uint32_t>(seed);
  words_[Key + 1] = static_cast<uint32_t>(seed >> 32);
  words_[Next] = offset % 4;
  fillBlock();
}

void PhiloxState::nextBlock() {
  for (unsigned i = 0; i < 4; ++i)
    if (++words_[Counter + i] != 0)
      break;
  fillBlock();
  words_[Next] = 0;
}

uint32_t PhiloxState::bits() {
  uint32_t value = words_[Block + words_[Next] % 4];
  if (++words_[Next] == 4)
    nextBlock();
  return value;
}

float PhiloxState::uniform() { return static_cast<float>(bits()) * 0x1p-32F + 0x1p-33F; }

double PhiloxState::uniformDouble() { return bits() * 0x1p-32 + 0x1p-33; }

float PhiloxState::normal() {
  if (words_[HasSpare]) {
    words_[HasSpare] = 0;
    return llvm::bit_cast<float>(words_[Spare]);
  }
  constexpr float Turn = 0x1p-32F * 6.2831855F;
  auto rounded = [](double exact) { return static_cast<float>(exact); };
  float radius = std::sqrt(-2.0F * rounded(std::log(double{uniform()})));
  double angle = std::fma(static_cast<float>(bits()), Turn, Turn / 2);
  words_[HasSpare] = 1;
  words_[Spare] = llvm::bit_cast<uint32_t>(rounded(std::cos(angle)) * radius);
  return rounded(std::sin(angle)) * radius;
}

double PhiloxState::normalDouble() {
  if (words_[HasSpareDouble]) {
    words_[HasSpareDouble] = 0;
    return llvm::bit_cast<double>(join(words_[SpareDouble], words_[SpareDouble + 1]));
  }
  // Of two words 53 bits: the second is moved by 21.
  auto draw = [&] {
    uint32_t low = bits();
    return static_cast<double>(low ^ (uint64_t{bits()} << 21));
  };
  double radius = std::sqrt(-2.0 * std::log(draw() * 0x1p-53 + 0x1p-54));
  double angle = (draw() * 0x1p-52 + 0x1p-53) * std::numbers::pi;
  auto spare = llvm::bit_cast<uint64_t>(std::cos(angle) * radius);
  words_[HasSpareDouble] = 1;
  words_[SpareDouble] = static_cast<uint32_t>(spare);
  words_[SpareDouble + 1] = static_cast<uint32_t>(spare >> 32);
  return std::sin(angle) * radius;
}

} // namespace tilescope
