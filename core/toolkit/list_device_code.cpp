#include "core/toolkit/list_device_code.h"

#include "core/toolkit/programs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral FastMath = "--use_fast_math";

std::string readText(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

class Lister {
public:
  Lister(const ListingRequest &request, std::string folder)
      : request_(request), folder_(std::move(folder)) {}

  llvm::Expected<DeviceListing> list() {
    DeviceListing listing;
    if (llvm::Error error = assemble(listing))
      return error;
    if (llvm::Error error = disassemble(listing, "-gi"))
      listing.noSass = llvm::toString(std::move(error));
    return listing;
  }

  DeviceListing listRecorded() {
    DeviceListing listing = *request_.recorded;
    llvm::Error error = writeCubin(listing.cubin);
    if (!error)
      error = disassemble(listing, "-gp");
    if (error)
      listing.noSass = "no SASS: " + llvm::toString(std::move(error));
    return listing;
  }

private:
  std::string path(llvm::StringRef name) const { return folder_ + "/" + name.str(); }

  // The folder has another name each time.
  std::string withoutFolder(std::string text) const {
    std::string part = folder_ + "/";
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
      text.erase(at, part.size());
    return text;
  }

  // PTX is what nvcc keeps on its way to the cubin.
  llvm::Error assemble(DeviceListing &listing) {
    llvm::Expected<std::string> nvcc = findToolkitProgram("nvcc", request_.cudaPath);
    if (!nvcc)
      return nvcc.takeError();
    std::error_code code;
    llvm::raw_fd_ostream(path(ListedCudaFile), code) << request_.cuda;
    if (code)
      return llvm::createStringError("cannot write '" + path(ListedCudaFile) +
                                     "': " + code.message());
    std::vector<std::string> arguments = {"-arch=" + request_.target,
                                          "-std=c++17",
                                          "-lineinfo",
                                          "-cubin",
                                          "-keep",
                                          "-keep-dir",
                                          folder_,
                                          "-Xptxas",
                                          "-v",
                                          "-o",
                                          path("kernel.cubin"),
                                          path(ListedCudaFile)};
    if (llvm::StringRef(request_.cuda).split('\n').first.contains(FastMath))
      arguments.push_back(FastMath.str());
    llvm::Expected<ChildRun> run = runChild(*nvcc, arguments, path("nvcc.log"), request_.stop);
    if (!run)
      return run.takeError();
    listing.log = withoutFolder(std::move(run->log));
    if (run->status != 0)
      return llvm::createStringError("nvcc does not accept the CUDA:\n" + listing.log);
    listing.ptx = withoutFolder(readText(path("kernel.ptx")));
    return llvm::Error::success();
  }

  llvm::Error writeCubin(llvm::StringRef recorded) {
    std::vector<char> bytes;
    if (llvm::Error error = llvm::decodeBase64(recorded, bytes))
      return error;
    std::error_code code;
    llvm::raw_fd_ostream(path("kernel.cubin"), code) << llvm::StringRef(bytes.data(), bytes.size());
    return code ? llvm::createStringError("cannot write '" + path("kernel.cubin") +
                                          "': " + code.message())
                : llvm::Error::success();
  }

  // `lines`: the option that asks for lines, of the CUDA or of the PTX.
  llvm::Error disassemble(DeviceListing &listing, const char *lines) {
    llvm::Expected<std::string> program = findToolkitProgram("nvdisasm", request_.cudaPath);
    if (!program)
      return program.takeError();
    llvm::Expected<ChildRun> run =
        runChild(*program, {"-c", lines, path("kernel.cubin")}, path("sass"), request_.stop);
    if (!run)
      return run.takeError();
    if (run->status != 0)
      return llvm::createStringError("nvdisasm cannot read the cubin: " + run->log);
    listing.sass = withoutFolder(std::move(run->log));
    return llvm::Error::success();
  }

  const ListingRequest &request_;
  std::string folder_;
};

} // namespace

DeviceListing listDeviceCode(const ListingRequest &request) {
  if (request.recorded && request.recorded->cubin.empty())
    return *request.recorded;
  DeviceListing listing;
  auto refuse = [&](llvm::Error error) {
    listing.refusal = llvm::StringRef(llvm::toString(std::move(error))).rtrim().str();
    return listing;
  };
  if (llvm::Error error = checkCudaPath(request.cudaPath))
    return refuse(std::move(error));
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tilescope", folder))
    return refuse(llvm::createStringError("cannot make a temporary folder: " + code.message()));
  auto removeFolder =
      llvm::make_scope_exit([&] { (void)llvm::sys::fs::remove_directories(folder); });
  Lister lister(request, folder.str().str());
  if (request.recorded)
    return lister.listRecorded();
  llvm::Expected<DeviceListing> made = lister.list();
  return made ? std::move(*made) : refuse(made.takeError());
}

} // namespace tilescope
