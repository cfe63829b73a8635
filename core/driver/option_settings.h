// The options of the passes of a pipeline, each by one name: "inject-pipeline.peel-epilogue". The
// pass is called as patch.h calls it, so "simplify#2" is the second that runs.
#pragma once

#include "core/pass/pass.h"
#include "core/trace/trace.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// Sets each over what the pipeline has. The error names what is wrong and lists the choices.
llvm::Error applyPassOptions(llvm::MutableArrayRef<PassInstance> pipeline,
                             llvm::ArrayRef<std::pair<std::string, std::string>> settings);

// Whether the default pipeline of the target takes them.
llvm::Error checkPassOptions(const Target &target,
                             llvm::ArrayRef<std::pair<std::string, std::string>> settings);

// All of them, in the order in which the passes end.
std::vector<TraceParameter> passOptionsOf(llvm::MutableArrayRef<PassInstance> pipeline);

// Those of the default pipeline of the target, with their defaults.
std::vector<TraceParameter> defaultPassOptions(const Target &target);

// What an option, named as in passOptionsOf, does: one line; "": this program has no such pass.
std::string helpOfPassOption(llvm::StringRef name);

// The passes that there are, in the order of the default pipeline.
std::vector<std::string> namesOfPasses();

} // namespace tilescope
