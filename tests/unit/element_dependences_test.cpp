// Run alone: unit_tests --gtest_filter='ElementDependences*'
#include "core/analysis/element_dependences.h"
#include "ir_text.h"

namespace tilescope {
namespace {

// A loop over v in [0, 4) with two statements; buffers: shared s, t of 1024 and 2 x 512 elements,
// registers f of 16, g and n of one.
class ElementDependencesTest : public testing::Test {
protected:
  void parse(const std::string &first, const std::string &second) {
    module = parseIr(context, "@T.prim_func(properties=[\"lowered\"])\n"
                              "def main():\n"
                              "    s = T.alloc_shared((1024,), \"int32\", layout=\"row_major\")\n"
                              "    t = T.alloc_shared((2, 512), \"int32\", layout=\"row_major\")\n"
                              "    f = T.alloc_local((16,), \"int32\")\n"
                              "    g = T.alloc_local((1,), \"int32\")\n"
                              "    n = T.alloc_local((1,), \"int32\")\n"
                              "    with T.Kernel(1, threads=128) as (bx, tx):\n"
                              "        i: T.int32 = tx * 4\n"
                              "        for v in T.unroll(0, 4):\n"
                              "            " +
                                  first + "\n            " + second + "\n");
    stores.clear();
    walk(module->functions[0]->body, [&](const Stmt *stmt) {
      if (const auto *inner = llvm::dyn_cast<For>(stmt))
        loop = inner;
      if (const auto *store = llvm::dyn_cast<Store>(stmt))
        stores.push_back(store);
      return true;
    });
    affine.emplace(context, *module->functions[0]);
    dependences.emplace(*affine, *module->functions[0], *loop);
  }

  const Load &firstLoadOf(const Stmt *stmt) {
    const Load *found = nullptr;
    walk(llvm::cast<Store>(stmt)->value,
         [&](const Expr *node) { found = found ? found : llvm::dyn_cast<Load>(node); });
    return *found;
  }
  // Whether the load of a statement, or its store, may go there.
  bool mayLoad(size_t stmt, MovedTo to) {
    return !dependences->obstacle(*stores[stmt], firstLoadOf(stores[stmt]), to);
  }
  bool mayStore(size_t stmt, MovedTo to) { return !dependences->obstacle(*stores[stmt], to); }
  // Whether a load by the second statement may come before a store by the first.
  bool mayOvertake(const std::string &stored, const std::string &loaded) {
    parse(stored + " = v", "g[0] = " + loaded);
    EXPECT_EQ(mayLoad(1, MovedTo::Front), mayStore(0, MovedTo::Back));
    return mayLoad(1, MovedTo::Front);
  }

  Context context;
  const Module *module = nullptr;
  const For *loop = nullptr;
  std::vector<const Store *> stores;
  std::optional<IrAffine> affine;
  std::optional<ElementDependences> dependences;
};

TEST_F(ElementDependencesTest, TellsElementsApart) {
  EXPECT_FALSE(mayOvertake("s[i + v]", "s[i + v]"));
  EXPECT_FALSE(mayOvertake("s[i + v]", "s[v * 2]"));
  EXPECT_TRUE(mayOvertake("s[tx * 8 + v]", "s[tx * 8 + v + 4]"));
  // Not of one thread, but thread 1 loads what thread 0 stored.
  EXPECT_FALSE(mayOvertake("s[i + v + 4]", "s[i + v]"));
  EXPECT_TRUE(mayOvertake("s[i + v]", "s[tx + 512]"));
  EXPECT_TRUE(mayOvertake("t[0, i + v]", "t[1, i + v]"));
  EXPECT_FALSE(mayOvertake("t[v % 2, i + v]", "t[1, i + v]"));
  EXPECT_TRUE(mayOvertake("t[0, i + v]", "s[i + v]"));
  EXPECT_TRUE(mayOvertake("f[tx % 2 * 8 + v]", "f[tx % 2 * 8 + v + 4]"));
  EXPECT_TRUE(mayOvertake("f[tx % 8 + 1]", "f[tx % 8]"));
  EXPECT_FALSE(mayOvertake("f[n[0] + 1]", "f[n[0]]"));
}

TEST_F(ElementDependencesTest, OrdersIterations) {
  parse("s[i + v] = s[i + v] + 1", "f[v] = s[i + v]");
  EXPECT_TRUE(mayLoad(0, MovedTo::Front));
  EXPECT_FALSE(mayLoad(0, MovedTo::Back));
  EXPECT_FALSE(mayLoad(1, MovedTo::Front));
  EXPECT_TRUE(mayLoad(1, MovedTo::Back));
  EXPECT_FALSE(mayStore(0, MovedTo::Back));
  EXPECT_FALSE(mayStore(0, MovedTo::Front));
  EXPECT_TRUE(mayStore(1, MovedTo::Front));
  // Iteration v loads what iteration v - 1 stored.
  parse("s[i + v + 1] = s[i + v]", "f[v] = 0");
  EXPECT_FALSE(mayLoad(0, MovedTo::Front));
  // Iteration v stores what was loaded before.
  parse("s[i + v] = f[v]", "f[v] = 0");
  EXPECT_TRUE(mayLoad(0, MovedTo::Front));
  EXPECT_FALSE(mayLoad(0, MovedTo::Back));
}

TEST_F(ElementDependencesTest, IndicesAndConditionsAreReaders) {
  parse("s[n[0] * 4 + v] = 1", "n[0] = v");
  EXPECT_EQ(dependences->findStoredLoad(stores[0]->indices[0])->buffer, stores[1]->buffer);
  EXPECT_FALSE(mayStore(1, MovedTo::Front));
  parse("s[i + v] = 1", "if s[i + v] > 0:\n                n[0] = v");
  EXPECT_FALSE(mayStore(0, MovedTo::Back));
  EXPECT_FALSE(dependences->findUnrepeatableLoad());
  parse("if s[i + v] > 0:", "    s[i + v] = 1\n                n[0] = v");
  EXPECT_EQ(dependences->findUnrepeatableLoad()->buffer, stores[0]->buffer);
  parse("if s[i + v] > 0:", "    s[1000] = 1\n                n[0] = v");
  EXPECT_FALSE(dependences->findUnrepeatableLoad());
}

} // namespace
} // namespace tilescope
