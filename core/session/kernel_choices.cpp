#include "core/session/kernel_choices.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

std::vector<Preset> KernelChoices::of(const CompileRequest &request, const Requested &now,
                                      llvm::ArrayRef<Preset> instances) {
  if (text_ != request.text) {
    text_ = request.text;
    kernels_ = kernelsOfFile(request.path, request.text);
  }
  std::vector<Preset> choices;
  for (const ListedKernel &kernel : kernels_) {
    Preset choice{kernel.path, now};
    choice.requested.function = kernel.path;
    choice.requested.edits.clear();
    llvm::erase_if(choice.requested.arguments, [&](const auto &argument) {
      return !llvm::is_contained(kernel.parameters, argument.first);
    });
    const auto *listed = llvm::find_if(instances, [&](const Preset &instance) {
      return isNamed(kernel, instance.requested.function);
    });
    if (choice.requested.arguments.empty() && listed != instances.end())
      choice.requested.arguments = listed->requested.arguments;
    choices.push_back(std::move(choice));
  }
  return choices;
}

} // namespace tilescope
