// Hand-built lowered functions for the emitter; where there is a real compiler, it compiles the
// text.
#pragma once

#include "core/codegen/cuda_emitter.h"
#include "core/ir/build.h"
#ifdef TILESCOPE_HAS_CUDA
#include "core/cuda/toolkit.h"
#endif

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include "tests/source_folder.h"
#include "gtest/gtest.h"

namespace tilescope {

// One device function of 128 threads, put together by a test.
class EmitterTest : public testing::Test {
protected:
  EmitterTest()
      : file(files.add("kernels/gemm.py", "first line\n    T.gemm(A_shared, B_shared)\n")) {}

  Buffer *declare(llvm::StringRef name, DType dtype, llvm::ArrayRef<const Expr *> shape,
                  Scope scope) {
    auto buffer = std::make_unique<Buffer>();
    buffer->id = context.nextBufferId();
    buffer->name = buffer->sourceName = context.intern(name);
    buffer->dtype = dtype;
    buffer->shape = context.copy<const Expr *>(shape);
    buffer->scope = scope;
    buffers.push_back(std::move(buffer));
    return buffers.back().get();
  }
  const Expr *number(int64_t value) { return b.integer(value); }
  StmtInfo info() { return b.fresh(Span()); }
  StmtInfo at(uint32_t line) { return b.fresh(Span{file, line, 1, line, 10}); }
  BufferRegion run(const Buffer &buffer, const Expr *slot, llvm::ArrayRef<const Expr *> start,
                   int64_t extent) {
    llvm::SmallVector<Range> ranges;
    for (const Expr *index : start)
      ranges.push_back({index, number(1)});
    ranges.back().extent = number(extent);
    return b.region(buffer.id, slot, ranges);
  }

  CudaSource emit(llvm::ArrayRef<const Stmt *> body, llvm::ArrayRef<const Expr *> grid = {},
                  BlockRaster raster = {}, bool aliases = true) {
    llvm::SmallVector<const Expr *> extents(grid);
    if (extents.empty())
      extents = {number(8), number(8)};
    extents.resize(2, number(1));
    Function function;
    function.name = "matmul_kernel";
    function.functionKind = FunctionKind::Device;
    function.params = context.copy<Param>(params);
    std::vector<const Buffer *> table;
    table.reserve(buffers.size());
    for (auto &buffer : buffers)
      table.push_back(context.make<Buffer>(*buffer));
    function.buffers = context.copy<const Buffer *>(table);
    function.body =
        context.make<Launch>(info(), context.copy({bx, by}), context.copy<const Expr *>(extents),
                             tx, 128, b.seq(info(), body), raster);
    Module module;
    module.context = &context;
    module.functions = context.copy({context.make<Function>(function)});
    return emitCuda(module, **findTarget("sm_80"), files, CudaOptions{aliases});
  }

  static bool contains(const CudaSource &source, llvm::StringRef text) {
    return llvm::StringRef(source.text).contains(text);
  }

  // Compiles with nvcc, if there is one, warnings being errors.
  static void expectCompiles(const CudaSource &source) {
    llvm::ErrorOr<std::string> nvcc =
        llvm::sys::findProgramByName("nvcc", {inSourceFolder(".cuda/bin"), "/usr/local/cuda/bin"});
    if (!nvcc)
      GTEST_SKIP() << "no nvcc on this machine";
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kernel", "cu", path));
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << source.text;
    std::string log = path.str().str() + ".log";
    std::string object = path.str().str() + ".o";
    int status = llvm::sys::ExecuteAndWait(
        *nvcc,
        {*nvcc, "-arch=sm_80", "-std=c++17", "-c", "-Werror", "all-warnings", path, "-o", object},
        std::nullopt, {"", llvm::StringRef(log), llvm::StringRef(log)});
    auto messages = llvm::MemoryBuffer::getFile(log);
    EXPECT_EQ(status, 0) << (messages ? (*messages)->getBuffer().str() : "") << source.text;
    for (llvm::StringRef name :
         {llvm::StringRef(path), llvm::StringRef(log), llvm::StringRef(object)})
      (void)llvm::sys::fs::remove(name);
  }

  // Compiles the device part with NVRTC, if there is one; quicker, but silent about warnings.
  static void expectNvrtcCompiles(const CudaSource &source) {
#ifdef TILESCOPE_HAS_CUDA
    llvm::Expected<DeviceBinary> binary = compileWithNvrtc({source.text, "kernel.cu", "sm_80"});
    if (binary)
      return;
    std::string error = llvm::toString(binary.takeError());
    EXPECT_TRUE(llvm::StringRef(error).starts_with("no ")) << error << source.text;
#endif
  }

  static void expectShortLines(const CudaSource &source) {
    llvm::StringRef rest = source.text;
    while (!rest.empty()) {
      auto [line, tail] = rest.split('\n');
      EXPECT_LE(line.size(), 120U) << line.str();
      rest = tail;
    }
  }

  Context context;
  Builder b{context};
  SourceFiles files;
  FileId file;
  std::vector<Param> params;
  std::vector<std::unique_ptr<Buffer>> buffers;
  const Var *bx = b.var("bx");
  const Var *by = b.var("by");
  const Var *tx = b.var("tx");
};

} // namespace tilescope
