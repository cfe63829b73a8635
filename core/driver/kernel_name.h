// Kernels as users name them: FILE[:FUNCTION], and in one line what they are compiled with.
#pragma once

#include "core/driver/compile.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// "FILE:FUNCTION" at its last colon, unless a file of the whole name exists; without a function the
// second is "".
std::pair<std::string, std::string> splitKernelName(const std::string &name);

// "gemm.py:matmul --set M=1024 --target sm_90a": options as the command line has them, without
// what is the default.
std::string kernelLine(const CompileRequest &request);
// Back from that; the text of the file is not read. An error names what is no option of such a
// line.
llvm::Expected<CompileRequest> requestOfLine(const std::string &line);

} // namespace tilescope
