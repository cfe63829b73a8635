// The kernel that tagged IR text was made from, where the text holds it, at its end:
//
//     #@ kernel="gemm.py"
//     #| import tilelang
//     #| ...
//
// Spans in tags then point into that file, wherever the text is read.
#pragma once

#include "core/support/source.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilescope {

std::optional<SourceFile> kernelSourceIn(llvm::StringRef irText);
// The lines that say so. A carriage return in the text is left out.
std::string printKernelSource(const SourceFile &kernel);

} // namespace tilescope
