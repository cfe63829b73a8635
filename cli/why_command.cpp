// why: what fixes a buffer's place, why two do not share bytes, what makes the peak.
#include "cli/command.h"
#include "cli/device_usage.h"

#include "core/json/json_value.h"
#include "core/views/peak_model.h"
#include "core/views/why_buffer_model.h"
#include "core/views/why_launch_model.h"
#include "core/views/why_pair_model.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr const char *WhyOverview =
    "Explains the shared memory of a trace, or of a kernel that it compiles for the purpose.\n\n"
    "  A B      why buffers A and B share bytes, or do not: the points at which both are live\n"
    "  A        what fixes the offset of A: what it stands on, padding, who shares its bytes\n"
    "  --peak   what makes the arena as high as it is, and single changes that would lower it\n\n"
    "Without --pass it explains the final plan; if there is none, the last preview, and says so.\n"
    "Buffers are named as in 'show arena', or as FUNCTION/NAME where several have one name.\n\n"
    "  tilescope why gemm.trace A_shared B_shared\n"
    "  tilescope why gemm.py:matmul --set M=1024 --peak --format json\n"
    "  tilescope why gemm.py:matmul --set M=1024 --plan-for occupancy --peak\n"
    "  tilescope why gemm.trace --peak --ptxas    # registers limit blocks, too\n";

template <typename View> int print(const View &view, bool asJson) {
  if (asJson)
    return report(writeFile("-", dumpJson(toJson(view))));
  TerminalText out(llvm::outs());
  print(view, out);
  return Fine;
}

int explainBuffers(const PassState &state, const std::vector<std::string> &names, bool asJson) {
  bool isAboveThePlan =
      llvm::any_of(names, [&](const std::string &name) { return isSizedAtLaunch(state, name); });
  if (isAboveThePlan) {
    llvm::Expected<WhyLaunchView> view = buildWhyLaunch(state, names);
    return view ? print(*view, asJson) : report(view.takeError());
  }
  std::vector<ArenaBufferPlace> places;
  for (const std::string &name : names) {
    llvm::Expected<ArenaBufferPlace> place = findArenaBuffer(state, name);
    if (!place)
      return report(place.takeError());
    places.push_back(*place);
  }
  const FunctionState &function = *places[0].function;
  if (places.size() == 1)
    return print(buildWhyBuffer(state, function, places[0].id), asJson);
  if (places[1].function != &function)
    return report(llvm::createStringError("'" + names[0] + "' is of " + function.name + ", '" +
                                          names[1] + "' of " + places[1].function->name +
                                          ": each kernel has an arena of its own"));
  if (places[0].id == places[1].id)
    return report(llvm::createStringError("'" + names[0] + "' and '" + names[1] +
                                          "' are one buffer: name another"));
  return print(buildWhyPair(state, function, places[0].id, places[1].id), asJson);
}

} // namespace

int runWhy(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope why");
  TraceOptions source(category);
  llvm::cl::list<std::string> buffers(llvm::cl::Positional, llvm::cl::desc("[BUFFER [BUFFER]]"),
                                      llvm::cl::cat(category));
  llvm::cl::opt<bool> peak("peak", llvm::cl::desc("Explain the height of the arena"),
                           llvm::cl::cat(category));
  PtxasOption ptxas(category);
  AfterPassOption pass(category, "Plan after this pass (default: the final one)");
  FormatOption format(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, WhyOverview))
    return *exitCode;
  if (peak ? !buffers.empty() : buffers.empty() || buffers.size() > 2)
    return report(llvm::createStringError("why wants one or two buffers, or --peak"));
  if (ptxas.isGiven() && !peak)
    return report(llvm::createStringError("--ptxas goes with --peak, which counts blocks per SM"));
  llvm::Expected<Trace> trace = source.load();
  if (!trace)
    return report(trace.takeError());
  if (llvm::Error error = ptxas.addTo(*trace))
    return report(std::move(error));
  llvm::Expected<size_t> index = pass.select(*trace, lastPlannedPass(*trace));
  if (!index)
    return report(index.takeError());
  PassState state(*trace, *index);
  int exitCode = peak ? print(buildPeak(state), format.isJson())
                      : explainBuffers(state, buffers, format.isJson());
  return exitCode == Fine ? source.exitCode() : exitCode;
}

} // namespace tilescope
