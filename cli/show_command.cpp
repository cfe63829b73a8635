// show: any view as text or JSON.
#include "cli/command.h"

#include "core/exports/arena_svg.h"
#include "core/exports/lifetimes_svg.h"
#include "viewer/model/arena_model.h"
#include "viewer/model/cuda_model.h"
#include "viewer/model/findings_model.h"
#include "viewer/model/ir_model.h"
#include "viewer/model/lifetimes_model.h"
#include "viewer/model/passes_model.h"
#include "viewer/model/remarks_model.h"
#include "viewer/model/stages_model.h"

#include "llvm/Support/WithColor.h"

namespace tilescope {

namespace {

struct View {
  llvm::StringRef name;
  llvm::StringRef help;
  void (*print)(const Trace &, const Selection &, llvm::raw_ostream &);
  Json (*json)(const Trace &, const Selection &);
};

const View Views[] = {
#define MODEL(name, Type, help)                                                                    \
  {name, help,                                                                                     \
   [](const Trace &trace, const Selection &selection, llvm::raw_ostream &out) {                    \
     print(build##Type(trace, selection), out);                                                    \
   },                                                                                              \
   [](const Trace &trace, const Selection &selection) {                                            \
     return toJson(build##Type(trace, selection));                                                 \
   }},
#include "viewer/model/models.def"
};

std::string drawArenas(const Trace &trace, const Selection &selection) {
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  std::vector<ArenaPicture> pictures;
  for (const ArenaRecord &arena : *snapshot.arenas) {
    ArenaPicture &picture = pictures.emplace_back(arenaPictureOf(trace, snapshot, arena));
    picture.title += ", after " + selectedPass(trace, selection).name;
    picture.caption = certificateText(arena);
    if (std::optional<OccupancyView> occupancy = occupancyOf(trace, arena))
      picture.caption += "; " + toText(*occupancy);
  }
  return arenaSvg(pictures);
}

std::string drawLifetimes(const Trace &trace, const Selection &selection) {
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  std::vector<LifetimesPicture> pictures;
  for (const AccessRecord &accesses : *snapshot.accesses) {
    pictures.push_back(lifetimesPictureOf(trace, snapshot, accesses));
    pictures.back().title += ", after " + selectedPass(trace, selection).name;
  }
  return lifetimesSvg(pictures);
}

llvm::Expected<std::string> draw(llvm::StringRef view, const Trace &trace,
                                 const Selection &selection) {
  if (view == "arena")
    return drawArenas(trace, selection);
  if (view == "lifetimes")
    return drawLifetimes(trace, selection);
  return llvm::createStringError("view '" + view + "' has no picture; arena and lifetimes have");
}

std::string overview() {
  std::string text =
      "Prints a view of a trace, or of a kernel that it compiles for the purpose.\n\n";
  for (const View &view : Views)
    text += llvm::formatv("  {0,-10} {1}\n", view.name, view.help).str();
  return text + "\nIR to be edited and resumed is printed by 'tilescope opt --tagged'.\n"
                "\n  tilescope show arena gemm.trace --pass merge-shared-memory --format json\n"
                "  tilescope show arena gemm.py:matmul --set M=1024 --previous old.trace\n";
}

} // namespace

int runShow(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope show");
  llvm::cl::opt<std::string> what(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("VIEW"),
                                  llvm::cl::cat(category));
  TraceOptions source(category);
  AfterPassOption pass(category, "State after this pass (default: the last)");
  FormatOption format(category, /*draws=*/true);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, overview()))
    return *exitCode;

  const View *view = llvm::find_if(Views, [&](const View &v) { return v.name == what; });
  if (view == std::end(Views))
    return report(llvm::createStringError("no view '" + what + "'; see 'tilescope show --help'"));
  llvm::Expected<Trace> trace = source.load();
  if (!trace)
    return report(trace.takeError());
  Selection selection;
  llvm::Expected<size_t> index = pass.select(*trace, trace->passes.size() - 1);
  if (!index)
    return report(index.takeError());
  selection.pass = *index;
  if (format.isJson())
    return report(writeFile("-", dumpJson(view->json(*trace, selection))));
  if (format.isSvg()) {
    llvm::Expected<std::string> picture = draw(view->name, *trace, selection);
    return report(picture ? writeFile("-", *picture) : picture.takeError());
  }
  TerminalText out(llvm::outs());
  view->print(*trace, selection, out);
  return Fine;
}

} // namespace tilescope
