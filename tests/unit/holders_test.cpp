#include "core/analysis/layouts/holders.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tilescope {
namespace {

TEST(Holders, ComparesThreadsOnly) {
  Context context;
  const Layout *loop = parseLayout(context, "fragment(2@r2 8@t4 | 4@t1 2@r1)");
  auto reason = [&](llvm::ArrayRef<std::optional<size_t>> loopDims, llvm::StringRef fragment) {
    FragmentAccess access;
    access.loopDims.assign(loopDims.begin(), loopDims.end());
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
    FragmentAccess access;
    access.isWrite = isWrite;
    access.loopDims.assign(loopDims.begin(), loopDims.end());
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
      made.access.loopDims.push_back(below(4) == 0 ? std::nullopt
                                                   : std::optional<size_t>(below(loopRank)));
    made.fragment = below(4) == 0 ? unrelated(rank) : followed(*made.loop, made.access.loopDims);
    return made;
  }

  size_t below(size_t bound) { return random_() % bound; }

private:
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
  const Layout *followed(const Layout &loop, llvm::ArrayRef<std::optional<size_t>> loopDims) {
    std::vector<DigitList> dims;
    DigitList replicas(loop.replicas);
    std::set<size_t> used;
    for (std::optional<size_t> loopDim : loopDims) {
      dims.push_back(loopDim ? DigitList(loop.dims[*loopDim]) : DigitList{{2, false, 1 << 10}});
      if (loopDim)
        used.insert(*loopDim);
    }
    for (size_t dim = 0; dim < loop.dims.size(); ++dim)
      for (const Digit &digit : loop.dims[dim])
        if (digit.onThread && !used.count(dim) && below(8) != 0)
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

// Every iteration with every element that it may touch: an index that is no variable of the loop
// is any.
Truth judge(const RandomAccess &made) {
  llvm::SmallVector<int64_t> extents;
  for (llvm::ArrayRef<Digit> digits : made.loop->dims)
    extents.push_back(extentOf(digits));
  for (auto [dim, digits] : llvm::enumerate(made.fragment->dims))
    if (!made.access.loopDims[dim])
      extents.push_back(extentOf(digits));
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
    for (auto [digits, loopDim] : llvm::zip_equal(made.fragment->dims, made.access.loopDims)) {
      element.push_back(values[loopDim ? *loopDim : other++]);
      exists &= element.back() < extentOf(digits);
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
  for (int round = 0; round < 4000; ++round) {
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
