#include "core/trace/register_use.h"

#include "core/support/number_text.h"
#include "core/trace/trace_queries.h"

namespace tilescope {

RegisterUse registerUseOf(const Trace &trace, const ArenaRecord &arena, const Target &target) {
  BlockDemand demand = demandOf(trace, arena, target);
  RegisterUse use;
  use.registersOfThread = demand.registersOfThread;
  std::map<std::string, int64_t> spillBytes = spillBytesOf(trace);
  if (auto known = spillBytes.find(arena.function); known != spillBytes.end())
    use.spillBytes = known->second;
  if (use.isKnown() && demand.threads > 0)
    use.blocksWithRegisters = blocksPerSm(target, demand);
  return use;
}

static std::string changeOf(std::optional<int64_t> before, std::optional<int64_t> after) {
  auto text = [](std::optional<int64_t> figure) { return figure ? groupedNumber(*figure) : "?"; };
  return before == after ? text(after) : text(before) + " -> " + text(after);
}

std::string changeText(const RegisterUse &before, const RegisterUse &after) {
  if (!before.isKnown() && !after.isKnown())
    return "";
  auto known = [](const RegisterUse &use, int64_t figure) {
    return use.isKnown() ? std::optional(figure) : std::nullopt;
  };
  std::string text =
      changeOf(known(before, before.registersOfThread), known(after, after.registersOfThread)) +
      " registers of a thread";
  if (before.blocksWithRegisters || after.blocksWithRegisters)
    text += ", " + changeOf(before.blocksWithRegisters, after.blocksWithRegisters) +
            " blocks/SM with them";
  if (before.spillBytes > 0 || after.spillBytes > 0)
    text += ", " + changeOf(known(before, before.spillBytes), known(after, after.spillBytes)) +
            " bytes spilled";
  return text;
}

} // namespace tilescope
