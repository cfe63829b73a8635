// NVRTC, nvcc and the driver where they are; what is said where they are not.
#ifdef TILESCOPE_HAS_CUDA

#include "core/cuda/device.h"
#include "core/cuda/toolkit.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

DeviceCompileRequest request(BinaryKind kind) {
  DeviceCompileRequest result;
  result.source =
      "#ifndef __CUDACC_RTC__\n#include <cuda_runtime.h>\n#endif\n#include <cuda_fp16.h>\n"
      "extern \"C\" __global__ void twice(half *x) { x[threadIdx.x] = x[threadIdx.x] + "
      "x[threadIdx.x]; }\n";
  result.name = "twice.cu";
  result.architecture = "sm_80";
  result.kind = kind;
  return result;
}

bool isMissing(const std::string &error) { return llvm::StringRef(error).starts_with("no "); }

TEST(ToolkitTest, NvrtcMakesPtxAndCubin) {
  for (BinaryKind kind : {BinaryKind::Ptx, BinaryKind::Cubin}) {
    llvm::Expected<DeviceBinary> binary = compileWithNvrtc(request(kind));
    if (!binary) {
      std::string error = llvm::toString(binary.takeError());
      ASSERT_TRUE(isMissing(error)) << error;
      GTEST_SKIP() << error;
    }
    llvm::StringRef bytes(binary->bytes.data(), binary->bytes.size());
    EXPECT_TRUE(bytes.contains("twice"));
    EXPECT_TRUE(kind == BinaryKind::Ptx ? bytes.contains(".target sm_80")
                                        : bytes.starts_with("\x7f"
                                                            "ELF"));
  }
}

TEST(ToolkitTest, NvccMakesPtx) {
  llvm::Expected<DeviceBinary> binary = compileWithNvcc(request(BinaryKind::Ptx));
  if (!binary) {
    std::string error = llvm::toString(binary.takeError());
    ASSERT_TRUE(isMissing(error)) << error;
    GTEST_SKIP() << error;
  }
  EXPECT_TRUE(llvm::StringRef(binary->bytes.data(), binary->bytes.size()).contains("twice"));
}

TEST(ToolkitTest, RefusalsSayWhichLine) {
  DeviceCompileRequest wrong = request(BinaryKind::Ptx);
  wrong.foreign = {{7, 3}};
  std::string inForeign =
      refusalText("NVRTC", wrong, "k.cu(8): error: identifier \"x\" is undefined\n");
  EXPECT_EQ(inForeign,
            "NVRTC does not accept line 2 of the CUDA that the kernel imports: "
            "identifier \"x\" is undefined\nk.cu(8): error: identifier \"x\" is undefined\n");
  EXPECT_EQ(
      refusalText("nvcc", wrong, "k.cu(10): error: expected a \";\"\n"),
      "nvcc does not accept the kernel: expected a \";\"\nk.cu(10): error: expected a \";\"\n");
  EXPECT_EQ(refusalText("nvcc", wrong, "out of memory"),
            "nvcc does not accept the kernel\nout of memory");
}

TEST(ToolkitTest, ErrorsHoldTheLog) {
  DeviceCompileRequest wrong = request(BinaryKind::Ptx);
  wrong.source += "not C++\n";
  llvm::Expected<DeviceBinary> binary = compileForDevice(wrong);
  ASSERT_FALSE(static_cast<bool>(binary));
  std::string error = llvm::toString(binary.takeError());
  EXPECT_TRUE(isMissing(error) || error.find("twice.cu") != std::string::npos ||
              error.find("kernel.cu") != std::string::npos)
      << error;
}

TEST(ToolkitTest, SaysThatThereIsNoDriver) {
  llvm::Expected<std::unique_ptr<Device>> device = Device::open();
  if (device)
    GTEST_SKIP() << "there is a GPU here: " << (*device)->name();
  std::string error = llvm::toString(device.takeError());
  EXPECT_TRUE(error == "no CUDA driver on this machine: libcuda.so.1 not found" ||
              llvm::StringRef(error).starts_with("CUDA driver: ") ||
              llvm::StringRef(error).starts_with("no GPU"))
      << error;
}

} // namespace
} // namespace tilescope

#endif
