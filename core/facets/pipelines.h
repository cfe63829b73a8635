// Facet `pipelines`: the schedule of each pipelined loop.
#pragma once

#include "core/support/source.h"

#include <string>
#include <vector>

namespace tilescope {

class Module;
struct Target;

struct PipelineStmtRecord {
  StmtId stmt;
  int64_t order = 0;
  int64_t stage = 0;
  int64_t group = -1;

  friend bool operator==(const PipelineStmtRecord &, const PipelineStmtRecord &) = default;
};

struct PipelineRecord {
  StmtId loop;
  int64_t numStages = 0;
  std::vector<PipelineStmtRecord> schedule;
  std::vector<std::pair<BufferId, int64_t>> versions;
  std::string trips; // expression text

  friend bool operator==(const PipelineRecord &, const PipelineRecord &) = default;
};

void computeFacet(const Module &module, const Target &target, std::vector<PipelineRecord> &records);

} // namespace tilescope
