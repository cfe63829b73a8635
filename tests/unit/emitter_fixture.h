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

#include "gtest/gtest.h"

namespace tilescope {

// One device function of 128 threads, put together by a test.
class EmitterTest : public testing::Test {
protected:
  EmitterTest()
      : file_(files_.add("kernels/gemm.py", "first line\n    T.gemm(A_shared, B_shared)\n")) {}

  Buffer *declare(llvm::StringRef name, DType dtype, llvm::ArrayRef<const Expr *> shape,
                  Scope scope) {
    auto buffer = std::make_unique<Buffer>();
    buffer->id = context_.nextBufferId();
    buffer->name = buffer->sourceName = context_.intern(name);
    buffer->dtype = dtype;
    buffer->shape = context_.copy<const Expr *>(shape);
    buffer->scope = scope;
    buffers_.push_back(std::move(buffer));
    return buffers_.back().get();
  }
  const Expr *number(int64_t value) { return b_.integer(value); }
  StmtInfo info() { return b_.fresh(Span()); }
  StmtInfo at(uint32_t line) { return b_.fresh(Span{file_, line, 1, line, 10}); }
  BufferRegion run(const Buffer &buffer, const Expr *slot, llvm::ArrayRef<const Expr *> start,
                   int64_t extent) {
    llvm::SmallVector<Range> ranges;
    for (const Expr *index : start)
      ranges.push_back({index, number(1)});
    ranges.back().extent = number(extent);
    return b_.region(buffer.id, slot, ranges);
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
    function.params = context_.copy<Param>(params_);
    std::vector<const Buffer *> table;
    for (auto &buffer : buffers_)
      table.push_back(context_.make<Buffer>(*buffer));
    function.buffers = context_.copy<const Buffer *>(table);
    function.body = context_.make<Launch>(info(), context_.copy({bx_, by_}),
                                          context_.copy<const Expr *>(extents), tx_, 128,
                                          b_.seq(info(), body), raster);
    Module module;
    module.context = &context_;
    module.functions = context_.copy({context_.make<Function>(function)});
    return emitCuda(module, **findTarget("sm_80"), files_, CudaOptions{aliases});
  }

  static bool contains(const CudaSource &source, llvm::StringRef text) {
    return llvm::StringRef(source.text).contains(text);
  }

  // Compiles with nvcc, if there is one, warnings being errors.
  static void expectCompiles(const CudaSource &source) {
    llvm::ErrorOr<std::string> nvcc = llvm::sys::findProgramByName(
        "nvcc", {TILESCOPE_SOURCE_DIR "/.cuda/bin", "/usr/local/cuda/bin"});
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

  Context context_;
  Builder b_{context_};
  SourceFiles files_;
  FileId file_;
  std::vector<Param> params_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  const Var *bx_ = b_.var("bx");
  const Var *by_ = b_.var("by");
  const Var *tx_ = b_.var("tx");
};

} // namespace tilescope
