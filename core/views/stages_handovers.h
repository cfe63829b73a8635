// Of `stages_model`: which role waits for which, at the mbarriers of pipelined loops.
//
//     role 2   arrives at full[0..1]   [0] 0   [1] 0
//                                        v       v
//     role 1   waits for full[0..1]    [0] 0   [1] 0
#pragma once

#include "core/views/stages_roles.h"

namespace tilescope {

// Columns of a phase that a role ends by arriving and another waits for.
struct StagesPhase {
  size_t arrivalColumn = 0, waitColumn = 0;
};

struct StagesHandoverEnd {
  size_t role = 0, row = 0; // indices into those of the view
  size_t number = 1;        // of the role
  KernelLine sourceLine;
};

struct StagesHandover {
  std::string function;
  std::string mbarriers; // "K_shared_full[0..1]"
  int64_t bytes = 0;     // that copies bring in each phase; 0: none, or not known
  StagesHandoverEnd arrival, wait;
  std::vector<StagesPhase> phases; // by column of the arrival
};

// By arrival, in the order of the roles and their rows.
std::vector<StagesHandover> handoversOf(llvm::ArrayRef<StagesRole> roles);
// Both, with what their cells mean; nothing where there are no roles.
void print(llvm::ArrayRef<StagesRole> roles, llvm::ArrayRef<StagesHandover> handovers,
           llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, StagesHandoverEnd &end) {
  archive("role", end.number);
  lineFields(archive, end.sourceLine);
}

template <typename Archive> void fields(Archive &archive, StagesHandover &handover) {
  archive("function", handover.function);
  archive("mbarriers", handover.mbarriers);
  archive("bytes", handover.bytes);
  archive("arrival", handover.arrival);
  archive("wait", handover.wait);
}

} // namespace tilescope
