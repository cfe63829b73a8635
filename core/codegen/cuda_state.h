// What the printers of a module and of one of its device functions share.
#pragma once

#include "core/analysis/tensor_maps.h"
#include "core/codegen/cuda_emitter.h"
#include "core/codegen/cuda_lines.h"
#include "core/codegen/cuda_names.h"
#include "core/codegen/cuda_uses.h"
#include "core/codegen/cuda_vars.h"
#include "core/codegen/prelude.h"

namespace tilescope {

struct CudaModuleState {
  Context &context;
  const Target &target;
  const SourceFiles &files;
  const CudaOptions &options;
  HelperSet helpers;
  CudaNameScope names; // of the file
};

struct CudaFunctionState {
  CudaModuleState &module;
  const Function &function;
  const Launch &launch;
  const CudaUses uses;
  const std::vector<BoxedTensor> tensorMaps;
  std::vector<std::string> tensorMapNames; // of the parameters; empty: not yet declared
  CudaNameScope names;                     // of the function
  CudaVars vars{names};
  CudaLines lines{names};
};

} // namespace tilescope
