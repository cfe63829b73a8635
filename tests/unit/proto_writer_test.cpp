// Run alone: unit_tests --gtest_filter='ProtoWriter*:PerfettoTracks*'
#include "core/exports/proto_writer.h"

#include "core/exports/perfetto_tracks.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

std::string hex(const std::string &bytes) {
  std::string text;
  for (char byte : bytes) {
    constexpr char Digits[] = "0123456789abcdef";
    auto value = static_cast<unsigned char>(byte);
    text += {Digits[value / 16], Digits[value % 16], ' '};
  }
  return text;
}

TEST(ProtoWriter, WritesNumbersSevenBitsAByte) {
  ProtoWriter out;
  out.number(9, 1);
  out.number(1, 0);
  out.number(1, 300);
  out.number(30, static_cast<uint64_t>(-1));
  EXPECT_EQ(hex(out.text()), "48 01 08 00 08 ac 02 f0 01 ff ff ff ff ff ff ff ff ff 01 ");
}

TEST(ProtoWriter, WritesBytesAndMessagesWithTheirLength) {
  ProtoWriter inner;
  inner.number(1, 150);
  ProtoWriter out;
  out.bytes(23, "abc");
  out.message(3, inner);
  out.bytes(2, "");
  EXPECT_EQ(hex(out.text()), "ba 01 03 61 62 63 1a 03 08 96 01 12 00 ");
}

TEST(PerfettoTracks, GivesTheSameBytesEachTime) {
  auto write = [] {
    PerfettoTracks tracks;
    PerfettoTracks::TrackId process = tracks.addProcess("p");
    tracks.addLanes(process, "lanes", {{"a", 0, 5}, {"b", 3, 9}, {"c", 5, 6}});
    tracks.addCount(tracks.addByteCounter(process, "bytes"), 4, 1024);
    return tracks.text();
  };
  EXPECT_EQ(write(), write());
}

// a and c fit on one track, b needs a second.
TEST(PerfettoTracks, SpreadsSlicesThatOverlap) {
  PerfettoTracks tracks;
  PerfettoTracks::TrackId process = tracks.addProcess("p");
  tracks.addLanes(process, "lane", {{"a", 0, 5}, {"b", 3, 9}, {"c", 5, 6}});
  size_t lanes = 0;
  for (size_t at = 0; (at = tracks.text().find("lane", at)) != std::string::npos; ++at)
    ++lanes;
  EXPECT_EQ(lanes, 2u);
}

} // namespace
