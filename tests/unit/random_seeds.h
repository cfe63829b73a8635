// How many random programs a test takes.
//
// The sanitizer's build is several times slower and asks something else of a program: whether
// memory is touched that must not be. A sixth of the programs shows that; what they compute is
// compared over all of them in the other builds.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define TILESCOPE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILESCOPE_SANITIZED 1
#endif
#endif

namespace tilescope::test {

#ifdef TILESCOPE_SANITIZED
inline constexpr int SeedShare = 6;
#else
inline constexpr int SeedShare = 1;
#endif

constexpr unsigned seedsOf(int all) { return all / SeedShare; }
// What at least is met among them, of what is met among all; half of its share, since few programs
// scatter more.
template <typename Count> constexpr Count ofSeeds(Count least) {
  return SeedShare == 1 ? least : least / (2 * SeedShare);
}

} // namespace tilescope::test
