// PTX, SASS and what ptxas says of emitted CUDA, by nvcc and nvdisasm.
#pragma once

#include "core/target/device_listing.h"

#include <atomic>

namespace tilescope {

struct ListingRequest {
  std::string cuda;                        // what it has to be compiled with, its first line says
  std::string target;                      // "sm_80"
  std::string cudaPath;                    // --cuda-path; "": CUDA_HOME, the usual folders, PATH
  const std::atomic<bool> *stop = nullptr; // true: nobody wants it any more
};

// What cannot be had is said in the listing. Leaves nothing behind.
DeviceListing listDeviceCode(const ListingRequest &request);

} // namespace tilescope
