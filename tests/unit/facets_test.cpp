// Facets: what a snapshot holds beside text, from IR given as text.
#include "core/facets/accesses.h"
#include "core/facets/arenas.h"
#include "core/facets/buffers.h"
#include "core/facets/pipelines.h"

#include "core/target/target.h"
#include "tests/unit/ir_text.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

constexpr const char *Gemm = R"(# tilescope-ir 1
@T.prim_func(properties=["tile"])
def main(A: T.Tensor((128, 128), "float16"), B: T.Tensor((128, 128), "float16")):
    A_shared = T.alloc_shared((128, 32), "float16")
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 4, num_stages=2):
            T.copy(A[0:128, k * 32:k * 32 + 32], A_shared[0:128, 0:32])
            T.copy(A_shared[0:128, 0:32], B[0:128, k * 32:k * 32 + 32])
)";

template <typename Record> std::vector<Record> facetOf(const char *text) {
  Context context;
  std::vector<Record> records;
  computeFacet(*parseIr(context, text), *llvm::cantFail(findTarget("sm_80")), records);
  return records;
}

} // namespace

TEST(Facets, BuffersCarryIdentityTypeAndBytes) {
  std::vector<BufferRecord> buffers = facetOf<BufferRecord>(Gemm);
  ASSERT_EQ(buffers.size(), 3U);
  EXPECT_EQ(buffers[2].key, (BufferKey{"main", "A_shared", 0, ""}));
  EXPECT_EQ(buffers[2].scope, BufferScope::SharedDynamic);
  EXPECT_EQ(buffers[2].sizeBytes, 128 * 32 * 2);
  EXPECT_EQ(buffers[2].offsetBytes, std::nullopt);
}

TEST(Facets, ScopesAreReadByTheNamesThatTheyAreWrittenWith) {
  for (const char *name : BufferScopeNames)
    EXPECT_STREQ(nameOf(bufferScopeOf(name)), name);
  for (Scope scope : {Scope::Global, Scope::Shared, Scope::SharedStatic, Scope::Fragment,
                      Scope::Local, Scope::LocalVar}) {
    EXPECT_NE(bufferScopeOf(nameOf(scope)), BufferScope::Unknown) << nameOf(scope).str();
    EXPECT_EQ(isShared(bufferScopeOf(nameOf(scope))), isShared(scope)) << nameOf(scope).str();
  }
  EXPECT_EQ(bufferScopeOf("local.of.another.compiler"), BufferScope::Unknown);
  EXPECT_TRUE(isShared(bufferScopeOf("shared.barrier")));
  EXPECT_FALSE(isShared(bufferScopeOf("shared.tmem")));
}

TEST(Facets, AccessesHoldProgramAndLifetimes) {
  std::vector<AccessRecord> accesses = facetOf<AccessRecord>(Gemm);
  ASSERT_EQ(accesses.size(), 1U);
  ASSERT_EQ(accesses[0].lifetimes.buffers.size(), 1U);
  const BufferLifetime &lifetime = accesses[0].lifetimes.buffers[0];
  EXPECT_EQ(lifetime.defs.size(), 1U);
  EXPECT_EQ(lifetime.uses.size(), 1U);
}

TEST(Facets, ArenasArePreviewsBeforeThePlan) {
  std::vector<ArenaRecord> arenas = facetOf<ArenaRecord>(Gemm);
  ASSERT_EQ(arenas.size(), 1U);
  EXPECT_TRUE(arenas[0].preview);
  EXPECT_FALSE(arenas[0].unknown.empty());
  EXPECT_EQ(arenas[0].plan.heightBytes, 8192);
}

TEST(Facets, PipelinesShowTheRequest) {
  std::vector<PipelineRecord> pipelines = facetOf<PipelineRecord>(Gemm);
  ASSERT_EQ(pipelines.size(), 1U);
  EXPECT_EQ(pipelines[0].numStages, 2);
  EXPECT_EQ(pipelines[0].trips, "4");
}
