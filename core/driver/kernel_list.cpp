#include "core/driver/kernel_list.h"

#include "core/frontend/frontend.h"
#include "core/syntax/parser.h"

namespace tilescope {

std::vector<ListedKernel> kernelsOfFile(const std::string &path, const std::string &text) {
  SourceFiles files;
  Diagnostics unread;
  std::unique_ptr<ast::Module> module = parseModule(files.add(path, text), files, unread);
  std::vector<ListedKernel> listed;
  if (unread.hasErrors())
    return listed;
  for (const KernelInfo &kernel : listKernels(*module, files)) {
    listed.push_back({kernel.path, {}});
    for (const KernelParameter &parameter : kernel.parameters)
      listed.back().parameters.push_back(parameter.name);
  }
  return listed;
}

bool isNamed(const ListedKernel &kernel, llvm::StringRef function) {
  llvm::StringRef path = kernel.path;
  return path == function || (path.consume_front(function) && path.starts_with("."));
}

} // namespace tilescope
