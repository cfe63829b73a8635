// Which step of a compile makes a test of the user's fail. A step adds to the compile before it, so
// that compile 0 has none of them and the last has all:
//
//     compile   0                 1          2            3
//     has       only what must    simplify   simplify     simplify, vectorize,
//               run                          vectorize    simplify#2
//     test      good              good       bad          bad      -> vectorize
//
// The search takes for granted that what fails once goes on failing.
#pragma once

#include "core/driver/compile.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

enum class BisectVerdict : uint8_t { Good, Bad, Skip };

struct BisectOutcome {
  enum class Kind : uint8_t {
    Found,      // `first` fails, and what is before it and not in `skipped` does not
    NeverFails, // the last one is good
    AlwaysFails // the first one is bad
  };
  Kind kind = Kind::NeverFails;
  size_t first = 0;            // Found: at least 1
  std::vector<size_t> skipped; // Found: between the last good one and `first`, in order
};

// Asks about 0, then `count` - 1, then between them; about each at most once. `count` is at least
// 2. The error is one of `ask`, or that 0 or the last was skipped.
llvm::Expected<BisectOutcome> bisect(size_t count,
                                     llvm::function_ref<llvm::Expected<BisectVerdict>(size_t)> ask);

// Passes of the pipeline, as patch.h calls places, that only make code better. Others establish
// what later passes need, or keep a kernel right: guard-memory-access, say.
std::vector<std::string> improvingPasses(const CompileRequest &request);

// The compiles to choose among. Steps are passes that are left out before them, in the order of the
// pipeline, then `request.passOptions`, in order.
class BisectCompiles {
public:
  // The error names a pass that does not run, or what is wrong with an option.
  static llvm::Expected<BisectCompiles> make(CompileRequest request,
                                             const std::vector<std::string> &optionalPasses);

  // Step i is what compile i + 1 has more than compile i: "vectorize",
  // "inject-pipeline.peel-epilogue=true".
  const std::vector<std::string> &steps() const { return steps_; }
  CompileRequest request(size_t index) const;

private:
  CompileRequest request_; // of compile 0, but for its passes
  std::vector<std::string> steps_;
  std::vector<std::string> pipelines_; // text, by compile
};

} // namespace tilescope
