// A program that takes tile after tile in a loop of unknown length, and begins its mbarriers anew
// in each iteration.
//
//   prefix
//   Loop tiles
//   |- Leaf: begins m
//   |- Loop steps              copies that m counts, and waits
//   |- Barrier                 quiet: all that came before is over, and all threads know that
//   `- Leaf: async read O      the tail, without mbarriers
//   suffix
//
// If every iteration is quiet at its last barrier, then what comes before one of these meets
// nothing that comes behind it, and these programs hold all that can meet:
//
//   prefix | suffix
//   prefix | tile | suffix
//   prefix | tile of least length | tile | suffix      each tile has mbarriers of its own
//
// A tile before the last two has left nothing but what all threads know. So has the first of two,
// however long its own loop: all that depends on that length is over where it is quiet.
//
// That an mbarrier begins anew where nobody still uses it is shown here, and that each thread which
// uses it knows that it has begun; that accesses are over, whoever compares them (`core/check`).
#pragma once

#include "core/access/happens_before.h"

namespace tilescope {

struct TileLoop {
  uint32_t loop = 0;  // a Loop, with one Seq in it
  uint32_t quiet = 0; // of the children of that: the last block barrier
};

struct TileProgram {
  AccessProgram program; // its first nodes are those of the program it was made of
  std::vector<uint32_t> quiet;
};

// Nothing: the program is none such.
std::optional<TileLoop> findTileLoop(const AccessProgram &program);
std::vector<TileProgram> programsOfTiles(const AccessProgram &program, const TileLoop &tiles);

// By the steps of a program of tiles, which has one lane and no gaps: at each of the barriers every
// thread knows that all steps before it are made, and all phases that were begun have ended; and
// each mbarrier has begun where it is used.
bool isQuiet(const TileProgram &tiles, const FollowedSteps &order);

// The program in which a loop has so many iterations, and what guards outside of it say is known.
AccessProgram withLength(const AccessProgram &program, uint32_t loop, int64_t length);

// Whether the node, or what stands in it, is more than accesses that threads make themselves.
bool synchronises(const AccessProgram &program, uint32_t index);

} // namespace tilescope
