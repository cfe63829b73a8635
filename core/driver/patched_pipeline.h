// The pipeline of a compile with patches: each diff is a pass of its own, after the one that it
// names, so whoever watches sees it and the checks of every pass follow it.
#pragma once

#include "core/driver/patch.h"
#include "core/pass/pass.h"

namespace tilescope {

inline constexpr llvm::StringLiteral PatchPassName = "patch";

// "simplify", "simplify#2" if it ran once before.
std::string placeName(llvm::StringRef pass, size_t runsBefore);

struct PatchedInput {
  llvm::ArrayRef<Patch> patches;
  std::string stopAfter; // a place: what comes after it and its patches is dropped; "": nothing
  FileId kernel;         // what spans of tagged text point into
};

// False after reporting a patch that cannot be read, or a place that the pipeline does not have.
// `files` gets the patches, and must outlive the pipeline.
bool patchPipeline(std::vector<PassInstance> &pipeline, const PatchedInput &input,
                   SourceFiles &files, Diagnostics &diagnostics);

} // namespace tilescope
