// T.sync_threads, T.named_barrier_arrive.
#include "core/frontend/operation_results.h"

namespace tilescope::frontend {

static int64_t threadsOf(KernelBuilder &kernel) {
  int64_t threads = 1;
  for (int64_t extent : kernel.launch()->threads)
    threads *= extent;
  return threads;
}

static Value emitNamed(Args &args, int64_t number, llvm::StringRef count, int64_t threads,
                       bool waits) {
  constexpr int64_t Barriers = 16;
  constexpr int64_t LanesOfWarp = 32;
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  if (number < 1 || number >= Barriers)
    return args.wrongType("barrier_id", "the number of a barrier, 1 to 15: 0 is that of all "
                                        "threads");
  if (threads < 1 || threads % LanesOfWarp != 0 || threads > threadsOf(*kernel))
    return args.wrongType(count, "a number of whole warps of the block");
  kernel->emit(evaluation.ir.op(
      evaluation.ir.fresh(args.span), Op::NamedBarrier, {}, {},
      {{Attr::Number, number}, {Attr::Threads, threads}, {Attr::Waits, int64_t{waits}}}));
  return Value::none();
}

Value tileSyncThreads(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> number = kernel ? args.integer("barrier_id") : std::nullopt;
  std::optional<int64_t> count =
      number ? args.integer("arrive_count", threadsOf(*kernel)) : std::nullopt;
  if (!count)
    return Value();
  if (*number != 0 || *count != threadsOf(*kernel))
    return emitNamed(args, *number, "arrive_count", *count, /*waits=*/true);
  kernel->emit(args.evaluation.ir.op(args.evaluation.ir.fresh(args.span), Op::Barrier, {}));
  return Value::none();
}

Value tileNamedBarrierArrive(Args &args) {
  std::optional<int64_t> number = args.integer("barrier_id");
  std::optional<int64_t> count = number ? args.integer("thread_count") : std::nullopt;
  return count ? emitNamed(args, *number, "thread_count", *count, /*waits=*/false) : Value();
}

} // namespace tilescope::frontend
