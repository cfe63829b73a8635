// What nvcc, ptxas and nvdisasm print, read; and nvcc beside a window.
#include "core/session/device_listings.h"
#include "core/toolkit/list_device_code.h"
#include "core/views/ptx_model.h"
#include "core/views/sass_model.h"
#include "tests/source_folder.h"

#include "llvm/Support/Base64.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tilescope {
namespace {

const std::string Toolkit = inSourceFolder("tests/views/inputs/toolkit");

std::string cudaOf(const std::string &kernel) {
  return "// CUDA for sm_80, to be compiled with --use_fast_math.\n"
         "extern \"C\" __global__ void __launch_bounds__(32) " +
         kernel + "(half *x) {\n  ldmatrix_x4(registers, x);\n}\n";
}

TEST(PtxasLogTest, EachKernelHasItsResources) {
  std::vector<KernelResources> kernels = readPtxasLog(
      "ptxas info    : Function properties for a\n"
      "    40 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 223 registers, used 2 barriers, 40 bytes cumulative stack size, 64 "
      "bytes smem, 384 bytes cmem[0]\n"
      "ptxas info    : Function properties for b\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 40 registers, 352 bytes cmem[0]\n");
  EXPECT_EQ(kernels,
            (std::vector<KernelResources>{{"a", 223, 40, 8, 16, 64, 2}, {"b", 40, 0, 0, 0, 0, 0}}));
  EXPECT_EQ(textOf(kernels[1]),
            "b: 40 registers of a thread, no spills, no stack, no static shared memory");
}

TEST(SassTest, TheOutermostPlaceCounts) {
  ListedCode code =
      readSass("\t.section\t.text.a,\"ax\",@progbits\n"
               "a:\n.text.a:\n"
               "\t//## File \"kernel.cu\", line 71 inlined at \"kernel.cu\", line 219\n"
               "\t//## File \"kernel.cu\", line 219\n"
               "        /*0ce0*/                   LDSM.16.M88.4 R80, [R64+0x2000] ;\n"
               ".L_x_1:\n"
               "        /*0cf0*/              @P0  STS [R1], R2 ;\n"
               "\t//## File \"/usr/include/cuda_fp16.hpp\", line 9\n"
               "        /*0d00*/                   LDG.E R1, [R2.64] ;\n");
  ASSERT_EQ(code.lines.size(), 5u);
  EXPECT_EQ(code.lines[0].text, "a:");
  EXPECT_EQ(code.lines[0].cudaLine, 0u);
  EXPECT_EQ(code.lines[1].text, "0ce0  LDSM.16.M88.4 R80, [R64+0x2000] ;");
  EXPECT_EQ(code.lines[1].cudaLine, 219u);
  ASSERT_TRUE(code.lines[1].sharedOperand);
  EXPECT_EQ(textOf(code.lines[1].text, *code.lines[1].sharedOperand), "[R64+0x2000]");
  EXPECT_EQ(code.lines[2].text, ".L_x_1:");
  EXPECT_EQ(code.lines[3].cudaLine, 219u);
  EXPECT_TRUE(code.lines[3].sharedOperand);
  EXPECT_EQ(code.lines[4].cudaLine, 0u);
  EXPECT_FALSE(code.lines[4].sharedOperand);
}

TEST(PtxTest, PlacesAreFollowedToTheKernel) {
  ListedCode code =
      readPtx("//\n.version 9.0\n.visible .entry a(\n)\n{\n"
              "\t.loc\t1 158 5\n"
              "\t.loc\t1 93 3, function_name $L__info_string0, inlined_at 1 158 5\n"
              "\t.loc\t1 25 3, function_name $L__info_string1, inlined_at 1 93 3\n"
              "\tst.shared.v4.u32 \t[%r1+16], {%r2, %r3, %r4, %r5};\n"
              "\t.loc\t2 25 3\n\tadd.s32 \t%r1, %r2, %r3;\n"
              "\t.loc\t1 7 7, function_name $L__info_string1, inlined_at 1 7 7\n\tret;\n}\n"
              "\t.file\t1 \"kernel.cu\"\n\t.file\t2 \"other.h\"\n\t.section\t.debug_str\n\t{\n");
  std::map<std::string, uint32_t> lines;
  for (const ListedCode::Line &line : code.lines)
    lines[line.text] = line.cudaLine;
  EXPECT_EQ(lines, (std::map<std::string, uint32_t>{
                       {".version 9.0", 0},
                       {".visible .entry a(", 0},
                       {")", 0},
                       {"{", 0},
                       {"}", 0},
                       {"  st.shared.v4.u32   [%r1+16], {%r2, %r3, %r4, %r5};", 158},
                       {"  add.s32   %r1, %r2, %r3;", 0},
                       {"  ret;", 7}}));
}

TEST(ListDeviceCodeTest, SaysWhatIsMissing) {
  DeviceListing listing = listDeviceCode({cudaOf("twice"), "sm_80", Toolkit});
  EXPECT_EQ(listing.refusal, "");
  EXPECT_EQ(listing.noSass, "");
  EXPECT_NE(listing.log.find("for 'sm_80' --use_fast_math"), std::string::npos);
  EXPECT_NE(listing.sass.find("\"kernel.cu\", line 3"), std::string::npos) << listing.sass;
  EXPECT_NE(listing.ptx.find("\"kernel.cu\""), std::string::npos);
  EXPECT_EQ(listDeviceCode({cudaOf("refused"), "sm_80", Toolkit}).refusal,
            "nvcc does not accept the CUDA:\nkernel.cu(2): error: this stands for what nvcc "
            "refuses");
  EXPECT_EQ(listDeviceCode({cudaOf("twice"), "sm_80", "/nowhere"}).refusal,
            "no folder '/nowhere', which --cuda-path names");
  std::atomic<bool> stop = true;
  EXPECT_EQ(listDeviceCode({cudaOf("twice"), "sm_80", Toolkit, &stop}).refusal, "stopped");
}

// Of PTX nothing is compiled: nvdisasm reads the cubin that the trace has.
TEST(ListDeviceCodeTest, ReadsTheRecordedCubin) {
  auto listed = [](DeviceListing recorded, const std::string &toolkit) {
    return listDeviceCode(
        {"", "sm_80", toolkit, nullptr, std::make_shared<const DeviceListing>(recorded)});
  };
  DeviceListing recorded;
  recorded.kernels.push_back({.kernel = "matmul", .registers = 32});
  EXPECT_EQ(listed(recorded, Toolkit), recorded) << "there is no cubin";
  recorded.cubin = llvm::encodeBase64(llvm::StringRef("        /*0000*/   EXIT ;\n"));
  DeviceListing made = listed(recorded, Toolkit);
  EXPECT_EQ(made.sass, "        /*0000*/   EXIT ;\n");
  EXPECT_EQ(made.noSass, "");
  EXPECT_EQ(made.kernels, recorded.kernels);
  made = listed(recorded, Toolkit + "/bin");
  EXPECT_EQ(made.noSass,
            "no SASS: no bin/nvdisasm under '" + Toolkit + "/bin', which --cuda-path names");
  EXPECT_EQ(made.kernels, recorded.kernels);
  recorded.cubin = "*";
  EXPECT_EQ(listed(recorded, Toolkit).noSass.substr(0, 9), "no SASS: ");
}

// Of several texts the last counts; one that was listed is there at once.
TEST(DeviceListingsTest, KeepsByTheText) {
  setenv("CUDA_HOME", Toolkit.c_str(), 1);
  std::atomic<int> wakes = 0;
  DeviceListings listings([&] { ++wakes; });
  auto wait = [&] {
    while (listings.isBusy())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  for (const char *kernel : {"first", "second", "third"})
    EXPECT_EQ(listings.of({cudaOf(kernel), "sm_80"}), nullptr);
  wait();
  std::shared_ptr<const DeviceListing> third = listings.of({cudaOf("third"), "sm_80"});
  ASSERT_TRUE(third);
  EXPECT_NE(third->log.find("'third'"), std::string::npos);
  EXPECT_EQ(wakes, 1);
  EXPECT_EQ(listings.of({cudaOf("third"), "sm_80"}), third);
  EXPECT_EQ(listings.of({cudaOf("third"), "sm_90a"}), nullptr);
  wait();
  EXPECT_EQ(wakes, 2);
  EXPECT_EQ(listings.of({cudaOf("third"), "sm_80"}), third);
  listings.of({cudaOf("left"), "sm_80"}); // the end stops it
  unsetenv("CUDA_HOME");
}

} // namespace
} // namespace tilescope
