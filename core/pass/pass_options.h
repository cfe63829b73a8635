// The text of a pass pipeline: `a,b{x=1,y=true},c`. Parsed here and nowhere else.
#pragma once

#include "core/pass/pass.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// The error names what is wrong and lists the choices.
llvm::Expected<std::vector<PassInstance>> parsePassPipeline(llvm::StringRef text,
                                                            llvm::ArrayRef<PassInfo> registry);

} // namespace tilescope
