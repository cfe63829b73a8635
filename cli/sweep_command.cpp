// sweep: a grid of arguments, compiled in parallel.
#include "cli/sweep_run.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr const char *SweepOverview =
    "Compiles a kernel with every combination of arguments, on all cores, and prints what each\n"
    "needs. A value of --set or --pass-option is a list of Python literals and ranges; --target "
    "is\n"
    "a list too:\n\n"
    "  64,128        two values          1..4          1, 2, 3, 4\n"
    "  (8, 64),(4)   commas in brackets  64..512*2     64, 128, 256, 512\n"
    "                stay                0..96+32      0, 32, 64, 96\n\n"
    "A star marks the points that no other of the same target and problem beats: fewer bytes of\n"
    "shared memory, fewer global bytes, more blocks per SM, fewer barriers, with --ptxas fewer\n"
    "registers and spilled bytes, with --bench less time. A problem is the types and shapes of "
    "the\n"
    "tensors. Global bytes are what the threads of all blocks read and write in global memory,\n"
    "before any cache; where only data or the launch say how many, they are unknown, and no point\n"
    "of the problem is compared by them. Blocks per SM are by shared memory and threads, with\n"
    "--ptxas by registers too; 'limited by' says what allows no more. A point that does not\n"
    "compile is a row with its first error.\n"
    "--bench runs each point on a GPU as 'tilescope run --bench' does, whatever the target; it\n"
    "compares no results. All GPUs of CUDA_VISIBLE_DEVICES work at once, one point each, while\n"
    "others compile; they must be of one kind. With each time stand the clock of the GPU, its "
    "power\n"
    "and temperature, and what slowed it, where NVML says them. A point that hangs for longer "
    "than\n"
    "--bench-limit, or ends its process, is a row with that error.\n"
    "With -o FILE finished points are kept in FILE.journal until FILE is written; if the sweep is\n"
    "interrupted, the same command with --resume goes on. --shard K/N compiles one part of N on\n"
    "this machine, into a file of its own that is its journal; 'tilescope merge' joins them. As "
    "an\n"
    "array of Slurm, numbered from 1:\n\n"
    "  sbatch --array=1-8 --wrap 'tilescope sweep gemm.py:matmul --resume \\\n"
    "    --set block_M=64,128,256 -o part-$SLURM_ARRAY_TASK_ID.sweep \\\n"
    "    --shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT'\n"
    "  tilescope merge part-*.sweep -o gemm.csv\n\n"
    "With --bench, sbatch takes --gres=gpu:1 too: each task then has a GPU of its own, all of one\n"
    "kind.\n\n"
    "Exit code: 0 fine, 1 a point failed, 2 trouble, or a name that no point can have.\n\n"
    "  tilescope sweep gemm.py:matmul --set M=1024 --set block_M=64,128 \\\n"
    "    --set num_stages=1..4 --target sm_80,sm_90a -o gemm.csv\n";

int reportShard(const SweepJournal &sweep) {
  auto failed = llvm::count_if(sweep.rows, [](const SweepRow &row) { return !row.error.empty(); });
  llvm::outs() << llvm::formatv("shard {0}/{1}: {2:N} of {3:N} points, {4:N} failed\n",
                                sweep.header.shard.index, sweep.header.shard.count,
                                sweep.rows.size(), sweep.header.grid.size(), failed);
  return failed ? Findings : Fine;
}

class SweepCommand {
public:
  explicit SweepCommand(llvm::cl::OptionCategory &category)
      : sweep_(category, /*benches=*/false), patches_(category),
        shard_("shard", llvm::cl::desc("Compile part K of N, from 1, into -o FILE"),
               llvm::cl::value_desc("K/N"), llvm::cl::cat(category)) {}

  int run() const {
    const SweepOutput &output = sweep_.output();
    llvm::Expected<CompileRequest> request = sweep_.request();
    if (!request)
      return report(request.takeError());
    if (llvm::Error error = patches_.addTo(*request, {{"-o", output.path()}}))
      return report(std::move(error));
    llvm::Expected<SweepHeader> header = headerOf(*request);
    if (!header)
      return report(header.takeError());
    if (llvm::Error error = check(*request, *header))
      return report(std::move(error));
    std::string journal = !output.hasFile() ? "" : output.path() + (isShard() ? "" : ".journal");
    llvm::Expected<std::optional<SweepJournal>> result =
        sweep_.run(std::move(*request), std::move(*header), journal);
    if (!result)
      return report(result.takeError());
    if (!*result)
      return Trouble;
    if (isShard())
      return reportShard(**result);
    int exitCode = output.write(**result);
    if (exitCode != Trouble && !journal.empty())
      (void)llvm::sys::fs::remove(journal);
    return exitCode;
  }

private:
  bool isShard() const { return shard_.getNumOccurrences() > 0; }

  llvm::Expected<SweepHeader> headerOf(const CompileRequest &request) const {
    llvm::Expected<SweepHeader> header = sweepHeaderOf(request, sweep_.kernel().kernel());
    if (!header || !isShard())
      return header;
    llvm::Expected<SweepShard> shard = parseShard(shard_);
    if (!shard)
      return shard.takeError();
    header->shard = *shard;
    return header;
  }

  llvm::Error check(const CompileRequest &request, const SweepHeader &header) const {
    const SweepOutput &output = sweep_.output();
    if (isShard() && !output.hasFile())
      return llvm::createStringError("--shard needs -o FILE, which 'tilescope merge' reads");
    if (isShard() && output.hasFormat())
      return llvm::createStringError("--shard writes what 'tilescope merge' reads, in no --format");
    return sweep_.check(request, header);
  }

  SweepOptions sweep_;
  PatchOption patches_;
  llvm::cl::opt<std::string> shard_;
};

} // namespace

int runSweep(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope sweep");
  SweepCommand command(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, SweepOverview))
    return *exitCode;
  return command.run();
}

} // namespace tilescope
