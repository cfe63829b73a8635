// The trace file: what is written is read back, and what is damaged is recovered or refused.
#include "core/json/json_value.h"
#include "core/support/line_edits.h"
#include "core/trace/trace_fields.h"
#include "core/trace/trace_queries.h"
#include "core/trace_file/trace_reader.h"
#include "core/trace_file/trace_writer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilescope;

namespace {

SharedPart<LineId> linesOf(std::vector<LineId> lines) {
  return std::make_shared<const std::vector<LineId>>(std::move(lines));
}

// Two passes that change something and one that does not.
Trace sampleTrace() {
  Trace trace;
  trace.header.file = "gemm.py";
  trace.header.fileText = "import tilelang\n";
  trace.header.target = "sm_80";
  trace.header.parameters = {{"M", "int", "1024", ""}};
  trace.lines = {{"def main():", StmtId(), BufferId(), {}},
                 {"    T.fill(A, 0)", StmtId(3), BufferId(), Span{FileId(0), 7, 5, 7, 17}},
                 {"    T.copy(A, B)", StmtId(4), BufferId(), Span{FileId(0), 8, 5, 8, 17}}};
  TraceSnapshot first;
  first.lines = linesOf({0, 1});
  BufferRecord buffer;
  buffer.id = BufferId(1);
  buffer.name = "A_shared";
  buffer.shape = {"128", "m"};
  first.buffers = std::make_shared<const std::vector<BufferRecord>>(1, buffer);
  ArenaRecord arena;
  arena.function = "main";
  arena.preview = false;                                // not the default, though false
  arena.plan.certificate.kind = ProofKind::LiveAtPoint; // ditto, though the first value
  first.arenas = std::make_shared<const std::vector<ArenaRecord>>(1, arena);
  TraceSnapshot second = first;
  second.lines = linesOf({0, 2, 1});
  trace.snapshots = {first, second};
  trace.passes.resize(3);
  trace.passes[0].name = "elaborate";
  trace.passes[0].status = PassStatus::Changed;
  trace.passes[1].name = "simplify";
  trace.passes[1].verdicts.verified = Verdict::Yes;
  trace.passes[1].verdicts.arenaSound = Verdict::No;
  trace.passes[2].name = "plan-pipeline";
  trace.passes[2].status = PassStatus::Changed;
  trace.passes[2].snapshot = 1;
  trace.passes[2].wallMicroseconds = 12;
  trace.passes[2].figures = {.linesAdded = 1, .sharedBytes = 64, .sharedIsPreview = false};
  trace.passes[2].remarks = {{"LoopPipelined", StmtId(4), {BufferId(1)}, {}, "3 stages"}};
  trace.tags = {"s1", "", "b2 span=1:2-1:3"};
  trace.cuda = "// nothing\n";
  return trace;
}

std::string writtenText(const Trace &trace, llvm::StringRef olderText = "") {
  llvm::SmallString<128> path;
  int file = -1;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("tilescope", "trace", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << olderText;
  auto writer = llvm::cantFail(TraceWriter::open(path.str().str()));
  writer->writeHeader(trace.header);
  for (size_t i = 0; i < trace.passes.size(); ++i) {
    writer->beginPass(trace.passes[i].name, trace.passes[i].options);
    writer->writePass(trace, i);
  }
  llvm::cantFail(writer->close(trace));
  std::string text = (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  (void)llvm::sys::fs::remove(path);
  return text;
}

std::string errorOf(llvm::Expected<Trace> trace) {
  return trace ? "" : llvm::toString(trace.takeError());
}

} // namespace

TEST(Trace, LeavesNothingOfAnOlderFile) {
  std::string text = writtenText(sampleTrace());
  EXPECT_EQ(writtenText(sampleTrace(), text + text), text);
  EXPECT_EQ(writtenText(sampleTrace(), "x"), text);
}

TEST(Trace, ReadsBackWhatWasWritten) {
  Trace trace = sampleTrace();
  Trace read = llvm::cantFail(readTrace(writtenText(trace), "t"));
  EXPECT_TRUE(read.complete);
  EXPECT_EQ(read.recovery, "");
  EXPECT_EQ(toJson(read.header), toJson(trace.header));
  EXPECT_EQ(read.lines, trace.lines);
  ASSERT_EQ(read.snapshots.size(), 2U);
  EXPECT_EQ(*read.snapshots[1].lines, *trace.snapshots[1].lines);
  EXPECT_EQ(*read.snapshots[1].buffers, *trace.snapshots[1].buffers);
  EXPECT_EQ(toJson(*read.snapshots[1].arenas), toJson(*trace.snapshots[1].arenas));
  EXPECT_FALSE(read.snapshots[1].arenas->front().preview);
  EXPECT_EQ(read.snapshots[1].arenas->front().plan.certificate.kind, ProofKind::LiveAtPoint);
  ASSERT_EQ(read.passes.size(), 3U);
  EXPECT_EQ(read.passes[1].snapshot, 0U);
  EXPECT_EQ(read.passes[1].verdicts.verified, Verdict::Yes);
  EXPECT_EQ(read.passes[1].verdicts.arenaSound, Verdict::No);
  EXPECT_EQ(read.passes[1].verdicts.hazardFree, Verdict::NotEstablished);
  EXPECT_EQ(read.tags, trace.tags);
  EXPECT_EQ(read.passes[2].remarks, trace.passes[2].remarks);
  EXPECT_EQ(read.passes[1].figures, std::nullopt);
  EXPECT_EQ(read.passes[2].figures, trace.passes[2].figures);
  EXPECT_EQ(read.passes[2].wallMicroseconds, 12);
  EXPECT_EQ(read.cuda, trace.cuda);
}

TEST(Trace, KeepsWhichLinesWereWorkedOut) {
  Trace trace = sampleTrace();
  EXPECT_EQ(writtenText(trace).find("carried"), std::string::npos);
  TraceLine carried = trace.lines[2];
  carried.isCarried = true;
  trace.lines.set(2, carried);
  trace.cudaMap = {{1, StmtId(3), Span{FileId(0), 7, 5, 7, 17}, {}, false},
                   {2, StmtId(4), Span{FileId(0), 8, 5, 8, 17}, {}, true}};
  Trace read = llvm::cantFail(readTrace(writtenText(trace), "t"));
  EXPECT_EQ(read.lines, trace.lines);
  EXPECT_EQ(lineText(read.lines[1].sourceLine()), "7");
  EXPECT_EQ(lineText(read.lines[2].sourceLine()), "~8");
  EXPECT_EQ(read.cudaMap, trace.cudaMap);
  EXPECT_EQ(writtenText(read), writtenText(trace));
}

TEST(Trace, KeepsCodeForTheDevice) {
  Trace trace = sampleTrace();
  EXPECT_EQ(deviceOf(trace), nullptr) << "of CUDA the toolkit is asked";
  trace.codeLanguage = PtxLanguage;
  Trace read = llvm::cantFail(readTrace(writtenText(trace), "t"));
  EXPECT_EQ(read.codeLanguage, "ptx");
  ASSERT_NE(deviceOf(read), nullptr);
  EXPECT_EQ(deviceOf(read)->noSass, "no SASS: it was not recorded");

  DeviceListing recorded;
  recorded.sass = "        /*0000*/                   EXIT ;\n";
  recorded.cubin = "AAECAw==";
  recorded.kernels.push_back({.kernel = "matmul", .registers = 32});
  trace.device = std::make_shared<const DeviceListing>(recorded);
  read = llvm::cantFail(readTrace(writtenText(trace), "t"));
  ASSERT_NE(deviceOf(read), nullptr);
  EXPECT_EQ(*deviceOf(read), recorded);
  EXPECT_EQ(writtenText(read), writtenText(trace));
}

TEST(Trace, RecoversEveryPassBeforeATear) {
  std::string text = writtenText(sampleTrace());
  size_t header = text.find('\n') + 1;
  size_t previousPasses = 0;
  for (size_t length = header; length < text.size(); ++length) {
    Trace read = llvm::cantFail(readTrace(llvm::StringRef(text).take_front(length), "t"));
    EXPECT_GE(read.passes.size(), previousPasses);
    previousPasses = read.passes.size();
    if (length + 1 < text.size())
      EXPECT_NE(read.recovery, "");
  }
  EXPECT_EQ(previousPasses, 3U);
}

TEST(Trace, SurvivesAnyChangedByte) {
  std::string text = writtenText(sampleTrace());
  for (size_t i = 0; i < text.size(); ++i) {
    for (char c : {'0', '9', '"', '{', '\n', '\xff'}) {
      std::string damaged = text;
      damaged[i] = c;
      llvm::Expected<Trace> read = readTrace(damaged, "t");
      if (!read) {
        EXPECT_LT(i, text.find('\n') + 1) << "only a damaged header may refuse the file";
        llvm::consumeError(read.takeError());
      } else {
        EXPECT_LE(read->passes.size(), 3U);
      }
    }
  }
}

TEST(Trace, RefusesANewerMajorVersionWithBothNumbers) {
  std::string text = R"({"record":"trace","major":2,"minor":1})";
  EXPECT_EQ(errorOf(readTrace(text, "t")),
            "'t' has trace format 2.1; this program reads up to 1.x");
}

TEST(Trace, SkipsRecordsAndFieldsOfALaterMinorVersion) {
  std::string text = "{\"record\":\"trace\",\"major\":1,\"minor\":7,\"mood\":\"fine\"}\n"
                     "{\"record\":\"weather\",\"degrees\":[1,2]}\n"
                     "{\"record\":\"passEnd\",\"name\":\"elaborate\",\"colour\":3}\n";
  Trace read = llvm::cantFail(readTrace(text, "t"));
  ASSERT_EQ(read.passes.size(), 1U);
  EXPECT_EQ(read.passes[0].name, "elaborate");
}

TEST(Trace, StopsAtALineIdThatDoesNotExist) {
  std::string text = "{\"record\":\"trace\",\"major\":1}\n"
                     "{\"record\":\"passEnd\",\"name\":\"elaborate\"}\n"
                     "{\"record\":\"snapshot\",\"full\":[4000000000]}\n";
  Trace read = llvm::cantFail(readTrace(text, "t"));
  EXPECT_EQ(read.passes.size(), 1U);
  EXPECT_NE(read.recovery.find("line 3"), std::string::npos) << read.recovery;
}

TEST(Trace, StopsAtAnAccessProgramWithACycle) {
  std::string text = "{\"record\":\"trace\",\"major\":1}\n"
                     "{\"record\":\"accesses\",\"accesses\":[{\"program\":{\"nodes\":"
                     "[{\"children\":[0]}]}}]}\n";
  Trace read = llvm::cantFail(readTrace(text, "t"));
  EXPECT_NE(read.recovery.find("no tree"), std::string::npos) << read.recovery;
}

// Sums of such figures would overflow, and a planner would not end well.
TEST(Trace, RefusesSenselessArenas) {
  for (const char *buffer :
       {R"({"sizeBytes":-1})", R"({"sizeBytes":9223372036854775807})", R"({"alignmentBytes":0})",
        R"({"sizeBytes":64,"versions":0})", R"({"live":[{"begin":3,"end":3}]})",
        R"({"live":[{"begin":3,"end":5},{"begin":4,"end":6}]})", R"({"pinnedOffset":-16})"}) {
    std::string text = std::string("{\"record\":\"trace\",\"major\":1}\n") +
                       R"({"record":"arenas","arenas":[{"problem":{"buffers":[)" + buffer +
                       "]}}]}\n";
    Trace read = llvm::cantFail(readTrace(text, "t"));
    EXPECT_NE(read.recovery.find("senseless figures"), std::string::npos) << buffer;
  }
  std::string text = "{\"record\":\"trace\",\"major\":1}\n"
                     R"({"record":"arenas","arenas":[{"plan":{"heightBytes":-1}}]})"
                     "\n";
  Trace read = llvm::cantFail(readTrace(text, "t"));
  EXPECT_NE(read.recovery.find("senseless figures"), std::string::npos);
}

TEST(Trace, RefusesSenselessFiguresOfAPass) {
  for (const char *figures : {R"({"sharedBytes":-1})", R"({"linesAdded":9223372036854775807})",
                              R"({"linesRemoved":-5})"}) {
    std::string text = std::string("{\"record\":\"trace\",\"major\":1}\n") +
                       R"({"record":"passEnd","figures":)" + figures + "}\n";
    Trace read = llvm::cantFail(readTrace(text, "t"));
    EXPECT_NE(read.recovery.find("senseless figures"), std::string::npos) << figures;
  }
}

TEST(Trace, RefusesAFileThatIsNoTrace) {
  EXPECT_EQ(errorOf(readTrace("import tilelang\n", "k.py")), "'k.py' is not a Tilescope trace");
  EXPECT_EQ(errorOf(readTrace("", "empty")), "'empty' is not a Tilescope trace");
}

TEST(Trace, ReportsAFullDisk) {
  auto writer = llvm::cantFail(TraceWriter::open("/dev/full"));
  Trace trace = sampleTrace();
  writer->writeHeader(trace.header);
  std::string error = llvm::toString(writer->close(trace));
  EXPECT_EQ(error, "cannot write trace '/dev/full': No space left on device");
}

TEST(LineEdits, AreShortForTextsThatAreAlike) {
  std::vector<LineId> before{1, 2, 3, 4, 5};
  std::vector<LineId> after{1, 3, 9, 4, 5, 6};
  std::vector<LineEdit> edits = diffLines(before, after);
  std::vector<LineEdit> expected{{1, 1, {}}, {3, 0, {9}}, {5, 0, {6}}};
  EXPECT_EQ(edits, expected);
}

TEST(LineEdits, ReproduceRandomTexts) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<LineId> texts[2];
    for (std::vector<LineId> &text : texts)
      for (unsigned i = random() % 30; i > 0; --i)
        text.push_back(random() % 6);
    std::optional<std::vector<LineId>> applied =
        applyLineEdits(texts[0], diffLines(texts[0], texts[1]));
    ASSERT_TRUE(applied);
    ASSERT_EQ(*applied, texts[1]);
  }
}

TEST(LineEdits, RefuseEditsOutsideTheText) {
  std::vector<LineId> before{1, 2};
  EXPECT_FALSE(applyLineEdits(before, {{3, 0, {}}}));
  EXPECT_FALSE(applyLineEdits(before, {{1, 2, {}}}));
  EXPECT_FALSE(applyLineEdits(before, {{1, 0, {}}, {0, 0, {}}}));
}
