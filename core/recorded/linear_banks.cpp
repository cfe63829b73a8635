#include "core/recorded/linear_banks.h"

#include "core/access/linear_lanes.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace tilescope {

static BankRecord bankOf(const BufferRecord &record, LinearRecord access) {
  if (access.places.empty())
    access.places = record.places;
  BankRecord bank{access.stmt, access.isWrite, access.laneBytes, 0, 0, {}, access.isPart};
  std::optional<LinearLanes> lanes = lanesOf(access);
  if (!lanes)
    return bank;
  bank.laneBytes = lanes->laneBytes;
  bank.passes = lanes->passes.passes;
  bank.leastPasses = lanes->passes.least;
  for (const auto &places : lanes->places) {
    if (record.places.empty())
      break;
    std::vector<std::optional<int64_t>> elements;
    elements.reserve(places.size());
    for (std::optional<int64_t> place : places)
      elements.emplace_back(elementAtPlace(record.places, *place));
    bank.warps.push_back(packLanes(elements));
  }
  return bank;
}

BufferRecords withLinearBanks(BufferRecords records) {
  if (!records || llvm::all_of(*records, [](const BufferRecord &record) {
        return record.linear.empty() || !record.banks.empty();
      }))
    return records;
  std::vector<BufferRecord> made = *records;
  for (BufferRecord &record : made)
    if (record.banks.empty())
      for (const LinearRecord &access : record.linear)
        record.banks.push_back(bankOf(record, access));
  return std::make_shared<const std::vector<BufferRecord>>(std::move(made));
}

} // namespace tilescope
