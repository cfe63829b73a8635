// What emitted CUDA computes, without a GPU: its text is compiled for this machine by clang, with
// host/ for what CUDA has besides, and runs in a process of its own.
#pragma once

#include "core/codegen/cuda_source.h"
#include "core/exec/problem.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>

namespace tilescope {

// What no kernel may depend on.
enum class WitnessOrder : uint8_t {
  Usual,    // the first thread goes first, copies arrive when they are waited for
  Reversed, // the last thread goes first, copies arrive at once
};

// What stopped the kernel.
struct WitnessFault {
  std::string text; // "accesses bytes behind shared memory"
  int64_t block = 0;
  int64_t thread = 0;
};

// A compiled program, in a temporary folder of its own.
class Witness {
public:
  // Error: what is missing on this machine to build one.
  static llvm::Error checkCompiler();
  // Error: text that clang does not accept, or no clang.
  static llvm::Expected<std::unique_ptr<Witness>> build(const CudaSource &cuda,
                                                        const Problem &problem);
  ~Witness();

  // Runs all launches. `memory` holds the problem's tensors, which are changed as the kernels do.
  // Error: they do not end in time.
  llvm::Expected<std::optional<WitnessFault>> run(GlobalMemory &memory, WitnessOrder order) const;

private:
  explicit Witness(const Problem &problem) : problem_(problem) {}
  llvm::Error compile(llvm::StringRef program);
  llvm::Expected<std::optional<WitnessFault>> execute(WitnessOrder order) const;

  std::string path(llvm::StringRef name) const { return (folder_ + "/" + name).str(); }
  llvm::Error write(llvm::StringRef name, llvm::StringRef text) const;
  std::string read(llvm::StringRef name) const;

  const Problem &problem_;
  llvm::SmallString<128> folder_;
};

} // namespace tilescope
