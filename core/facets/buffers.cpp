#include "core/facets/buffers.h"

#include "core/access/bank_passes.h"
#include "core/analysis/bank_conflicts.h"
#include "core/analysis/global_accesses.h"
#include "core/analysis/live_registers.h"
#include "core/ir/print_expr.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

BufferRecord recordOf(const Function &function, const Buffer &buffer, const TextNames &names) {
  BufferRecord record;
  record.id = buffer.id;
  record.key = {function.name.str(), buffer.sourceName.str(), buffer.ordinal, buffer.role.str()};
  record.name = buffer.name.str();
  record.dtype = buffer.dtype.name();
  for (const Expr *extent : buffer.shape)
    record.shape.push_back(printExpr(names, *extent));
  record.scope = bufferScopeOf(nameOf(buffer.scope));
  record.versions = buffer.versions;
  if (buffer.layout)
    record.layout = toString(*buffer.layout);
  if (std::optional<int64_t> bytes = versionBytes(buffer))
    record.sizeBytes = *bytes * buffer.versions;
  record.offsetBytes = buffer.offsetBytes;
  record.origin = buffer.origin;
  record.span = buffer.span;
  return record;
}

BufferRecord *recordIn(std::vector<BufferRecord> &records, BufferId id) {
  auto found = llvm::find_if(records, [&](const BufferRecord &record) { return record.id == id; });
  return found == records.end() ? nullptr : &*found;
}

void addBanks(Context &context, const Function &function, std::vector<BufferRecord> &records) {
  for (const BankAccess &access : computeBankAccesses(context, function)) {
    BufferRecord *record = recordIn(records, access.buffer);
    if (!record)
      continue;
    BankRecord &bank = record->banks.emplace_back();
    bank = {access.stmt->id(), access.isWrite, access.bytes, access.passes, access.least, {},
            access.isShifted};
    for (const auto &lanes : access.warps)
      bank.warps.push_back(packLanes(lanes));
  }
}

void addSectors(Context &context, const Function &function, std::vector<BufferRecord> &records) {
  for (const GlobalAccess &access : computeGlobalAccesses(context, function)) {
    BufferRecord *record = recordIn(records, access.buffer);
    if (!record)
      continue;
    SectorRecord &sectors = record->sectors.emplace_back();
    sectors = {access.stmt->id(), access.isWrite, access.bytes, access.sectors,
               access.least,      access.lines,   {},           access.isShifted};
    for (const auto &lanes : access.warps)
      sectors.warps.push_back(packLanes(lanes));
  }
}

void addRegisters(Context &context, const Function &function, std::vector<BufferRecord> &records) {
  for (const RegisterLife &life : computeRegisterLives(context, function))
    if (BufferRecord *record = recordIn(records, life.buffer)) {
      record->registers = life.registers;
      record->liveFrom = life.first->id();
      record->liveTo = life.last->id();
    }
}

} // namespace

BufferScope bufferScopeOf(llvm::StringRef name) {
  const auto *found = llvm::find(BufferScopeNames, name);
  return found == std::end(BufferScopeNames)
             ? BufferScope::Unknown
             : static_cast<BufferScope>(found - std::begin(BufferScopeNames));
}

bool isShared(BufferScope scope) {
  return scope == BufferScope::SharedDynamic || scope == BufferScope::SharedStatic ||
         scope == BufferScope::SharedBarrier || scope == BufferScope::SharedClusterBarrier;
}

void computeFacet(const Module &module, const Target & /*target*/,
                  std::vector<BufferRecord> &records) {
  llvm::DenseSet<uint32_t> seen; // device functions share the parameters of their host function
  for (const Function *function : module.functions) {
    const TextNames &names = textNamesOf(*module.context, *function);
    for (const Buffer *buffer : function->buffers)
      if (seen.insert(buffer->id.value).second)
        records.push_back(recordOf(*function, *buffer, names));
    if (!function->properties.has(Property::ArenaPlanned))
      continue;
    addBanks(*module.context, *function, records);
    addSectors(*module.context, *function, records);
    addRegisters(*module.context, *function, records);
  }
}

} // namespace tilescope
