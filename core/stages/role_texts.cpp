#include "core/stages/role_texts.h"

#include "core/support/number_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

namespace {

using Kind = AccessNode::Kind;

const std::string &mbarrierName(const AccessProgram &program, int number) {
  return program.mbarriers[static_cast<size_t>(number)].name;
}

// "[4]" of "mbarrier[4]".
llvm::StringRef indexOf(llvm::StringRef name) {
  size_t at = name.find('[');
  return at == llvm::StringRef::npos ? name : name.substr(at);
}

std::string threadsText(int64_t threads) {
  return threads == 1 ? "1 thread" : threads > 1 ? std::to_string(threads) + " threads" : "";
}

RoleText accessText(const FacetState &state, const AccessProgram &program, const RoleRow &row,
                    RoleAction action) {
  const Access &access = program.nodes[row.node].accesses[row.access];
  const BufferRecord *buffer = state.declaration(access.buffer);
  std::string name = buffer ? buffer->name : "?";
  if (action == RoleAction::Reads)
    return {"reads " + name, ""};
  if (action == RoleAction::Writes)
    return {"writes " + name, ""};
  return {"copies to " + name,
          access.mbarrier ? "counted by " + mbarriersOf(program, row) : std::string()};
}

} // namespace

std::string mbarriersOf(const AccessProgram &program, const RoleRow &row) {
  std::set<int> numbers;
  for (const RoleStep &step : row.steps)
    if (step.mbarrier)
      numbers.insert(*step.mbarrier);
  if (numbers.empty())
    return "an mbarrier";
  llvm::StringRef first = mbarrierName(program, *numbers.begin());
  llvm::StringRef last = mbarrierName(program, *numbers.rbegin());
  bool isRange = *numbers.rbegin() - *numbers.begin() + 1 == static_cast<int>(numbers.size());
  llvm::StringRef array = first.take_until([](char c) { return c == '['; });
  if (numbers.size() == 1)
    return first.str();
  if (isRange && first.size() > array.size() && last.starts_with(array))
    return (first.drop_back() + ".." + indexOf(last).drop_front()).str();
  std::vector<std::string> names;
  names.reserve(numbers.size());
  for (int number : numbers)
    names.push_back(mbarrierName(program, number));
  return llvm::join(names, ", ");
}

RoleAction actionOf(const AccessProgram &program, const RoleRow &row) {
  const AccessNode &node = program.nodes[row.node];
  if (row.access != RoleRow::NoAccess) {
    const Access &access = node.accesses[row.access];
    return access.kind == AccessKind::Read ? RoleAction::Reads
           : access.async                  ? RoleAction::Copies
                                           : RoleAction::Writes;
  }
  switch (node.kind) {
  case Kind::WaitPhase:
  case Kind::Wait:
    return RoleAction::Waits;
  case Kind::Expect:
    return RoleAction::Expects;
  case Kind::Arrive:
    return RoleAction::Arrives;
  case Kind::Barrier:
  case Kind::NamedBarrier:
    return RoleAction::Meets;
  default:
    return RoleAction::Other;
  }
}

RoleText textOf(const FacetState &state, const RoleLoop &loop, const RoleRow &row) {
  const AccessProgram &program = loop.accesses->program;
  const AccessNode &node = program.nodes[row.node];
  RoleAction action = actionOf(program, row);
  switch (action) {
  case RoleAction::Waits:
    if (node.kind == Kind::WaitPhase)
      return {"waits for " + mbarriersOf(program, row), ""};
    return {node.queue == CopyQueue ? "waits for its copies"
                                    : "waits for what it does asynchronously",
            ""};
  case RoleAction::Meets:
    if (node.kind == Kind::NamedBarrier)
      return {llvm::formatv("meets at barrier {0}", node.barrierId), ""};
    return {"meets at a barrier", ""};
  case RoleAction::Expects:
    return {"expects " + (node.bytes > 0 ? groupedNumber(node.bytes) + " bytes" : "bytes") +
                " at " + mbarriersOf(program, row),
            ""};
  case RoleAction::Arrives:
    return {"arrives at " + mbarriersOf(program, row),
            threadsText(node.oneThread ? 1 : loop.threads)};
  case RoleAction::Copies:
  case RoleAction::Writes:
  case RoleAction::Reads:
    return accessText(state, program, row, action);
  case RoleAction::Other:
    return {};
  }
  return {};
}

std::string stepText(const AccessProgram &program, const RoleRow &row, const RoleStep &step) {
  const AccessNode &node = program.nodes[row.node];
  if (row.access != RoleRow::NoAccess)
    return "slot " + (step.slot ? std::to_string(*step.slot) : "?");
  if (node.kind == Kind::Wait)
    return node.pending > 0 ? llvm::formatv("all but {0}", node.pending).str() : "all";
  if (!node.mbarrier)
    return "x";
  if (!step.mbarrier)
    return "?";
  std::string phase = step.passesAtOnce ? "-" : step.phase ? std::to_string(*step.phase) : "?";
  return (indexOf(mbarrierName(program, *step.mbarrier)) + " " + phase).str();
}

std::string roleName(const FacetState &state, const RoleLoop &loop) {
  std::string name = llvm::formatv("role {0} of {1}", loop.lane + 1, loop.laneCount);
  if (std::string threads = threadsText(loop.threads); !threads.empty())
    name += ", " + threads;
  if (int64_t registers = registersOf(state, loop))
    name += llvm::formatv(" of {0} registers", registers);
  return name;
}

int64_t registersOf(const FacetState &state, const RoleLoop &loop) {
  for (const LaunchRecord &launch : state.compile().launches)
    if (launch.kernel == loop.accesses->function && launch.roleRegisters.size() == loop.laneCount)
      return launch.roleRegisters[loop.lane].registers;
  return 0;
}

} // namespace tilescope
