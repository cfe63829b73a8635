#include "cli/saved_tensors.h"

#include "cli/command.h"
#include "core/exec/npy.h"

#include "llvm/Support/FileSystem.h"

namespace tilescope {

llvm::Error saveTensors(const Problem &problem, const std::map<BufferId, Tensor> &outputs,
                        const std::string &folder) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError("cannot make the folder '" + folder + "': " + code.message());
  auto save = [&](BufferId id, llvm::StringRef when, const Tensor &tensor) {
    return writeFile((folder + "/" + problem.function->buffer(id).name + when).str(),
                     npyOf(tensor));
  };
  for (const auto &[id, tensor] : problem.memory.tensors)
    if (llvm::Error error = save(id, ".before.npy", tensor))
      return error;
  for (const auto &[id, tensor] : outputs)
    if (llvm::Error error = save(id, ".after.npy", tensor))
      return error;
  return llvm::Error::success();
}

} // namespace tilescope
