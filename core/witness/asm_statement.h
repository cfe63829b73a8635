// asm statements of emitted CUDA, as calls of what the witness has for their instruction:
//
//   asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
//                : "=r"(d[0]) : "r"(address) : "memory")
//   (::witness::forget(d[0]),
//    ::witness::Instruction<"ldmatrix.sync.aligned.m8n8.x1.shared.b16">::run((d[0]), (address)))
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tilescope {

// `text` with all its asm statements replaced; lines keep their numbers. Error: one that is not
// understood, as text.
llvm::Expected<std::string> replaceAsmStatements(llvm::StringRef text);

} // namespace tilescope
