#include "core/exec/execution_limits.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Of one block: elements of tiles, and of registers of all threads.
constexpr double MostElements = double(1 << 25);
constexpr double MostThreads = double(1 << 26); // of all blocks

// nullopt: host code is run first.
std::optional<int64_t> valueOf(const Expr *extent, BlockFrame &host) {
  bool isKnown = true;
  auto check = [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    isKnown &= !llvm::isa<Load>(part) && (!var || host.isBound(var));
  };
  walk(extent, check);
  return isKnown ? std::optional(std::max<int64_t>(host.evaluateInt(extent), 0)) : std::nullopt;
}

// Unknown extents count as 1.
double product(ExprList extents, BlockFrame &host) {
  double result = 1;
  for (const Expr *extent : extents)
    result *= static_cast<double>(valueOf(extent, host).value_or(1));
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

std::string whyNoClusters(const Launch &launch, BlockFrame &host) {
  for (auto [extent, blocks] : llvm::zip(launch.gridExtents, launch.cluster))
    if (int64_t all = valueOf(extent, host).value_or(0); all % blocks != 0)
      return llvm::formatv("{0} blocks along an axis are not launched in clusters of {1}", all,
                           blocks);
  return "";
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
        why = whyNoClusters(*launch, host);
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
