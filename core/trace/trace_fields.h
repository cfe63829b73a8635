// The fields of everything that a trace stores, for core/json/archive.h. Names here are the
// documented keys of the format: see core/trace_file/README.md.
#pragma once

#include "core/json/archive.h"
#include "core/trace/trace.h"

namespace tilescope {

template <> struct EnumNames<Slot::Kind> {
  static constexpr const char *Names[] = {"constant", "loop", "dynamic"};
};
template <> struct EnumNames<AccessKind> {
  static constexpr const char *Names[] = {"read", "write"};
};
template <> struct EnumNames<BarrierScope> {
  static constexpr const char *Names[] = {"warp", "block"};
};
template <> struct EnumNames<BufferScope> {
  static constexpr auto &Names = BufferScopeNames;
};
template <> struct EnumNames<AccessNode::Kind> {
  static constexpr const char *Names[] = {
      "seq",     "loop",   "if",     "roles",     "leaf",         "commit",    "wait",
      "barrier", "arrive", "expect", "waitPhase", "namedBarrier", "proxyFence"};
};
template <> struct EnumNames<LinearAccess::Instruction> {
  static constexpr const char *Names[] = {"unknown", "plain", "matrices", "transposed"};
};
template <> struct EnumNames<PlacementReason> {
  static constexpr const char *Names[] = {"only-buffer", "lowest-free", "reuses-bytes", "pinned"};
};
template <> struct EnumNames<ProofKind> {
  static constexpr const char *Names[] = {"live-at-point", "exhausted", "gap"};
};
template <> struct EnumNames<StepTouch::Kind> {
  static constexpr const char *Names[] = {"read", "write", "copy", "arrival"};
};
template <> struct EnumNames<Verdict> {
  static constexpr const char *Names[] = {"not-established", "no", "yes"};
};
template <> struct EnumNames<PassStatus> {
  static constexpr const char *Names[] = {"changed", "unchanged", "failed"};
};

template <typename Archive> void fields(Archive &archive, LoopCounter::Term &term) {
  archive("loop", term.loop);
  archive("step", term.step);
}

template <typename Archive> void fields(Archive &archive, LoopCounter &counter) {
  archive("offset", counter.offset);
  archive("terms", counter.terms);
}

template <typename Archive> void fields(Archive &archive, Slot &slot) {
  archive("kind", slot.kind);
  archive("offset", slot.offset);
  archive("modulus", slot.modulus);
  archive("loop", slot.loop);
  archive("counter", slot.counter);
}

template <typename Archive> void fields(Archive &archive, MbarrierRef &ref) {
  archive("first", ref.first);
  archive("modulus", ref.modulus);
  archive("counter", ref.counter);
}

template <typename Archive> void fields(Archive &archive, PhaseParity &parity) {
  archive("counter", parity.counter);
  archive("divisor", parity.divisor);
}

template <typename Archive> void fields(Archive &archive, SlotPart &part) {
  archive.always("begin", part.begin);
  archive.always("end", part.end);
}

template <typename Archive> void fields(Archive &archive, Access &access) {
  archive("buffer", access.buffer);
  archive("slot", access.slot);
  archive("kind", access.kind);
  archive("full", access.full);
  archive("async", access.async);
  archive("queue", access.queue);
  archive("mbarrier", access.mbarrier);
  archive("bytes", access.bytes);
  archive("asyncProxy", access.isOfAsyncProxy);
  archive("atomic", access.atomic);
  archive("sameThreadToken", access.sameThreadToken);
  archive("mayNotHappen", access.mayNotHappen);
  archive("sharesElements", access.sharesElements);
  archive("touchedBy", access.touchedBy);
  archive("parts", access.parts);
}

template <typename Archive> void fields(Archive &archive, AccessNode &node) {
  archive("kind", node.kind);
  archive("stmt", node.stmt);
  archive("anchor", node.anchor);
  archive("children", node.children);
  archive("accesses", node.accesses);
  archive("minTrips", node.minTrips);
  archive("maxTrips", node.maxTrips);
  archive("pending", node.pending);
  archive("queue", node.queue);
  archive("scope", node.scope);
  archive("isDivergent", node.isDivergent);
  archive("guardLoop", node.guardLoop);
  archive("guardDistance", node.guardDistance);
  archive("rangeLoop", node.rangeLoop);
  archive("rangeBegin", node.rangeBegin);
  archive("rangeEnd", node.rangeEnd);
  archive("oneThread", node.oneThread);
  archive("laneThreads", node.laneThreads);
  archive("mbarrier", node.mbarrier);
  archive("count", node.count);
  archive("bytes", node.bytes);
  archive("parity", node.parity);
  archive("barrierId", node.barrierId);
  archive("threads", node.threads);
  archive("isFixed", node.isFixed);
  archive("isOfAllLanes", node.isOfAllLanes);
  archive("redefinesAllSlots", node.redefinesAllSlots);
  archive("inPlace", node.inPlace);
  archive("begins", node.begins);
  archive("byCase", node.byCase);
  archive("onZeros", node.onZeros);
  archive("accessesOnZeros", node.accessesOnZeros);
}

template <typename Archive> void fields(Archive &archive, AccessBuffer &buffer) {
  archive("id", buffer.id);
  archive("name", buffer.name);
  archive("versions", buffer.versions);
}

template <typename Archive> void fields(Archive &archive, AccessMbarrier &mbarrier) {
  archive("name", mbarrier.name);
  archive("arrivals", mbarrier.arrivals);
}

template <typename Archive> void fields(Archive &archive, ElementThreads &map) {
  archive("elementBits", map.elementBits);
  archive("elements", map.elements);
  archive("least", map.least);
  archive("most", map.most);
}

template <typename Archive> void fields(Archive &archive, AccessProgram &program) {
  archive("nodes", program.nodes);
  archive("root", program.root);
  archive("buffers", program.buffers);
  archive("mbarriers", program.mbarriers);
  archive("threads", program.threads);
  archive("cases", program.cases);
  archive("zeroed", program.zeroed);
  archive("elementThreads", program.elementThreads);
}

template <typename Archive> void fields(Archive &archive, LiveInterval &interval) {
  archive.always("begin", interval.begin);
  archive.always("end", interval.end);
}

template <typename Archive> void fields(Archive &archive, BufferLifetime &lifetime) {
  archive("buffer", lifetime.buffer);
  archive("intervals", lifetime.intervals);
  archive("defs", lifetime.defs);
  archive("uses", lifetime.uses);
  archive("inFlight", lifetime.inFlight);
}

template <typename Archive> void fields(Archive &archive, Lifetimes &lifetimes) {
  archive("buffers", lifetimes.buffers);
  archive("pointCount", lifetimes.pointCount);
}

template <typename Archive> void fields(Archive &archive, ArenaBuffer &buffer) {
  archive("id", buffer.id);
  archive("name", buffer.name);
  archive("sizeBytes", buffer.sizeBytes);
  archive("alignmentBytes", buffer.alignmentBytes);
  archive("versions", buffer.versions);
  archive("strideBytes", buffer.strideBytes);
  archive("live", buffer.live);
  archive("pinnedOffset", buffer.pinnedOffset);
}

template <typename Archive> void fields(Archive &archive, ArenaProblem &problem) {
  archive("buffers", problem.buffers);
  archive("capacityBytes", problem.capacityBytes);
}

template <typename Archive> void fields(Archive &archive, Placement &placement) {
  archive("id", placement.id);
  archive("offsetBytes", placement.offsetBytes);
  archive("sizeBytes", placement.sizeBytes);
  archive("paddingBytes", placement.paddingBytes);
  archive("reason", placement.reason);
  archive("below", placement.below);
  archive("sharesWith", placement.sharesWith);
}

template <typename Archive> void fields(Archive &archive, Certificate &certificate) {
  archive("kind", certificate.kind);
  archive("boundBytes", certificate.boundBytes);
  archive("point", certificate.point);
  archive("liveSet", certificate.liveSet);
  archive("searchNodes", certificate.searchNodes);
}

template <typename Archive> void fields(Archive &archive, ArenaPlan &plan) {
  archive("placements", plan.placements);
  archive("heightBytes", plan.heightBytes);
  archive("certificate", plan.certificate);
}

template <typename Archive> void fields(Archive &archive, TraceParameter &parameter) {
  archive("name", parameter.name);
  archive("type", parameter.type);
  archive("value", parameter.value);
  archive("default", parameter.defaultValue);
  archive("choices", parameter.choices);
}

template <typename Archive> void fields(Archive &archive, TraceHeader &header) {
  archive("major", header.major);
  archive("minor", header.minor);
  archive("tool", header.toolVersion);
  archive("compiler", header.compiler);
  archive("file", header.file);
  archive("fileHash", header.fileHash);
  archive("fileText", header.fileText);
  archive("irText", header.irText);
  archive("function", header.function);
  archive("target", header.target);
  archive("pipeline", header.pipeline);
  archive("capacityBytes", header.capacityBytes);
  archive("parameters", header.parameters);
  archive("passOptions", header.passOptions);
  archive("planFor", header.planFor);
  archive("previous", header.previous);
  archive("allowHazards", header.allowHazards);
  archive("noAliases", header.noAliases);
  archive("patches", header.patches);
  archive("libraries", header.libraries);
  archive("stopAfter", header.stopAfter);
}

template <typename Archive> void fields(Archive &archive, BufferKey &key) {
  archive("function", key.function);
  archive("name", key.sourceName);
  archive("ordinal", key.ordinal);
  archive("role", key.role);
}

template <typename Archive> void fields(Archive &archive, BankRecord &bank) {
  archive("stmt", bank.stmt);
  archive("isWrite", bank.isWrite);
  archive("laneBytes", bank.laneBytes);
  archive("passes", bank.passes);
  archive("leastPasses", bank.leastPasses);
  archive("warps", bank.warps);
  archive("isShifted", bank.isShifted);
}

template <typename Archive> void fields(Archive &archive, SectorRecord &sectors) {
  archive("stmt", sectors.stmt);
  archive("isWrite", sectors.isWrite);
  archive("laneBytes", sectors.laneBytes);
  archive("sectors", sectors.sectors);
  archive("leastSectors", sectors.leastSectors);
  archive("lines", sectors.lines);
  archive("warps", sectors.warps);
  archive("isShifted", sectors.isShifted);
}

template <typename Archive> void fields(Archive &archive, LinearRecord &access) {
  archive("stmt", access.stmt);
  archive("isWrite", access.isWrite);
  archive("isPart", access.isPart);
  archive("elementBits", access.elementBits);
  archive("registers", access.registers);
  archive("lanes", access.lanes);
  archive("warps", access.warps);
  archive("places", access.places);
  archive("instruction", access.instruction);
  archive("laneBytes", access.laneBytes);
}

// Recorded programs may have scopes that are not known here.
template <typename Archive> void fields(Archive &archive, BufferRecord &buffer) {
  std::string scope = nameOf(buffer.scope);
  archive("id", buffer.id);
  archive("key", buffer.key);
  archive("name", buffer.name);
  archive("dtype", buffer.dtype);
  archive("shape", buffer.shape);
  archive("scope", scope);
  buffer.scope = bufferScopeOf(scope);
  archive("versions", buffer.versions);
  archive("layout", buffer.layout);
  archive("sizeBytes", buffer.sizeBytes);
  archive("offsetBytes", buffer.offsetBytes);
  archive("origin", buffer.origin);
  archive("span", buffer.span);
  archive("banks", buffer.banks);
  archive("sectors", buffer.sectors);
  archive("linear", buffer.linear);
  archive("places", buffer.places);
  archive("registers", buffer.registers);
  archive("liveFrom", buffer.liveFrom);
  archive("liveTo", buffer.liveTo);
}

template <typename Archive> void fields(Archive &archive, TraceLine &line) {
  archive("text", line.text);
  archive("stmt", line.stmt);
  archive("buffer", line.buffer);
  archive("span", line.span);
  archive("carried", line.isCarried);
}

template <typename Archive> void fields(Archive &archive, TraceRemark &remark) {
  archive("id", remark.id);
  archive("stmt", remark.stmt);
  archive("buffers", remark.buffers);
  archive("span", remark.span);
  archive("text", remark.text);
}

template <typename Archive> void fields(Archive &archive, DiagnosticFix &fix) {
  archive("span", fix.span);
  archive("word", fix.word);
  archive("text", fix.text);
}

template <typename Archive> void fields(Archive &archive, DiagnosticText &note) {
  archive("span", note.span);
  archive("text", note.text);
  archive("carried", note.isCarried);
  archive("fix", note.fix);
}

template <typename Archive> void fields(Archive &archive, TraceDiagnostic &diagnostic) {
  archive("id", diagnostic.id);
  archive("severity", diagnostic.severity);
  archive("span", diagnostic.span);
  archive("text", diagnostic.text);
  archive("notes", diagnostic.notes);
  archive("carried", diagnostic.isCarried);
}

// As views print them; in the file they are RecordedVerdicts.
template <typename Archive> void fields(Archive &archive, TraceVerdicts &verdicts) {
  archive.always("verified", verdicts.verified);
  archive.always("arenaSound", verdicts.arenaSound);
  archive.always("hazardFree", verdicts.hazardFree);
}

template <typename Archive> void fields(Archive &archive, PassFigures &figures) {
  archive("linesAdded", figures.linesAdded);
  archive("linesRemoved", figures.linesRemoved);
  archive("sharedBytes", figures.sharedBytes);
  archive("sharedIsPreview", figures.sharedIsPreview);
}

template <typename Archive> void fields(Archive &archive, LaunchSizedBuffer &buffer) {
  archive("id", buffer.id);
  archive("name", buffer.name);
  archive("versions", buffer.versions);
  archive("region", buffer.region);
  archive("live", buffer.live);
}

template <typename Archive> void fields(Archive &archive, ArenaRecord &arena) {
  archive("function", arena.function);
  archive("preview", arena.preview);
  archive("unknown", arena.unknown);
  archive("problem", arena.problem);
  archive("plan", arena.plan);
  archive("launchSized", arena.launchSized);
}

template <typename Archive> void fields(Archive &archive, PipelineStmtRecord &stmt) {
  archive("stmt", stmt.stmt);
  archive("order", stmt.order);
  archive("stage", stmt.stage);
  archive("group", stmt.group);
}

template <typename Archive> void fields(Archive &archive, PipelineRecord &pipeline) {
  archive("loop", pipeline.loop);
  archive("numStages", pipeline.numStages);
  archive("schedule", pipeline.schedule);
  archive("versions", pipeline.versions);
  archive("trips", pipeline.trips);
}

template <typename Archive> void fields(Archive &archive, AccessRecord &access) {
  archive("function", access.function);
  archive("program", access.program);
  archive("lifetimes", access.lifetimes);
  archive("notFollowed", access.notFollowed);
  archive("notOrdered", access.notOrdered);
  archive("inexact", access.inexact);
  archive("exactOnZeros", access.exactOnZeros);
}

template <typename Archive> void fields(Archive &archive, LaunchParam &param) {
  archive("name", param.name);
  archive("dtype", param.dtype);
  archive("shape", param.shape);
  archive("role", param.role);
}

template <typename Archive> void fields(Archive &archive, LaunchTensorMap &map) {
  archive("name", map.name);
  archive("tensor", map.tensor);
  archive("dtype", map.dtype);
  archive("dims", map.dims);
  archive("strides", map.strides);
  archive("box", map.box);
  archive("swizzleBytes", map.swizzleBytes);
}

template <typename Archive> void fields(Archive &archive, RoleRegisters &role) {
  archive("threads", role.threads);
  archive("registers", role.registers);
}

template <typename Archive> void fields(Archive &archive, LaunchRecord &launch) {
  archive("kernel", launch.kernel);
  archive("grid", launch.grid);
  archive("threads", launch.threads);
  archive("dynamicSharedBytes", launch.dynamicSharedBytes);
  archive("staticSharedBytes", launch.staticSharedBytes);
  archive("params", launch.params);
  archive("tensorMaps", launch.tensorMaps);
  archive("cluster", launch.cluster);
  archive("roleRegisters", launch.roleRegisters);
  archive("cooperative", launch.isCooperative);
  archive("beginsEarly", launch.beginsEarly);
  archive("minBlocks", launch.minBlocks);
}

template <typename Archive> void fields(Archive &archive, StepTouch &touch) {
  archive.always("kind", touch.kind);
  archive.always("buffer", touch.buffer);
  archive("slot", touch.slot);
  archive.always("bytes", touch.bytes);
}

template <typename Archive> void fields(Archive &archive, SteppedBuffer &buffer) {
  archive("id", buffer.id);
  archive("name", buffer.name);
  archive("versions", buffer.versions);
}

template <typename Archive> void fields(Archive &archive, SteppedStatement &statement) {
  archive("stmt", statement.stmt);
  archive("span", statement.span);
  archive("text", statement.text);
  archive("loops", statement.loops);
}

template <typename Archive> void fields(Archive &archive, BlockSteps &block) {
  archive("function", block.function);
  archive("launch", block.launch);
  archive.always("block", block.block);
  archive.always("bytes", block.bytes);
  archive("buffers", block.buffers);
  archive("statements", block.statements);
  archive("touches", block.touches);
  archive("steps", block.steps);
  archive("isCut", block.isCut);
}

template <typename Archive> void fields(Archive &archive, ExecutionRecord &execution) {
  archive.always("pass", execution.pass);
  archive.always("blocks", execution.blocks);
}

template <typename Archive> void fields(Archive &archive, KernelResources &kernel) {
  archive("kernel", kernel.kernel);
  archive("registers", kernel.registers);
  archive.always("stackBytes", kernel.stackBytes);
  archive.always("spillStoreBytes", kernel.spillStoreBytes);
  archive.always("spillLoadBytes", kernel.spillLoadBytes);
  archive.always("staticSharedBytes", kernel.staticSharedBytes);
  archive("barriers", kernel.barriers);
}

template <typename Archive> void fields(Archive &archive, CudaLine &line) {
  archive("line", line.line);
  archive("stmt", line.stmt);
  archive("span", line.span);
  archive("carried", line.isCarried);
  archive("buffers", line.buffers);
}

} // namespace tilescope
