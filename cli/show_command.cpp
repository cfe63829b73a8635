// show: any view as text or JSON.
#include "cli/command.h"

#include "core/trace/trace_reader.h"
#include "viewer/model/arena_model.h"
#include "viewer/model/cuda_model.h"
#include "viewer/model/findings_model.h"
#include "viewer/model/ir_model.h"
#include "viewer/model/lifetimes_model.h"
#include "viewer/model/passes_model.h"
#include "viewer/model/remarks_model.h"

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

std::string overview() {
  std::string text =
      "Prints a view of a trace, or of a kernel that it compiles for the purpose.\n\n";
  for (const View &view : Views)
    text += llvm::formatv("  {0,-10} {1}\n", view.name, view.help).str();
  return text + "\n  tilescope show arena gemm.trace --pass merge-shared-memory --format json\n";
}

} // namespace

int runShow(CommandLine commandLine) {
  llvm::cl::OptionCategory category("tilescope show");
  llvm::cl::opt<std::string> what(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("VIEW"),
                                  llvm::cl::cat(category));
  TraceOptions source(category);
  AfterPassOption pass(category, "State after this pass (default: the last)");
  FormatOption format(category);
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
  view->print(*trace, selection, llvm::outs());
  return Fine;
}

} // namespace tilescope
