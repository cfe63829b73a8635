// What the blocks of one launch have in common, and one block while it runs.
#pragma once

#include "core/exec/block_frame.h"
#include "core/exec/box_stores.h"
#include "core/exec/claims.h"
#include "core/exec/cluster_meeting.h"
#include "core/exec/mbarriers.h"
#include "core/exec/proxy_fences.h"
#include "core/exec/releases.h"
#include "core/exec/shared_memory.h"
#include "core/exec/step_recorder.h"
#include "core/exec/wgmma_product.h"

namespace tilescope {

// Tensors, and what is known of their elements.
struct GlobalState {
  GlobalMemory &memory;
  std::map<BufferId, Shadow> shadows; // of tensors that the launch writes
  Claims claims;                      // of threads of the CPU; empty where there is one
};

// What the blocks of one thread of the CPU share.
struct LaunchState {
  const Function &function;
  GlobalState &global;
  Findings &findings;
  // Barriers stand where they are needed; else threads meet after each statement.
  bool hasBarriers = false;
  // Conditions stand where an access may be outside of a tensor; else such a read gives 0, and such
  // a write does nothing.
  bool isGuarded = false;
  uint32_t worker = 0;           // the thread of the CPU
  bool hasNamedBarriers = false; // of some threads: warps know of each other
  bool hasReleases = false;      // by atomics: blocks know of each other
  Releases releases = {};

  // Whether an element of a tensor is no other worker's. What is must be left alone: the launch is
  // run again by one worker then.
  bool mayTouch(BufferId tensor, size_t element) const {
    return global.claims.take(tensor, element, worker);
  }
};

class ThreadGroup;

// A barrier of some threads: who has arrived since it was last complete.
struct NamedMeeting {
  int64_t threads = 0; // that it takes
  int64_t arrived = 0;
  WarpKnowledge known = {}; // by those who have arrived
  llvm::SmallVector<ThreadGroup *> waiting;
};

struct BlockState {
  LaunchState &launch;
  int64_t block = 0;
  SharedMemory shared;
  llvm::DenseMap<uint32_t, Number> uniform; // variables that are equal in all threads, by id
  int64_t threads = 0;
  std::map<uint32_t, int64_t> votes = {};     // at barriers, by their number
  std::map<int64_t, NamedMeeting> named = {}; // that some have arrived at
  uint32_t tick = 1;                          // Moment::tick
  BlockKnowledge knowledge = {};
  BlockKnowledge readKnowledge = {}; // of what was read elsewhere
  WgmmasInFlight products = {};
  BoxStoresInFlight boxStores = {};
  ProxyFences fences = {};
  Mbarriers mbarriers = {};
  StepRecorder *steps = nullptr;     // null: what it does is not recorded
  ClusterMeeting *cluster = nullptr; // null: its blocks do not wait for each other
  int64_t rank = 0;                  // in its cluster
  // What other blocks do to its memory: the block must not have ended by then.
  Shadow reached = Shadow(/*units=*/1, /*isWritten=*/true);
};

} // namespace tilescope
