// PTX, SASS and what ptxas says of emitted CUDA, by nvcc and nvdisasm; SASS of a recorded cubin.
#pragma once

#include "core/target/device_listing.h"

#include <atomic>
#include <memory>

namespace tilescope {

struct ListingRequest {
  std::string cuda;                        // what it has to be compiled with, its first line says
  std::string target;                      // "sm_80"
  std::string cudaPath;                    // --cuda-path; "": CUDA_HOME, the usual folders, PATH
  const std::atomic<bool> *stop = nullptr; // true: nobody wants it any more
  // What a trace records of emitted PTX: nothing is compiled, and its SASS is made of its cubin.
  std::shared_ptr<const DeviceListing> recorded = nullptr;
};

// What cannot be had is said in the listing. Leaves nothing behind.
DeviceListing listDeviceCode(const ListingRequest &request);

} // namespace tilescope
