// What can be said about a kernel file without running it: its kernels and their parameters.
#pragma once

#include "core/frontend/evaluation.h"
#include "core/frontend/frontend.h"

namespace tilescope::frontend {

// A jitted function that is itself the kernel: it launches and defines no prim_func.
bool isEagerKernel(const ast::FunctionDefStmt &def);
// Whether an eager kernel's parameter is a tensor: it has no default and is annotated as one, in
// the signature or in the body (`A: T.Tensor(...)`).
bool isTensorParam(const ast::FunctionDefStmt &def, const ast::Param &param);
std::vector<KernelInfo> findKernels(Evaluation &evaluation, const ast::Module &module,
                                    const SourceFiles &files);
// The parameters of a kernel named by a dotted path, whether or not it is listed.
std::optional<KernelInfo> findKernel(Evaluation &evaluation, const ast::Module &module,
                                     const SourceFiles &files, llvm::StringRef path);

} // namespace tilescope::frontend
