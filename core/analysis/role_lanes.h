// How the roles of a launch divide its threads into lanes, which run at the same time.
//
//     T.copy(Q, Q_shared)              of all threads
//     with T.ws(0): ...                lane 0: threads [0, 128)
//     for k in serial(n):              of each lane, with the role in it that is its own
//       with T.ws(0): ...
//       with T.ws(1, 2): ...           lane 1: threads [128, 384)
//     T.copy(O_shared, O)              of all threads
#pragma once

#include "core/analysis/access_builder.h"

#include <vector>

namespace tilescope {

struct RoleLane {
  int64_t firstThread = 0;
  int64_t threads = 0;

  // Whether its threads do what the role says; others of the block may as well.
  bool isOf(const Role &role) const {
    return role.firstThread <= firstThread && firstThread + threads <= role.endThread();
  }
};

struct RoleLanes {
  std::vector<RoleLane> lanes; // by their first thread, all threads of the block; empty: no roles
  // Of the statements those that lanes have for themselves: from the first that holds a role to the
  // last.
  size_t begin = 0;
  size_t end = 0;
};

// `stmts`: the body of the launch.
RoleLanes roleLanesOf(const Launch &launch, StmtList stmts);

// What the threads of a role do by themselves, as a program of its own: the lane of a tree, less
// what stands before and behind the roles. `tree` has lanes, of a launch with the role.
AccessTree laneOf(const AccessTree &tree, const Role &role);

} // namespace tilescope
