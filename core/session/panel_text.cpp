#include "core/session/panel_text.h"

#include "core/driver/kernel_instances.h"

#include "llvm/Support/raw_ostream.h"

namespace tilescope {

ArgumentsView argumentsOf(const Trace &trace, const Selection &selection) {
  ArgumentsView view = buildArguments(trace, selection);
  llvm::Expected<std::vector<KernelInstance>> instances =
      instancesOfKernel(trace.header.fileText, trace.header.file);
  if (!instances) { // whoever compiles them reports it
    llvm::consumeError(instances.takeError());
    return view;
  }
  for (const KernelInstance &instance : *instances)
    view.instances.push_back({labelOf(instance), instance.function, instance.arguments,
                              instance.target, instance.passOptions});
  return view;
}

std::string panelText(llvm::StringRef panel, const ViewSources &sources) {
  if (panel != "arguments")
    return viewText(panel, sources);
  std::string text;
  llvm::raw_string_ostream out(text);
  print(argumentsOf(sources.trace, sources.selection), out);
  return text;
}

} // namespace tilescope
