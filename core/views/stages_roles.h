// Of `stages_model`: what each role of a block's warps does in which iteration of a pipelined loop.
#pragma once

#include "core/stages/role_texts.h"
#include "core/trace/trace_fields.h"
#include "core/views/view.h"

namespace tilescope {

// A phase of an mbarrier, as the role counts them (core/stages/role_loops.h).
struct RolePhase {
  int mbarrier = -1; // index into the program's; negative: none, or not known
  int64_t phase = -1;

  bool isKnown() const { return mbarrier >= 0 && phase >= 0; }
  friend bool operator==(const RolePhase &, const RolePhase &) = default;
};

struct StagesRoleRow {
  StmtId stmt;
  KernelLine sourceLine;
  std::string statement; // first IR line
  std::string text;      // "arrives at mbarrier[4..5], 128 threads"
  std::string brief;     // "arrives at mbarrier[4..5]"
  RoleAction action = RoleAction::Other;
  BufferId buffer; // of a copy, a read or a write; else invalid
  int hueDegrees = 0;
  std::vector<std::string> cells; // by column; see RolesLegend
  std::vector<int64_t> slots;     // by column, of `buffer`; -1: none, or not known
  std::vector<RolePhase> phases;  // by column, that it waits for or is a part of
  std::string mbarriers;          // of these: "mbarrier[4..5]"; "": none
  int64_t bytes = 0;              // that it expects; 0: not known
};

struct StagesRole {
  std::string function;
  StmtId loop;
  std::string text; // first IR line of the loop
  KernelLine sourceLine;
  std::string name;  // "role 1 of 2, 128 threads of 24 registers"
  size_t number = 1; // of the role, from 1
  size_t count = 1;
  int64_t threads = 0;   // 0: not known
  int64_t registers = 0; // that each thread asks for; 0: none
  int64_t numStages = 0;
  std::string trips; // "32", or an expression
  std::string refusal;
  std::vector<std::string> columns; // iterations that are shown; "...": those left out
  std::vector<StagesRoleRow> rows;
};

std::vector<StagesRole> buildStagesRoles(const PassState &state);
void print(const StagesRole &role, llvm::raw_ostream &out);

// "main_kernel, line 65, role 1 of 2, 128 threads".
std::string titleOf(const StagesRole &role);
// "2 stages, 6 iterations".
std::string headingOf(const StagesRole &role);

// What the cells mean, in one line.
extern const char *const RolesLegend;

template <typename Archive> void fields(Archive &archive, StagesRoleRow &row) {
  archive("stmt", row.stmt);
  lineFields(archive, row.sourceLine);
  archive("text", row.text);
  archive.always("cells", row.cells);
}

template <typename Archive> void fields(Archive &archive, StagesRole &role) {
  archive("function", role.function);
  archive("loop", role.loop);
  archive("text", role.text);
  lineFields(archive, role.sourceLine);
  archive.always("role", role.number);
  archive.always("roleCount", role.count);
  archive("threads", role.threads);
  archive("registers", role.registers);
  archive.always("numStages", role.numStages);
  archive("trips", role.trips);
  archive("refusal", role.refusal);
  archive("columns", role.columns);
  archive("rows", role.rows);
}

} // namespace tilescope
