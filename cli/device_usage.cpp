#include "cli/device_usage.h"

#include "core/trace/missing_cuda.h"
#ifdef TILESCOPE_HAS_CUDA
#include "core/cuda/toolkit.h"
#endif

namespace tilescope {

#ifdef TILESCOPE_HAS_CUDA
llvm::Expected<std::string> askPtxasLog(const std::string &cuda, const std::string &architecture,
                                        bool fastMath, const std::string &cudaPath) {
  DeviceCompileRequest request;
  request.source = cuda;
  request.name = "kernel.cu";
  request.architecture = architecture;
  request.fastMath = fastMath;
  request.logsUsage = true;
  request.cudaPath = cudaPath;
  llvm::Expected<DeviceBinary> binary = compileForDevice(request);
  if (!binary)
    return binary.takeError();
  return std::move(binary->log);
}
#else
llvm::Expected<std::string> askPtxasLog(const std::string &, const std::string &, bool,
                                        const std::string &) {
  return llvm::createStringError("this tilescope was built without the CUDA headers");
}
#endif

llvm::Error PtxasOption::check(const std::string &cudaPath) const {
  if (!ptxas_)
    return llvm::Error::success();
  llvm::Expected<std::string> log =
      askPtxasLog("__global__ void probe() {}", "sm_80", /*fastMath=*/false, cudaPath);
  return log ? llvm::Error::success()
             : llvm::createStringError("--ptxas: " + llvm::toString(log.takeError()));
}

llvm::Error PtxasOption::addTo(Trace &trace, const std::string &cudaPath) const {
  if (!ptxas_ || trace.device)
    return llvm::Error::success();
  if (trace.cuda.empty())
    return llvm::createStringError("--ptxas: there is no CUDA: " + reasonOfMissingCuda(trace));
  // The first line says what the CUDA is to be compiled with.
  bool fastMath = llvm::StringRef(trace.cuda).split('\n').first.contains("--use_fast_math");
  llvm::Expected<std::string> log =
      askPtxasLog(trace.cuda, trace.header.target, fastMath, cudaPath);
  if (!log)
    return llvm::createStringError("--ptxas: " + llvm::toString(log.takeError()));
  DeviceListing listing;
  listing.noSass = "no SASS: registers alone were asked for";
  listing.kernels = readPtxasLog(*log);
  if (listing.kernels.empty())
    return llvm::createStringError("--ptxas: ptxas does not say how many registers it used");
  trace.device = std::make_shared<const DeviceListing>(std::move(listing));
  return llvm::Error::success();
}

} // namespace tilescope
