// Views of traces that stay within the limits of the reader but would be printed without end.
#include "access_programs.h"

#include "core/views/lifetimes_model.h"
#include "core/views/stages_model.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

template <typename View> std::string textOf(const View &view) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(view, out);
  return text;
}

Trace traceOf(const AccessRecord &accesses, std::vector<PipelineRecord> pipelines) {
  TraceSnapshot snapshot;
  snapshot.accesses = std::make_shared<std::vector<AccessRecord>>(1, accesses);
  snapshot.pipelines = std::make_shared<std::vector<PipelineRecord>>(std::move(pipelines));
  Trace trace;
  trace.snapshots.push_back(std::move(snapshot));
  trace.passes.emplace_back().name = "elaborate";
  return trace;
}

TEST(HostileViews, MarksOfManyPointsAndBuffersAreNoTable) {
  ProgramBuilder builder;
  AccessRecord accesses{"kernel", {}, {}};
  std::vector<uint32_t> leaves;
  for (uint32_t i = 0; i != 3000; ++i) {
    leaves.push_back(builder.leaf({}));
    accesses.lifetimes.buffers.push_back({BufferId(i), {{0, 3000}}, {}, {}, {}});
  }
  builder.program.root = builder.seq(leaves);
  accesses.program = builder.program;
  std::string text = textOf(buildLifetimes(PassState(traceOf(accesses, {}), 0)));
  EXPECT_NE(text.find("3000 points of 3000 buffers are too many for a table"), std::string::npos);
  EXPECT_LT(text.size(), 100'000U);
}

// Every row would be as wide.
TEST(HostileViews, AColumnIsNotAsWideAsItsWidestCell) {
  std::vector<std::vector<std::string>> rows(1000, {"a", "b", "c"});
  rows[1] = {std::string(100'000, 'x'), std::string(100'000, 'y'), "c"};
  std::string text;
  llvm::raw_string_ostream out(text);
  printTable(out, rows, 1);
  EXPECT_LT(text.size(), 1'000'000U);
  EXPECT_NE(text.find("x  y"), std::string::npos);
}

// One iteration fills and reads a slot again and again.
TEST(HostileViews, ACellOfAStepIsShort) {
  ProgramBuilder builder;
  BufferId tile = builder.buffer("tile", 2);
  StmtId loop = builder.stmt();
  std::vector<uint32_t> body;
  for (int i = 0; i != 2000; ++i) {
    body.push_back(builder.leaf({write(tile, at(0))}));
    body.push_back(builder.leaf({read(tile, at(0))}));
  }
  builder.program.root = builder.loop(loop, 4, 4, body);
  PipelineRecord pipeline;
  pipeline.loop = loop;
  pipeline.versions = {{tile, 2}};
  StagesView view = buildStages(PassState(traceOf({"kernel", builder.program, {}}, {pipeline}), 0));
  ASSERT_EQ(view.loops.front().stages.refusal, "");
  for (const StagesRow &row : view.loops.front().rows)
    for (const std::string &cell : row.cells)
      EXPECT_LT(cell.size(), 300U);
}

} // namespace
} // namespace tilescope::test
