#include "core/analysis/layouts/holders.h"
#include "core/analysis/layouts/loop_digits.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tilescope {
namespace {

IndexParts partsOf(std::optional<size_t> loopDim) {
  return loopDim ? wholeVariable(*loopDim) : anyIndex();
}

FragmentAccess accessBy(llvm::ArrayRef<std::optional<size_t>> loopDims) {
  FragmentAccess access;
  for (std::optional<size_t> loopDim : loopDims)
    access.axes.push_back(partsOf(loopDim));
  return access;
}

TEST(Holders, ComparesThreadsOnly) {
  Context context;
  const Layout *loop = parseLayout(context, "fragment(2@r2 8@t4 | 4@t1 2@r1)");
  auto reason = [&](llvm::ArrayRef<std::optional<size_t>> loopDims, llvm::StringRef fragment) {
    FragmentAccess access = accessBy(loopDims);
    return whyNotHeld(access, *parseLayout(context, fragment), *loop);
  };
  EXPECT_EQ(reason({0, 1}, "fragment(2@r2 8@t4 | 4@t1 2@r1)"), "");
  EXPECT_EQ(reason({0, 1}, "fragment(2@r1 8@t4 | 4@t1 2@r2)"), "");
  EXPECT_EQ(reason({0}, "fragment(2@r1 8@t4 ; 4@t1)"), "");
  EXPECT_EQ(reason({0}, "fragment(2@r1 8@t4)"), "4 threads touch an element that 1 hold");
  EXPECT_EQ(reason({0}, "fragment(8@t4 2@r1 ; 4@t1)"),
            "elements along dimension 0 lie on other threads than the iterations");
  EXPECT_EQ(reason({std::nullopt}, "fragment(16@r1 ; 32@t1)"), "");
  EXPECT_EQ(
      reason({std::nullopt}, "fragment(32@t1)"),
      "dimension 0 is spread over threads and its index is not a variable of the parallel loop");
}

TEST(Holders, WantsEveryCopyWritten) {
  Context context;
  auto reason = [&](llvm::ArrayRef<std::optional<size_t>> loopDims, llvm::StringRef fragment,
                    llvm::StringRef loop, bool isWrite = true) {
    FragmentAccess access = accessBy(loopDims);
    access.isWrite = isWrite;
    return whyCopiesStale(access, *parseLayout(context, fragment), *parseLayout(context, loop));
  };
  EXPECT_EQ(reason({std::nullopt}, "fragment(64@r1 ; 32@t1)", "fragment(2@r1 32@t1)"),
            "an element is held by 32 threads and an iteration is run by 1");
  EXPECT_EQ(reason({std::nullopt}, "fragment(64@r1 ; 32@t1)", "fragment(2@r1 32@t1)", false), "");
  EXPECT_EQ(reason({std::nullopt}, "fragment(64@r1 ; 32@t1)", "fragment(64@r1 ; 32@t1)"), "");
  EXPECT_EQ(reason({0}, "fragment(8@t4 ; 4@t1)", "fragment(8@t4 | 4@t1)"),
            "an element is held by 4 threads and an iteration is run by 1");
  EXPECT_EQ(reason({0}, "fragment(8@t4 ; 4@t1)", "fragment(8@t4 | 4@r1 ; 4@t1)"), "");
}

// A fragment, a loop and an access to the fragment in it, by chance.
struct RandomAccess {
  const Layout *fragment = nullptr;
  const Layout *loop = nullptr;
  FragmentAccess access;
};

class AccessGenerator {
public:
  AccessGenerator(Context &context, unsigned seed) : context_(context), random_(seed) {}

  RandomAccess next() {
    RandomAccess made;
    size_t loopRank = 1 + below(2);
    std::vector<DigitList> dims(loopRank);
    DigitList replicas;
    spread(dims, replicas);
    made.loop = makeDenseFragment(context_, dims, replicas);
    made.access.isWrite = below(2) == 0;
    size_t rank = 1 + below(2);
    for (size_t dim = 0; dim < rank; ++dim)
      made.access.axes.push_back(axis(*made.loop));
    made.fragment = below(4) == 0 ? unrelated(rank) : followed(*made.loop, made.access.axes);
    return made;
  }

  size_t below(size_t bound) { return random_() % bound; }

private:
  // Some index: any, a variable, one divided or its rest, two that are flattened, or a variable
  // beside any other value.
  IndexParts axis(const Layout &loop) {
    size_t a = below(loop.dims.size());
    size_t b = below(loop.dims.size());
    int64_t extent = extentOf(loop.dims[b]);
    switch (below(7)) {
    case 0:
      return anyIndex();
    case 1:
      return {{a, 1, 2, IndexPart::Open}};
    case 2:
      return {{a, 1, 1, 2}};
    case 3:
      return a == b ? wholeVariable(a)
                    : IndexParts{{a, extent, 1, IndexPart::Open}, {b, 1, 1, extent}};
    case 4:
      return {{std::nullopt, extent, 1, IndexPart::Open}, {b, 1, 1, extent}};
    case 5:
      return {{b, 2, 1, IndexPart::Open}, {std::nullopt, 1, 1, 2}};
    default:
      return wholeVariable(a);
    }
  }

  // 8 threads as digits 2@t1, 2@t2, 2@t4 of a dimension, or copies; and some registers.
  void spread(std::vector<DigitList> &dims, DigitList &replicas) {
    for (int64_t stride : {4, 2, 1}) {
      size_t place = below(dims.size() + 1);
      (place < dims.size() ? dims[place] : replicas).push_back({2, true, stride});
    }
    int64_t stride = 1;
    for (DigitList &digits : dims)
      if (below(2) == 0) {
        digits.insert(digits.begin() + below(digits.size() + 1), {2, false, stride});
        stride *= 2;
      }
  }

  const Layout *unrelated(size_t rank) {
    std::vector<DigitList> dims(rank);
    DigitList replicas;
    spread(dims, replicas);
    return makeDenseFragment(context_, dims, replicas);
  }

  // What the loop says of a fragment, with a thread digit sometimes a copy or left out.
  const Layout *followed(const Layout &loop, llvm::ArrayRef<IndexParts> axes) {
    std::vector<DigitList> dims;
    DigitList replicas(loop.replicas);
    LoopDigits unused(loop);
    int64_t outer = 1 << 10;
    for (const IndexParts &parts : axes) {
      dims.emplace_back();
      for (const IndexPart &part : parts) {
        int64_t high = part.extent >= IndexPart::Open ? part.extent : part.low * part.extent;
        std::optional<DigitList> digits =
            part.loopDim ? unused.take(*part.loopDim, part.low, high) : std::nullopt;
        dims.back().append(digits ? *digits : DigitList{{2, false, outer}});
        outer *= 2;
      }
    }
    for (const Digit &digit : unused.threadsLeft())
      if (below(8) != 0)
        replicas.push_back(digit);
    return makeDenseFragment(context_, dims, replicas);
  }

  Context &context_;
  std::mt19937 random_;
};

// Threads of one coordinate: the first copy, moved by every sum of digits of copies.
std::set<int64_t> threadsOf(const Layout &layout, llvm::ArrayRef<int64_t> coordinates) {
  std::set<int64_t> threads = {placeOf(layout, coordinates).thread};
  for (const Digit &digit : layout.replicas) {
    std::set<int64_t> moved;
    for (int64_t thread : threads)
      for (int64_t value = 0; value < digit.extent; ++value)
        moved.insert(thread + value * digit.stride);
    threads = moved;
  }
  return threads;
}

struct Truth {
  bool isHeld = true;          // who runs an iteration holds its element
  bool areAllCopiesRun = true; // and the other way round
};

// How many values a part has that is of no variable of the loop.
int64_t valuesOf(const IndexPart &part, llvm::ArrayRef<Digit> digits) {
  return std::min(part.extent, std::max<int64_t>(1, extentOf(digits) / part.weight));
}

// Every iteration with every element that it may touch: an index that is no variable of the loop
// is any.
Truth judge(const RandomAccess &made) {
  llvm::SmallVector<int64_t> extents;
  for (llvm::ArrayRef<Digit> digits : made.loop->dims)
    extents.push_back(extentOf(digits));
  for (auto [parts, digits] : llvm::zip_equal(made.access.axes, made.fragment->dims))
    for (const IndexPart &part : parts)
      if (!part.loopDim)
        extents.push_back(valuesOf(part, digits));
  int64_t total = 1;
  for (int64_t extent : extents)
    total *= extent;
  Truth truth;
  for (int64_t number = 0; number < total; ++number) {
    llvm::SmallVector<int64_t> values;
    int64_t rest = number;
    for (int64_t extent : extents) {
      values.push_back(rest % extent);
      rest /= extent;
    }
    size_t other = made.loop->dims.size();
    llvm::SmallVector<int64_t> element;
    bool exists = true;
    for (auto [digits, parts] : llvm::zip_equal(made.fragment->dims, made.access.axes)) {
      int64_t index = 0;
      for (const IndexPart &part : parts)
        index +=
            part.weight * (values[part.loopDim ? *part.loopDim : other++] / part.low % part.extent);
      element.push_back(index);
      exists &= index < extentOf(digits);
    }
    if (!exists)
      continue;
    std::set<int64_t> runners =
        threadsOf(*made.loop, llvm::ArrayRef(values).take_front(made.loop->dims.size()));
    std::set<int64_t> holders = threadsOf(*made.fragment, element);
    truth.isHeld &= std::includes(holders.begin(), holders.end(), runners.begin(), runners.end());
    truth.areAllCopiesRun &=
        std::includes(runners.begin(), runners.end(), holders.begin(), holders.end());
  }
  return truth;
}

TEST(Holders, AgreesWithEveryElementAndThread) {
  Context context;
  AccessGenerator generator(context, 1);
  int fine = 0;
  int elsewhere = 0;
  int stale = 0;
  for (int round = 0; round < 12000; ++round) {
    RandomAccess made = generator.next();
    Truth truth = judge(made);
    bool isHeld = whyNotHeld(made.access, *made.fragment, *made.loop).empty();
    ASSERT_TRUE(!isHeld || truth.isHeld)
        << toString(*made.fragment) << " in " << toString(*made.loop);
    if (!isHeld) {
      ++elsewhere;
      continue;
    }
    bool isStale = !whyCopiesStale(made.access, *made.fragment, *made.loop).empty();
    ASSERT_EQ(isStale, made.access.isWrite && !truth.areAllCopiesRun)
        << toString(*made.fragment) << " in " << toString(*made.loop);
    ++(isStale ? stale : fine);
  }
  EXPECT_GT(fine, 400);
  EXPECT_GT(elsewhere, 400);
  EXPECT_GT(stale, 400);
}

} // namespace
} // namespace tilescope
