#include "core/exec/execution_limits.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Of one block: elements of tiles, and of registers of all threads.
constexpr double MostElements = double(1 << 25);
constexpr double MostThreads = double(1 << 26); // of all blocks

// Unknown extents, of host code that is run first, count as 1.
double product(ExprList extents, BlockFrame &host) {
  double result = 1;
  for (const Expr *extent : extents) {
    bool isKnown = true;
    auto check = [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      isKnown &= !llvm::isa<Load>(part) && (!var || host.isBound(var));
    };
    walk(extent, check);
    if (isKnown)
      result *= static_cast<double>(std::max<int64_t>(host.evaluateInt(extent), 0));
  }
  return result;
}

std::string tooManyThreads(const Launch &launch, BlockFrame &host, int64_t wanted) {
  double blocks = product(launch.gridExtents, host);
  if (wanted > 0)
    blocks = std::min(blocks, static_cast<double>(wanted));
  if (blocks * static_cast<double>(launch.threads) <= MostThreads)
    return "";
  return llvm::formatv("{0:f0} blocks of {1} threads are too many to run on a CPU: take smaller "
                       "sizes",
                       blocks, launch.threads);
}

} // namespace

std::string endlessText() {
  return "the loop has not ended after " + std::to_string(MostEndlessTrips) + " iterations";
}

std::string whyTooLarge(const Function &function, ScalarArguments scalars, int64_t blocks) {
  GlobalMemory none;
  BlockFrame host(function, none);
  for (auto [var, value] : scalars)
    host.bind(var, value);
  std::string why;
  double threads = 1;
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
      threads = std::max(threads, static_cast<double>(launch->threads));
      if (why.empty())
        why = tooManyThreads(*launch, host, blocks);
    }
    return true;
  });
  double elements = 0;
  for (const Buffer *buffer : function.buffers)
    if (buffer->scope != Scope::Global)
      elements += product(buffer->shape, host) * static_cast<double>(buffer->versions) *
                  (isOwnMemory(*buffer) ? threads : 1);
  if (why.empty() && elements > MostElements)
    why = llvm::formatv("the buffers of a block have {0:f0} elements, which are too many to run "
                        "on a CPU: take smaller sizes",
                        elements);
  return why;
}

} // namespace tilescope
