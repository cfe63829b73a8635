// The text of a pass pipeline: `a,b{x=1,y=true},tidy(c,d)`. Parsed here and nowhere else. `tidy` is
// no pass: it names a group of passes, which observers see as one execution around theirs.
#pragma once

#include "core/pass/pass.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// The error names what is wrong and lists the choices.
llvm::Expected<std::vector<PassInstance>> parsePassPipeline(llvm::StringRef text,
                                                            llvm::ArrayRef<PassInfo> registry);

// One line a pass, in the order of the registry, and below it one line an option with its default.
std::string describePasses(llvm::ArrayRef<PassInfo> registry);

} // namespace tilescope
