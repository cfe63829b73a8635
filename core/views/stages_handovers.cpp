#include "core/views/stages_handovers.h"

#include "core/support/number_text.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Of copies that the role counts at the same mbarriers.
int64_t expectedBytes(const StagesRole &role, const StagesRoleRow &arrival) {
  auto counts = [&](const StagesRoleRow &row) {
    return row.action == RoleAction::Expects && row.mbarriers == arrival.mbarriers;
  };
  auto expects = llvm::find_if(role.rows, counts);
  return expects == role.rows.end() ? 0 : expects->bytes;
}

std::vector<StagesPhase> phasesOf(const StagesRoleRow &arrival, const StagesRoleRow &wait) {
  std::vector<StagesPhase> phases;
  for (auto [arrives, phase] : llvm::enumerate(arrival.phases)) {
    auto ends = phase.isKnown() ? llvm::find(wait.phases, phase) : wait.phases.end();
    if (ends != wait.phases.end())
      phases.push_back({arrives, static_cast<size_t>(ends - wait.phases.begin())});
  }
  return phases;
}

StagesHandoverEnd endOf(llvm::ArrayRef<StagesRole> roles, size_t role, size_t row) {
  return {role, row, roles[role].number, roles[role].rows[row].sourceLine};
}

void addHandovers(llvm::ArrayRef<StagesRole> roles, size_t from, size_t arrival,
                  std::vector<StagesHandover> &handovers) {
  const StagesRoleRow &arrives = roles[from].rows[arrival];
  for (auto [to, role] : llvm::enumerate(roles)) {
    if (role.number == roles[from].number || role.function != roles[from].function)
      continue;
    for (auto [wait, row] : llvm::enumerate(role.rows)) {
      if (row.action != RoleAction::Waits)
        continue;
      std::vector<StagesPhase> phases = phasesOf(arrives, row);
      if (!phases.empty())
        handovers.push_back({role.function, arrives.mbarriers, expectedBytes(roles[from], arrives),
                             endOf(roles, from, arrival), endOf(roles, to, wait),
                             std::move(phases)});
    }
  }
}

std::string text(const StagesHandoverEnd &end) {
  return "role " + std::to_string(end.number) + lineText(", line ", end.sourceLine);
}

} // namespace

std::vector<StagesHandover> handoversOf(llvm::ArrayRef<StagesRole> roles) {
  std::vector<StagesHandover> handovers;
  for (auto [from, role] : llvm::enumerate(roles))
    for (auto [arrival, row] : llvm::enumerate(role.rows))
      if (row.action == RoleAction::Arrives)
        addHandovers(roles, from, arrival, handovers);
  return handovers;
}

static void print(llvm::ArrayRef<StagesHandover> handovers, llvm::raw_ostream &out) {
  out << '\n';
  std::vector<std::vector<std::string>> rows{{"  mbarriers", "who arrives", "bytes", "who waits"}};
  for (const StagesHandover &handover : handovers)
    rows.push_back({"  " + handover.mbarriers, text(handover.arrival),
                    handover.bytes > 0 ? groupedNumber(handover.bytes) : "-", text(handover.wait)});
  printTable(out, rows, rows[0].size());
}

void print(llvm::ArrayRef<StagesRole> roles, llvm::ArrayRef<StagesHandover> handovers,
           llvm::raw_ostream &out) {
  if (!roles.empty())
    out << RolesLegend << '\n';
  for (const StagesRole &role : roles) {
    out << '\n';
    print(role, out);
  }
  if (!handovers.empty())
    print(handovers, out);
}

} // namespace tilescope
