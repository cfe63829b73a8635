// The text form gives back the IR at every stage of a compile.
#include "core/driver/compile.h"
#include "core/ir/printer.h"
#include "ir_dump.h"
#include "ir_text.h"
#include "tests/source_folder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tilescope {
namespace {

class RoundTripObserver : public PassObserver {
public:
  void beforePipeline(const Module &module) override { check("before any pass", module); }
  void afterPass(const PassExecution &execution, const Module &module, bool changed) override {
    if (changed)
      check("after " + execution.name.str(), module);
  }
  unsigned stages() const { return stages_; }

private:
  void check(const std::string &stage, const Module &module) {
    SCOPED_TRACE(stage);
    ++stages_;
    std::string tagged = printModule(module, true);
    Context context;
    if (const Module *again = read(context, tagged)) {
      EXPECT_EQ(dumpModule(*again, true), dumpModule(module, true));
      EXPECT_EQ(printModule(*again, true), tagged);
    }
    std::string plain = printModule(module, false);
    Context fresh;
    if (const Module *again = read(fresh, plain)) {
      EXPECT_EQ(printModule(*again, false), plain);
    }
  }

  // Spans of a compile are in its first file.
  static const Module *read(Context &context, const std::string &text) {
    SourceFiles files;
    Diagnostics diagnostics;
    FileId file = files.add("stage.py", text);
    const Module *module = readModule(context, file, files, diagnostics, FileId(0));
    if (module)
      verifyModule(*module, diagnostics);
    EXPECT_FALSE(diagnostics.hasErrors()) << renderAll(diagnostics, files) << text;
    return module;
  }

  unsigned stages_ = 0;
};

void expectRoundTrips(const CompileRequest &request) {
  RoundTripObserver observer;
  PassObserver *passes[] = {&observer};
  Observers observers;
  observers.passes = passes;
  CompileResult result = compile(request, observers);
  EXPECT_TRUE(result.succeeded()) << renderAll(result.diagnostics, result.files);
  EXPECT_GT(observer.stages(), 5U);
}

// "# tilescope: matmul --set M=1024 --set N=1024" in a kernel file; nullopt for other lines.
std::optional<CompileRequest> instanceOf(llvm::StringRef line) {
  if (!line.consume_front("# tilescope: "))
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef> words;
  line.split(words, ' ', -1, /*KeepEmpty=*/false);
  CompileRequest request;
  request.function = words.front().str();
  for (size_t index = 1; index + 1 < words.size(); index += 2) {
    auto [name, value] = words[index + 1].split('=');
    if (words[index] == "--set")
      request.arguments.emplace_back(name.str(), value.str());
    else
      request.target = words[index + 1].str();
  }
  return request;
}

TEST(IrStagesTest, EveryKernelAtEveryStage) {
  std::error_code error;
  llvm::sys::fs::directory_iterator file(inSourceFolder("testdata/kernels"), error), end;
  unsigned instances = 0;
  for (; file != end && !error; file.increment(error)) {
    auto text = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(file->path())));
    llvm::SmallVector<llvm::StringRef> lines;
    text->getBuffer().split(lines, '\n');
    for (llvm::StringRef line : lines) {
      std::optional<CompileRequest> request = instanceOf(line);
      if (!request)
        continue;
      SCOPED_TRACE(file->path() + " " + line.str());
      request->path = file->path();
      request->text = text->getBuffer().str();
      expectRoundTrips(*request);
      ++instances;
    }
  }
  EXPECT_GT(instances, 0U);
}

} // namespace
} // namespace tilescope
