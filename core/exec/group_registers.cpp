// Arrays of registers of a group: what they hold, whether anybody wrote it, and who used it since
// the last fence: threads, or products of wgmma.
#include "core/exec/numbers.h"
#include "core/exec/thread_group.h"

namespace tilescope {

LaneRegisters &ThreadGroup::registersOf(const Buffer &buffer) {
  auto [found, isNew] = registers_.try_emplace(buffer.id);
  LaneRegisters &registers = found->second;
  if (!isNew)
    return registers;
  for (const Expr *extent : buffer.shape) {
    registers.shape.push_back(evaluate(extent, all_).front().i);
    registers.elements *= registers.shape.back();
  }
  size_t count = static_cast<size_t>(registers.elements) * count_;
  registers.values.assign(count, poisonOf(buffer.dtype));
  registers.isWritten.assign(count, 0);
  registers.uses.assign(count, {});
  return registers;
}

std::optional<size_t> ThreadGroup::registerOf(const LaneRegion &region, uint32_t lane,
                                              int64_t element) const {
  int64_t at = 0;
  for (size_t dim = region.extent.size(), step = 1; dim-- > 0;) {
    int64_t extent = region.registers->shape[dim];
    int64_t coordinate = region.min[dim][lane].i + takeCoordinate(element, region.extent[dim]);
    if (coordinate < 0 || coordinate >= extent)
      return std::nullopt;
    at += coordinate * static_cast<int64_t>(step);
    step *= static_cast<size_t>(extent);
  }
  return static_cast<size_t>(at) * count_ + lane;
}

Number ThreadGroup::loadRegister(const LaneRegion &region, uint32_t lane, int64_t element) {
  std::optional<size_t> at = registerOf(region, lane, element);
  if (!at) {
    findOutside(placeOf(region, lane, element));
    return poisonOf(region.buffer->dtype);
  }
  if (!region.registers->use(*at, {registerUser_, false}))
    find(FindingKind::RegisterNotFenced, lane, region.buffer->name);
  if (!region.registers->isWritten[*at])
    noteUndefined(lane, region.buffer->name);
  return region.registers->values[*at];
}

void ThreadGroup::storeRegister(const LaneRegion &region, uint32_t lane, int64_t element,
                                Number value) {
  std::optional<size_t> at = registerOf(region, lane, element);
  if (!at)
    return findOutside(placeOf(region, lane, element));
  if (!region.registers->use(*at, {registerUser_, true}))
    find(FindingKind::RegisterNotFenced, lane, region.buffer->name);
  DType dtype = region.buffer->dtype;
  region.registers->values[*at] = dtype.isFloat() ? Number{.f = roundToStored(dtype, value.f)}
                                                  : Number{.i = wrapTo(dtype, value.i)};
  region.registers->isWritten[*at] = 1;
}

void ThreadGroup::leaveUndefined(const LaneRegion &registers, uint32_t lane, int64_t element) {
  std::optional<size_t> at = registerOf(registers, lane, element);
  if (!at)
    return;
  if (!registers.registers->use(*at, {registerUser_, true}))
    find(FindingKind::RegisterNotFenced, lane, registers.buffer->name);
  registers.registers->isWritten[*at] = 0;
}

void fenceRegisters(ThreadGroup &group, const LaneRegion &region, Lanes lanes) {
  for (uint32_t lane : lanes)
    for (int64_t element = 0; element != region.size(); ++element)
      if (std::optional<size_t> at = group.registerOf(region, lane, element))
        region.registers->uses[*at] = {};
}

} // namespace tilescope
