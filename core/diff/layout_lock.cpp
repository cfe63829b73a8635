#include "core/diff/layout_lock.h"

#include "core/json/json_reader.h"
#include "core/json/json_value.h"
#include "core/support/number_text.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

template <typename Archive> void fields(Archive &archive, LockedBuffer &buffer) {
  archive.always("offsetBytes", buffer.offsetBytes);
  archive.always("sizeBytes", buffer.sizeBytes);
  archive.always("versions", buffer.versions);
  archive.always("atPeak", buffer.atPeak);
}

template <typename Archive> void fields(Archive &archive, LockedArena &arena) {
  archive.always("peakBytes", arena.peakBytes);
  archive.always("staticBytes", arena.staticBytes);
  archive.always("blocksPerSm", arena.blocksPerSm);
  fields(archive, arena.registers);
  archive.always("proof", arena.proof);
  archive.always("buffers", arena.buffers);
}

template <typename Archive> void fields(Archive &archive, LayoutLock &lock) {
  archive("targets", lock.targets);
  archive("files", lock.files);
}

namespace {

struct LockFormat {
  int format = 0;
};

template <typename Archive> void fields(Archive &archive, LockFormat &format) {
  archive("format", format.format);
}

constexpr int Format = 1;
// Deeper than any lock of ours.
constexpr int MaxDepth = 12;
// A figure above this is no count of bytes; sums and differences of smaller ones do not overflow.
constexpr int64_t MaxFigure = int64_t(1) << 50;

std::string keyOf(const BufferTable &declarations, const ArenaBuffer &buffer) {
  const BufferRecord *record = declarations.find(buffer.id);
  return record ? nameInFunction(record->key) : buffer.name;
}

LockedArena lockedArenaOf(const Trace &trace, const BufferTable &declarations,
                          const ArenaRecord &arena) {
  LockedArena locked;
  locked.peakBytes = arena.plan.heightBytes;
  locked.proof = proofWord(arena.plan);
  if (const Target *target = targetOf(trace)) {
    BlockDemand demand = demandOf(trace, arena, *target);
    demand.registersOfThread = 0; // what every compile knows: BlocksWithoutRegisters
    locked.staticBytes = demand.staticBytes;
    locked.blocksPerSm = blocksPerSm(*target, demand);
    locked.registers = registerUseOf(trace, arena, *target);
  }
  ProgramPoint peak = peakPoint(arena);
  for (const ArenaBuffer &buffer : arena.problem.buffers) {
    LockedBuffer &entry = locked.buffers[keyOf(declarations, buffer)];
    entry.sizeBytes = buffer.sizeBytes;
    entry.versions = buffer.versions;
    entry.atPeak = contains(buffer.live, peak) && buffer.sizeBytes > 0;
    if (const Placement *placement = arena.plan.find(buffer.id))
      entry.offsetBytes = placement->offsetBytes;
  }
  return locked;
}

std::string bytesText(llvm::StringRef what, int64_t then, int64_t now) {
  return llvm::formatv("{0} {1} -> {2} bytes ({3})", what, groupedNumber(then), groupedNumber(now),
                       signedNumber(now - then))
      .str();
}

class Comparison {
public:
  std::vector<LockChange> run(const LockedKernel &then, const LockedKernel &now) {
    for (const auto &[function, arena] : now) {
      auto before = then.find(function);
      function_ = function;
      if (before != then.end())
        compare(before->second, arena);
      else
        add(LockChangeKind::Grew, bytesText("new, peak", 0, arena.peakBytes));
    }
    for (const auto &[function, arena] : then) {
      function_ = function;
      if (!now.count(function))
        add(LockChangeKind::Shrank, bytesText("gone, peak", arena.peakBytes, 0));
    }
    llvm::stable_sort(changes_,
                      [](const LockChange &a, const LockChange &b) { return a.kind < b.kind; });
    return std::move(changes_);
  }

private:
  void add(LockChangeKind kind, std::string text) {
    changes_.push_back({kind, function_, std::move(text)});
  }

  void compareFigure(llvm::StringRef what, int64_t then, int64_t now) {
    if (then != now)
      add(now > then ? LockChangeKind::Grew : LockChangeKind::Shrank, bytesText(what, then, now));
  }

  void compare(const LockedArena &then, const LockedArena &now) {
    compareFigure("peak", then.peakBytes, now.peakBytes);
    compareFigure("static", then.staticBytes, now.staticBytes);
    if (then.blocksPerSm != now.blocksPerSm)
      add(now.blocksPerSm < then.blocksPerSm ? LockChangeKind::Grew : LockChangeKind::Shrank,
          llvm::formatv("{0} -> {1} blocks/SM", then.blocksPerSm, now.blocksPerSm));
    compareRegisters(then.registers, now.registers);
    if (then.proof != now.proof)
      add(LockChangeKind::Changed, "proof " + then.proof + " -> " + now.proof);
    compareBuffers(then, now);
  }

  // More registers cost nothing as long as as many blocks fit; what is spilled is read again.
  void compareRegisters(const RegisterUse &then, const RegisterUse &now) {
    if (!then.isKnown() || !now.isKnown() || then == now)
      return;
    int fewerBlocks = then.blocksWithRegisters.value_or(0) - now.blocksWithRegisters.value_or(0);
    bool areCounted = then.blocksWithRegisters && now.blocksWithRegisters;
    LockChangeKind kind = LockChangeKind::Changed;
    if (now.spillBytes > then.spillBytes || (areCounted && fewerBlocks > 0))
      kind = LockChangeKind::Grew;
    else if (now.spillBytes < then.spillBytes || (areCounted && fewerBlocks < 0))
      kind = LockChangeKind::Shrank;
    add(kind, changeText(then, now));
  }

  // A buffer is to blame only where most is live, and only if the peak did not fall.
  void compareBuffers(const LockedArena &then, const LockedArena &now) {
    bool mayGrow = now.peakBytes >= then.peakBytes;
    size_t moved = 0;
    for (const auto &[name, buffer] : now.buffers) {
      auto found = then.buffers.find(name);
      LockedBuffer before = found == then.buffers.end() ? LockedBuffer() : found->second;
      bool isNewAtPeak = buffer.atPeak && !before.atPeak;
      if (isNewAtPeak)
        add(mayGrow ? LockChangeKind::Grew : LockChangeKind::Changed,
            llvm::formatv("'{0}' is new at the peak: {1} bytes", name,
                          groupedNumber(buffer.sizeBytes)));
      else if (buffer.sizeBytes != before.sizeBytes)
        add(now.peakBytes > then.peakBytes && buffer.atPeak && buffer.sizeBytes > before.sizeBytes
                ? LockChangeKind::Grew
                : LockChangeKind::Changed,
            bytesText("'" + name + "'", before.sizeBytes, buffer.sizeBytes) +
                (buffer.versions == before.versions
                     ? ""
                     : llvm::formatv(", {0} -> {1} versions", before.versions, buffer.versions)
                           .str()));
      else
        moved += buffer != before;
    }
    for (const auto &[name, buffer] : then.buffers)
      if (!now.buffers.count(name))
        add(LockChangeKind::Changed, "'" + name + "' is gone");
    if (moved > 0)
      add(LockChangeKind::Changed,
          llvm::formatv("{0} {1} elsewhere", moved, moved == 1 ? "buffer lies" : "buffers lie"));
  }

  std::string function_;
  std::vector<LockChange> changes_;
};

bool isSensible(const LockedArena &arena) {
  auto isFigure = [](int64_t figure) { return 0 <= figure && figure < MaxFigure; };
  return isFigure(arena.peakBytes) && isFigure(arena.staticBytes) && isFigure(arena.blocksPerSm) &&
         isFigure(arena.registers.registersOfThread) && isFigure(arena.registers.spillBytes) &&
         isFigure(arena.registers.blocksWithRegisters.value_or(0)) &&
         llvm::all_of(arena.buffers, [&](const auto &entry) {
           return isFigure(entry.second.offsetBytes) && isFigure(entry.second.sizeBytes) &&
                  isFigure(entry.second.versions);
         });
}

bool isSensible(const LayoutLock &lock) {
  for (const auto &[path, kernels] : lock.files)
    for (const auto &[label, kernel] : kernels)
      for (const auto &[function, arena] : kernel)
        if (!isSensible(arena))
          return false;
  return true;
}

} // namespace

LockedKernel lockedKernelOf(const Trace &trace) {
  LockedKernel kernel;
  if (trace.passes.empty())
    return kernel;
  const TraceSnapshot &last = trace.snapshots[trace.passes.back().snapshot];
  BufferTable declarations(last.buffers);
  for (const ArenaRecord &arena : *last.arenas)
    kernel[arena.function] = lockedArenaOf(trace, declarations, arena);
  return kernel;
}

std::string writeLock(const LayoutLock &lock) {
  Json json;
  json["format"] = Format;
  json["targets"] = toJson(lock.targets);
  json["files"] = toJson(lock.files);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

llvm::Expected<LayoutLock> readLock(llvm::StringRef text, llvm::StringRef name) {
  auto failure = [&](const llvm::Twine &cause) {
    return llvm::createStringError("'" + name + "' is no layout lock: " + cause);
  };
  // Another format may have other fields.
  std::string error;
  LockFormat number;
  if (readJson(text, MaxDepth, number, error) == JsonFault::NotJson)
    return failure("no JSON object");
  if (!error.empty() || number.format < 1)
    return failure("it has no format number");
  if (number.format > Format)
    return llvm::createStringError(
        llvm::formatv("'{0}' has lock format {1}; this program reads {2}", name, number.format,
                      Format)
            .str());
  LayoutLock lock;
  if (readJson(text, MaxDepth, lock, error) != JsonFault::None)
    return failure(error);
  if (lock.targets.empty())
    return failure("it names no target");
  if (!isSensible(lock))
    return failure("it has a figure below zero, or one that no kernel reaches");
  return lock;
}

bool haveRegistersOnOneSide(const LockedKernel &then, const LockedKernel &now) {
  return llvm::any_of(now, [&](const auto &entry) {
    auto before = then.find(entry.first);
    return before != then.end() &&
           before->second.registers.isKnown() != entry.second.registers.isKnown();
  });
}

std::vector<LockChange> compareLocked(const LockedKernel &then, const LockedKernel &now) {
  return Comparison().run(then, now);
}

} // namespace tilescope
