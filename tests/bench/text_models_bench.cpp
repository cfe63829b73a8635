// How long the views of texts take to build, at 5,000 lines a pass: a step of the viewer builds
// those that are on screen.
#include "core/views/cuda_model.h"
#include "core/views/ir_model.h"
#include "core/views/search_model.h"
#include "core/views/source_model.h"

#include "llvm/Support/FormatVariadic.h"

#include <benchmark/benchmark.h>

#include <random>

using namespace tilescope;

namespace {

constexpr size_t LineCount = 5'000;
constexpr uint32_t BufferCount = 200;

struct TextTrace {
  size_t passes = 2;
  size_t editsPerMille = 50; // lines whose text a pass changes; as many are added and removed
};

// Statements that name two buffers each, from a kernel file of 200 lines.
class TextTraceMaker {
public:
  explicit TextTraceMaker(const TextTrace &shape) : shape_(shape) {}

  Trace make() {
    auto buffers = std::make_shared<std::vector<BufferRecord>>();
    for (uint32_t id = 0; id != BufferCount; ++id) {
      BufferRecord &buffer = buffers->emplace_back();
      buffer.id = BufferId(id);
      buffer.name = llvm::formatv("tile_{0}", id);
      buffer.key = {"kernel", buffer.name, 0, ""};
      buffer.scope = BufferScope::SharedDynamic;
    }
    for (size_t n = 0; n != LineCount; ++n)
      lines_.push_back(addLine());
    for (size_t pass = 0; pass != shape_.passes; ++pass) {
      if (pass != 0)
        edit();
      TraceSnapshot &snapshot = trace_.snapshots.emplace_back();
      snapshot.lines = std::make_shared<const std::vector<LineId>>(lines_);
      snapshot.buffers = buffers;
      TracePass &record = trace_.passes.emplace_back();
      record.name = llvm::formatv("pass-{0}", pass);
      record.snapshot = pass;
    }
    for (size_t n = 0; n != 200; ++n)
      trace_.header.fileText += llvm::formatv("    T.copy(tile_{0}, other)\n", n);
    for (LineId id : lines_)
      trace_.cuda += trace_.lines[id].text + "\n";
    return std::move(trace_);
  }

private:
  size_t below(size_t limit) { return random_() % limit; }

  LineId addLine() {
    auto id = static_cast<LineId>(trace_.lines.size());
    auto source = static_cast<uint32_t>(1 + below(200));
    trace_.lines.push_back({text(), StmtId(id), BufferId(), {FileId(0), source, 1, source, 20}});
    return id;
  }

  std::string text() {
    return llvm::formatv("        T.copy(tile_{0}[0:128, {1}:{1} + 32], tile_{2}[k % 2, 0:128])",
                         below(BufferCount), below(1000), below(BufferCount));
  }

  void edit() {
    size_t edits = LineCount * shape_.editsPerMille / 1000;
    for (size_t n = 0; n != edits; ++n) {
      LineId &line = lines_[below(lines_.size())];
      TraceLine changed = trace_.lines[line];
      changed.text += llvm::formatv(" + {0}", below(100));
      line = static_cast<LineId>(trace_.lines.size());
      trace_.lines.push_back(std::move(changed));
      lines_.erase(lines_.begin() + static_cast<ptrdiff_t>(below(lines_.size())));
      lines_.insert(lines_.begin() + static_cast<ptrdiff_t>(below(lines_.size())), addLine());
    }
  }

  TextTrace shape_;
  std::mt19937 random_{1};
  Trace trace_;
  std::vector<LineId> lines_;
};

Selection lastPassOf(const Trace &trace) {
  Selection selection;
  selection.pass = trace.passes.size() - 1;
  return selection;
}

// The argument is the share of changed lines in a thousand.
void buildIrOfTwoPasses(benchmark::State &state) {
  Trace trace = TextTraceMaker({2, static_cast<size_t>(state.range(0))}).make();
  Selection selection = lastPassOf(trace);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(buildIr(PassState(trace, selection.pass)));
}
BENCHMARK(buildIrOfTwoPasses)->Arg(0)->Arg(20)->Arg(50)->Arg(500)->Unit(benchmark::kMillisecond);

void buildSourceOfOnePass(benchmark::State &state) {
  Trace trace = TextTraceMaker({}).make();
  Selection selection = lastPassOf(trace);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(buildSource(trace, selection));
}
BENCHMARK(buildSourceOfOnePass)->Unit(benchmark::kMillisecond);

void buildCudaOfTrace(benchmark::State &state) {
  Trace trace = TextTraceMaker({}).make();
  Selection selection = lastPassOf(trace);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(buildCuda(trace, selection));
}
BENCHMARK(buildCudaOfTrace)->Unit(benchmark::kMillisecond);

// A letter is found everywhere, the others here and there and nowhere.
void searchTwoHundredPasses(benchmark::State &state, const char *query) {
  Trace trace = TextTraceMaker({200, 20}).make();
  Selection selection = lastPassOf(trace);
  selection.query = query;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(buildSearch(trace, selection));
}

// A step while something is searched for: what is known of the query is kept.
void stepWithQuery(benchmark::State &state, const char *query) {
  Trace trace = TextTraceMaker({200, 20}).make();
  Selection selection;
  selection.query = query;
  SearchMemory memory(query);
  benchmark::DoNotOptimize(buildSearch(trace, selection, memory, nullptr));
  for ([[maybe_unused]] auto _ : state) {
    selection.pass = (selection.pass + 1) % trace.passes.size();
    benchmark::DoNotOptimize(buildSearch(trace, selection, memory, nullptr));
  }
}
BENCHMARK_CAPTURE(stepWithQuery, aBuffer, "tile_17")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stepWithQuery, expression, "/tile_1[0-9]/")->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(searchTwoHundredPasses, everywhere, "t")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchTwoHundredPasses, aBuffer, "tile_17")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchTwoHundredPasses, nowhere, "Nowhere")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchTwoHundredPasses, expression, "/tile_1[0-9]/")
    ->Unit(benchmark::kMillisecond);

} // namespace
