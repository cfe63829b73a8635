// What a trace from a stranger may not claim: each record is refused where it is read.
#include "core/trace/trace_limits.h"

#include "core/trace_file/trace_reader.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

std::string lostIn(const std::string &record) {
  std::string text = "{\"record\":\"trace\",\"major\":1}\n" + record + "\n";
  return llvm::cantFail(readTrace(text, "t")).recovery;
}

std::string recordOf(const std::string &kind, const std::string &item) {
  return R"({"record":")" + kind + "\",\"" + kind + "\":[" + item + "]}";
}

void expectRefused(const std::string &record, const char *why) {
  std::string lost = lostIn(record);
  EXPECT_NE(lost.find(why), std::string::npos) << record.substr(0, 200) << ": " << lost;
}

TEST(TraceLimits, RefusesSenselessBuffers) {
  for (const char *buffer :
       {R"({"versions":1000000000})", R"({"versions":-1})", R"({"sizeBytes":-1})",
        R"({"scope":"shared","sizeBytes":1000000000000000000})",
        R"({"scope":"shared.dyn","offsetBytes":-9223372036854775808})",
        R"({"offsetBytes":9223372036854775807})"})
    expectRefused(recordOf("buffers", buffer), "a buffer with senseless figures");
}

TEST(TraceLimits, AdmitsGlobalBuffersOfAnySize) {
  EXPECT_EQ(lostIn(R"({"record":"buffers","buffers":[{"scope":"global","sizeBytes":)"
                   R"(1000000000000000000}]})")
                .find("senseless"),
            std::string::npos);
}

TEST(TraceLimits, RefusesStepsThatMakeNoSense) {
  std::string start =
      R"({"record":"execution","blocks":[{"bytes":16,"statements":[{"loops":["k"]}],)";
  auto expect = [&](const std::string &rest, const char *why) {
    expectRefused(start + rest + "}]}", why);
  };
  constexpr const char *Senseless = "an execution with steps that make no sense";
  std::string touches = R"("touches":[{"kind":"write","buffer":1,"bytes":[0,4,8,16]}])";
  expect(touches + R"(,"steps":[[0,5,0]])", "an execution after a pass that does not exist");
  for (const char *steps : {"[[]]", "[[1,5,0]]", "[[-1,5,0]]", "[[0]]", "[[0,5,1]]", "[[0,5,-1]]"})
    expect(touches + R"(,"steps":)" + steps, Senseless);
  for (const char *bytes : {"[0]", "[4,4]", "[4,0]", "[0,4,4,8]", "[8,9,0,1]", "[0,17]", "[-4,4]"})
    expect(std::string(R"("touches":[{"kind":"read","buffer":1,"bytes":)") + bytes + "}]",
           Senseless);
}

TEST(TraceLimits, RefusesSenselessAccesses) {
  for (const char *access :
       {R"({"program":{"buffers":[{"versions":1000000000}]}})",
        R"({"program":{"nodes":[{"guardDistance":-1}]}})",
        R"({"program":{"nodes":[{"guardDistance":9223372036854775807}]}})",
        R"({"lifetimes":{"buffers":[{"intervals":[{"begin":0,"end":2147483647}]}]}})",
        R"({"lifetimes":{"buffers":[{"intervals":[{"begin":5,"end":-2147483648}]}]}})",
        R"({"lifetimes":{"buffers":[{"inFlight":[{"begin":7,"end":7}]}]}})",
        R"({"lifetimes":{"buffers":[{"defs":[-1]}]}})",
        R"({"lifetimes":{"buffers":[{"uses":[2147483647]}]}})"})
    expectRefused(recordOf("accesses", access), "accesses with senseless figures");
}

TEST(TraceLimits, RefusesNodesThatNothingLeadsTo) {
  for (const char *stray : {R"({"kind":"roles","children":[99999999]})",
                            R"({"kind":"roles","children":[1]})", R"({"kind":"barrier"})"})
    expectRefused(recordOf("accesses", std::string(R"({"program":{"nodes":[{"kind":"seq"},)") +
                                           stray + R"(],"root":0}})"),
                  "an access program that is no tree, or too deep");
}

// Walks over a tree call themselves.
TEST(TraceLimits, RefusesAccessProgramsThatAreTooDeep) {
  auto record = [](size_t depth) {
    std::string nodes;
    for (size_t node = 1; node <= depth; ++node)
      nodes += R"({"children":[)" + std::to_string(node) + "]},";
    return recordOf("accesses", R"({"program":{"nodes":[)" + nodes + "{}]}}");
  };
  EXPECT_EQ(lostIn(record(512)).find("no tree"), std::string::npos);
  expectRefused(record(513), "no tree, or too deep");
}

TEST(TraceLimits, RefusesSenselessArenas) {
  for (const char *arena :
       {R"({"problem":{"buffers":[{"live":[{"begin":0,"end":2147483647}]}]}})",
        R"({"problem":{"buffers":[{"versions":1000000000}]}})",
        R"({"plan":{"certificate":{"point":-2147483648}}})",
        R"({"plan":{"placements":[{"offsetBytes":1000000000000000000}]}})",
        R"({"launchSized":[{"region":-1}]})", R"({"launchSized":[{"versions":1000000000}]})",
        R"({"launchSized":[{"live":[{"begin":4,"end":3}]}]})"})
    expectRefused(recordOf("arenas", arena), "an arena with senseless figures");
}

TEST(TraceLimits, RefusesSenselessPipelines) {
  for (const char *pipeline :
       {R"({"numStages":-1})", R"({"numStages":9223372036854775807})",
        R"({"versions":[[1,9223372036854775807]]})", R"({"versions":[[1,-2]]})"})
    expectRefused(recordOf("pipelines", pipeline), "a pipeline with senseless figures");
  std::vector<std::string> many(257, "{}");
  expectRefused(recordOf("pipelines", llvm::join(many, ",")), "a pipeline with senseless figures");
}

TEST(TraceLimits, RefusesSenselessPassesAndLaunches) {
  for (const char *depth : {"-1", "257", "2147483647"})
    expectRefused(std::string(R"({"record":"passEnd","depth":)") + depth + "}",
                  "a pass with senseless figures");
  for (const char *launch :
       {R"({"threads":-1})", R"({"threads":9223372036854775807})", R"({"staticSharedBytes":-1})"})
    expectRefused(recordOf("launches", launch), "a launch with senseless figures");
  expectRefused("{\"record\":\"passEnd\"}\n"
                R"({"record":"time","index":0,"wallMicroseconds":-1})",
                "a pass with senseless figures");
}

TEST(TraceLimits, RefusesACapacityThatMakesNoSense) {
  llvm::Expected<Trace> trace =
      readTrace(R"({"record":"trace","major":1,"capacityBytes":-9223372036854775808})", "t");
  EXPECT_EQ(llvm::toString(trace.takeError()), "'t': a capacity that makes no sense");
}

// A file of a megabyte that stands for a hundred gigabytes of text.
TEST(TraceLimits, RefusesSnapshotsOfTooMuchText) {
  std::string lines =
      R"({"record":"lines","lines":[[")" + std::string(1 << 19, 'x') + "\",0,0,null]]}\n";
  std::vector<std::string> ids(1 << 17, "0");
  expectRefused(lines + R"({"record":"snapshot","full":[)" + llvm::join(ids, ",") + "]}",
                "a snapshot with more text than can be shown");
}

TEST(TraceLimits, RefusesMoreSnapshotsThanCanBeKept) {
  std::vector<std::string> ids(1 << 17, "0");
  std::string records = "{\"record\":\"lines\",\"lines\":[[\"x\",0,0,null]]}\n"
                        R"({"record":"snapshot","full":[)" +
                        llvm::join(ids, ",") + "]}\n{\"record\":\"passEnd\"}";
  for (int i = 0; i != 128; ++i)
    records += "\n{\"record\":\"snapshot\",\"edits\":[]}\n{\"record\":\"passEnd\"}";
  expectRefused(records, "more snapshots than can be kept");
}

} // namespace
} // namespace tilescope::test
