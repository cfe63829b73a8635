// Run alone: unit_tests --gtest_filter='ExchangedNames*'
//
// Buffers that exchanged names between two compiles, in rings of any length.
#include "core/diff/buffer_matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace tilescope;

namespace {

// Shared buffers, each with a key. Buffer i is written, and read for the last time, at points that
// `uses` has for it; two of the same are alike.
TraceSnapshot usedBuffers(const std::vector<std::string> &names, const std::vector<size_t> &order,
                          const std::vector<std::pair<uint32_t, uint32_t>> &uses) {
  AccessRecord accesses;
  AccessProgram &program = accesses.program;
  program.nodes.resize(1 + 2 * uses.size()); // a leaf is a point
  for (uint32_t leaf = 1; leaf != program.nodes.size(); ++leaf) {
    program.nodes[leaf].kind = AccessNode::Kind::Leaf;
    program.nodes[0].children.push_back(leaf);
  }
  std::vector<BufferRecord> buffers;
  for (size_t index : order) {
    BufferRecord &buffer = buffers.emplace_back();
    buffer.id = BufferId(static_cast<uint32_t>(index));
    buffer.name = names[index];
    buffer.key = {"f", names[index], 0, ""};
    buffer.scope = BufferScope::SharedDynamic;
    buffer.dtype = "float16";
    buffer.span.line = 1 + static_cast<uint32_t>(index); // declared in this order
    auto access = [&](uint32_t point, AccessKind kind) {
      Access &made = program.nodes[1 + point].accesses.emplace_back();
      made.buffer = buffer.id;
      made.kind = kind;
    };
    access(uses[index].first, AccessKind::Write);
    access(uses[index].second, AccessKind::Read);
  }
  TraceSnapshot snapshot;
  snapshot.buffers = std::make_shared<const std::vector<BufferRecord>>(std::move(buffers));
  snapshot.accesses = std::make_shared<const std::vector<AccessRecord>>(1, std::move(accesses));
  return snapshot;
}

struct NamedBuffers {
  std::vector<std::string> names;
  std::vector<size_t> order; // of the table
};

NamedBuffers namedBuffers(size_t count) {
  NamedBuffers buffers;
  for (size_t i = 0; i != count; ++i) {
    buffers.names.push_back("b" + std::to_string(i));
    buffers.order.push_back(i);
  }
  return buffers;
}

// For each buffer of `before` the id of its partner.
std::map<uint32_t, uint32_t> partnersOf(const TraceSnapshot &before, const TraceSnapshot &after) {
  std::map<uint32_t, uint32_t> partners;
  for (const BufferPair &pair : matchBuffers(before, after))
    if (pair.before && pair.after)
      partners[(*before.buffers)[*pair.before].id.value] = (*after.buffers)[*pair.after].id.value;
  return partners;
}

TEST(ExchangedNamesTest, AnyExchangeOfNamesIsFound) {
  std::mt19937 random(7);
  for (size_t round = 0; round != 300; ++round) {
    size_t count = 2 + round % 9;
    std::vector<std::pair<uint32_t, uint32_t>> uses;
    for (uint32_t i = 0; i != count; ++i)
      uses.emplace_back(i, 2 * count - 1 - i);
    NamedBuffers now = namedBuffers(count);
    TraceSnapshot before = usedBuffers(now.names, now.order, uses);
    std::shuffle(now.names.begin(), now.names.end(), random);
    std::shuffle(now.order.begin(), now.order.end(), random);
    TraceSnapshot after = usedBuffers(now.names, now.order, uses);
    std::map<uint32_t, uint32_t> same;
    for (uint32_t i = 0; i != count; ++i)
      same[i] = i;
    EXPECT_EQ(partnersOf(before, after), same) << round;
  }
}

// Each is declared as it was, and is used like another.
TEST(ExchangedNamesTest, ExchangedUsesAreNone) {
  std::mt19937 random(7);
  for (size_t round = 0; round != 300; ++round) {
    size_t count = 2 + round % 9;
    std::vector<std::pair<uint32_t, uint32_t>> uses;
    for (uint32_t i = 0; i != count; ++i)
      uses.emplace_back(i, 2 * count - 1 - i);
    NamedBuffers kept = namedBuffers(count);
    TraceSnapshot before = usedBuffers(kept.names, kept.order, uses);
    std::shuffle(uses.begin(), uses.end(), random);
    std::shuffle(kept.order.begin(), kept.order.end(), random);
    std::map<uint32_t, uint32_t> same;
    for (uint32_t i = 0; i != count; ++i)
      same[i] = i;
    EXPECT_EQ(partnersOf(before, usedBuffers(kept.names, kept.order, uses)), same) << round;
  }
}

// Nothing tells two buffers of one use apart but their names; a ring through one of them is none.
TEST(ExchangedNamesTest, AlikeBuffersKeepTheirNames) {
  std::mt19937 random(7);
  for (size_t round = 0; round != 300; ++round) {
    size_t count = 3 + round % 6;
    std::vector<std::pair<uint32_t, uint32_t>> uses;
    for (uint32_t i = 0; i != count; ++i)
      uses.emplace_back(i / 2, 2 * count - 1 - i / 2); // pairs are alike
    NamedBuffers was = namedBuffers(count), now = was;
    // Of an odd number the last one is alone: it changes its name with nobody.
    std::shuffle(now.names.begin(), now.names.end() - static_cast<ptrdiff_t>(count % 2), random);
    std::shuffle(now.order.begin(), now.order.end(), random);
    std::map<uint32_t, uint32_t> partners = partnersOf(usedBuffers(was.names, was.order, uses),
                                                       usedBuffers(now.names, now.order, uses));
    for (auto [before, after] : partners)
      EXPECT_EQ(was.names[before], now.names[after]) << round;
    EXPECT_EQ(partners.size(), count);
  }
}

} // namespace
