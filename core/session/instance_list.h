// The traces of a folder that is open: a table that fills trace by trace, so that it is there at
// once however many there are.
#pragma once

#include "core/trace_file/trace_folder.h"
#include "core/views/instances_model.h"

namespace tilescope {

class InstanceList {
public:
  // Of the first records alone. An error as of readTraceFolder.
  static llvm::Expected<InstanceList> open(const std::string &folder);

  // In the order of readTraceFolder, then what cannot be read. Rows from `readCount` on have no
  // figures yet.
  const InstancesView &view() const { return view_; }
  size_t readCount() const { return readCount_; }
  const std::string &pathOf(size_t row) const { return paths_[row]; }

  // Reads the trace of one more row. False: all of them were.
  bool readNext();

private:
  InstancesView view_;
  std::vector<std::string> paths_; // by row
  size_t readCount_ = 0;
};

} // namespace tilescope
