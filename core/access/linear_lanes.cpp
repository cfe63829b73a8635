#include "core/access/linear_lanes.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <utility>

namespace tilescope {

namespace {

constexpr size_t MaxBits = 24; // of the number of an element
constexpr size_t LaneBits = 5, MaxWarpBits = 6, MaxRegisterBits = 16;
constexpr int64_t RowBytes = 16, Rows = 8, WordBytes = 4; // of a matrix, and of a lane in it
constexpr int64_t WidestLane = 16;

int64_t sumOf(llvm::ArrayRef<int64_t> bases, int64_t number) {
  int64_t sum = 0;
  for (size_t bit = 0; bit != bases.size(); ++bit)
    if (number >> bit & 1)
      sum ^= bases[bit];
  return sum;
}

bool areElements(llvm::ArrayRef<int64_t> bases, size_t most) {
  return bases.size() <= most && llvm::all_of(bases, [](int64_t element) {
           return 0 <= element && element < int64_t(1) << MaxBits;
         });
}

// The places that bits of a register, lane or warp add; nothing: some element has none.
std::optional<std::vector<int64_t>> placesOf(llvm::ArrayRef<int64_t> places,
                                             llvm::ArrayRef<int64_t> elements) {
  std::vector<int64_t> found;
  for (int64_t element : elements) {
    std::optional<int64_t> place = placeOfElement(places, element);
    if (!place)
      return std::nullopt;
    found.push_back(*place);
  }
  return found;
}

// An access by the places of its elements.
class LaneFinder {
public:
  explicit LaneFinder(const LinearAccess &access) : access_(access) {}

  std::optional<LinearLanes> run() {
    if (!isSensible(access_) || access_.instruction == LinearAccess::Instruction::Unknown)
      return std::nullopt;
    auto registers = placesOf(access_.places, access_.registers);
    auto lanes = placesOf(access_.places, access_.lanes);
    auto warps = placesOf(access_.places, access_.warps);
    if (!registers || !lanes || !warps)
      return std::nullopt;
    registers_ = std::move(*registers);
    lanes_ = std::move(*lanes);
    warps_ = std::move(*warps);
    switch (access_.instruction) {
    case LinearAccess::Instruction::Matrices:
      return ofMatrices(WordBytes, {lanes_[0], lanes_[1]}, {lanes_[2], lanes_[3], lanes_[4]});
    case LinearAccess::Instruction::Transposed:
      if (access_.elementBits != 16 || registers_.empty())
        return std::nullopt;
      return ofMatrices(2, {lanes_[2], lanes_[3], lanes_[4]},
                        {registers_[0], lanes_[0], lanes_[1]});
    default:
      return ofLanes();
    }
  }

private:
  int64_t elementsIn(int64_t bytes) const { return bytes * 8 / access_.elementBits; }

  // Places 1, 2, 4 ... of so many elements are some of these, and all others leave them alone.
  static bool holdRun(llvm::ArrayRef<int64_t> run, llvm::ArrayRef<int64_t> others, int64_t count) {
    for (int64_t place = 1; place < count; place *= 2)
      if (!llvm::is_contained(run, place))
        return false;
    return llvm::all_of(others, [&](int64_t place) { return place % count == 0; });
  }

  std::optional<LinearLanes> ofLanes() const {
    int64_t count = elementsIn(access_.laneBytes);
    std::vector<int64_t> others = lanes_;
    llvm::append_range(others, warps_);
    for (int64_t place : registers_)
      if (place >= count)
        others.push_back(place);
    if (count < 1 || !holdRun(registers_, others, count))
      return std::nullopt;
    return lanesAt(access_.laneBytes, lanes_);
  }

  // `held`: the bytes of a row that a lane holds one after the other; `along`: bits that lead along
  // a row; `down`: those that lead from one to the next.
  std::optional<LinearLanes> ofMatrices(int64_t held, std::vector<int64_t> along,
                                        const std::vector<int64_t> &down) const {
    int64_t count = elementsIn(RowBytes), own = elementsIn(held);
    if (own < 1)
      return std::nullopt;
    for (int64_t place : registers_)
      if (place != 0 && place < own)
        along.push_back(place);
    std::vector<int64_t> others = down;
    llvm::append_range(others, warps_);
    for (int64_t place : registers_)
      if (place >= own)
        others.push_back(place);
    if (!holdRun(along, others, count))
      return std::nullopt;
    return lanesAt(RowBytes, down);
  }

  // By the bits of the number of a lane.
  LinearLanes lanesAt(int64_t laneBytes, llvm::ArrayRef<int64_t> bits) const {
    LinearLanes found;
    found.laneBytes = laneBytes;
    for (int64_t warp = 0; warp != int64_t(1) << warps_.size(); ++warp) {
      auto &places = found.places.emplace_back();
      for (int64_t lane = 0; lane != int64_t(1) << bits.size(); ++lane)
        places.emplace_back(sumOf(bits, lane) ^ sumOf(warps_, warp));
    }
    std::vector<std::optional<int64_t>> bytes;
    for (std::optional<int64_t> place : found.places.front())
      bytes.emplace_back(*place * access_.elementBits / 8);
    found.passes = bankPassesOf(bytes, laneBytes);
    return found;
  }

  const LinearAccess &access_;
  std::vector<int64_t> registers_, lanes_, warps_; // places
};

} // namespace

static_assert(Rows * RowBytes == SharedBanks * BankBytes);

std::optional<LinearLanes> lanesOf(const LinearAccess &access) { return LaneFinder(access).run(); }

int64_t elementAtPlace(llvm::ArrayRef<int64_t> places, int64_t place) {
  return sumOf(places, place);
}

// By elimination: each row has a highest bit that no row after it has.
std::optional<int64_t> placeOfElement(llvm::ArrayRef<int64_t> places, int64_t element) {
  std::vector<std::pair<int64_t, int64_t>> rows; // elements and places, by their highest bits
  auto reduce = [&](std::pair<int64_t, int64_t> row) {
    for (const auto &[known, place] : rows)
      if ((row.first ^ known) < row.first) {
        row.first ^= known;
        row.second ^= place;
      }
    return row;
  };
  for (size_t bit = 0; bit != places.size(); ++bit) {
    std::pair<int64_t, int64_t> row = reduce({places[bit], int64_t(1) << bit});
    if (row.first == 0)
      return std::nullopt;
    rows.insert(llvm::upper_bound(rows, row, std::greater<>()), row);
  }
  std::pair<int64_t, int64_t> rest = reduce({element, 0});
  return rest.first == 0 ? std::optional(rest.second) : std::nullopt;
}

bool arePlaces(llvm::ArrayRef<int64_t> places) { return areElements(places, MaxBits); }

bool isSensible(const LinearAccess &access) {
  auto isPower = [](int64_t number) { return number > 0 && (number & (number - 1)) == 0; };
  bool isPlain = access.instruction == LinearAccess::Instruction::Plain;
  return isPower(access.elementBits) && 8 <= access.elementBits && access.elementBits <= 64 &&
         (!isPlain || (isPower(access.laneBytes) && access.laneBytes <= WidestLane)) &&
         access.lanes.size() == LaneBits && areElements(access.lanes, LaneBits) &&
         areElements(access.warps, MaxWarpBits) && areElements(access.registers, MaxRegisterBits) &&
         arePlaces(access.places);
}

} // namespace tilescope
