#include "core/trace/pass_state.h"

#include "core/trace/trace_origin.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

std::string SharedBuffer::type() const { return declaration ? typeText(*declaration) : ""; }

const SharedBuffer *FunctionState::find(BufferId id) const {
  auto found = indices.find(id);
  return found == indices.end() ? nullptr : &buffers[found->second];
}

std::string FunctionState::nameOf(BufferId id) const {
  const SharedBuffer *buffer = find(id);
  return buffer && buffer->inArena ? buffer->inArena->name : "?";
}

CompileFacts CompileFacts::of(const Trace &trace) {
  return {targetOf(trace),
          trace.header.capacityBytes,
          trace.launches,
          registersOf(trace),
          spillBytesOf(trace),
          BufferHues::of(trace),
          tilescope::isForeign(trace.header)};
}

bool haveSameFacets(const TraceSnapshot &a, const TraceSnapshot &b) {
  bool isSame = true;
#define FACET(Type, member) isSame &= a.member == b.member;
#include "core/facets/facets.def"
  return isSame;
}

FacetState::FacetState(CompileFacts compile, const TraceSnapshot &snapshot)
    : compile_(std::move(compile)), parts_(snapshot), declarations_(snapshot.buffers) {
  parts_.lines = emptyPart<LineId>();
  for (const AccessRecord &record : *parts_.accesses)
    addAccesses(record);
  for (const ArenaRecord &record : *parts_.arenas)
    addArena(record);
}

const FunctionState *FacetState::find(llvm::StringRef function) const {
  auto found = indices_.find(function.str());
  return found == indices_.end() ? nullptr : &functions_[found->second];
}

int FacetState::hueOf(BufferId id) const {
  const BufferRecord *record = declaration(id);
  return record ? compile_.hues.hueOf(record->key) : 0;
}

SharedBuffer &FacetState::bufferOf(FunctionState &function, BufferId id) const {
  auto [index, isNew] = function.indices.try_emplace(id, function.buffers.size());
  if (isNew) {
    SharedBuffer &buffer = function.buffers.emplace_back();
    buffer.id = id;
    buffer.declaration = declaration(id);
    buffer.hueDegrees = hueOf(id);
  }
  return function.buffers[index->second];
}

void FacetState::addAccesses(const AccessRecord &record) {
  indices_.try_emplace(record.function, functions_.size());
  FunctionState &function = functions_.emplace_back();
  function.name = record.function;
  function.accesses = &record;
  function.buffers.reserve(record.program.buffers.size());
  for (const AccessBuffer &accessed : record.program.buffers)
    bufferOf(function, accessed.id).accessed = &accessed;
  for (const BufferLifetime &lifetime : record.lifetimes.buffers)
    bufferOf(function, lifetime.buffer).lifetime = &lifetime;
}

// The first of a name has the accesses of that name.
void FacetState::addArena(const ArenaRecord &record) {
  auto [index, isNew] = indices_.try_emplace(record.function, functions_.size());
  if (isNew || functions_[index->second].arena)
    functions_.emplace_back().name = record.function;
  FunctionState &function =
      functions_[index->second].arena ? functions_.back() : functions_[index->second];
  function.arena = &record;
  if (compile_.target)
    function.demand = demandOf(compile_.launches, compile_.registers, record, *compile_.target);
  for (const ArenaBuffer &inArena : record.problem.buffers)
    bufferOf(function, inArena.id).inArena = &inArena;
  for (const Placement &placement : record.plan.placements)
    bufferOf(function, placement.id).placement = &placement;
  for (const LaunchSizedBuffer &sized : record.launchSized)
    bufferOf(function, sized.id).launchSized = &sized;
}

namespace {

const TraceSnapshot &snapshotAfter(const Trace &trace, size_t pass) {
  return trace.snapshots[trace.passes[pass].snapshot];
}

// The loops of a program, without their text.
std::vector<TraceLoop> loopsOf(const AccessProgram &program) {
  // By an explicit stack: a trace may nest as deep as it likes.
  struct Step {
    uint32_t node;
    int depth;
    std::optional<size_t> closes; // the loop that ends here; `node` is not visited then
  };
  std::vector<TraceLoop> loops;
  std::vector<Step> steps;
  if (!program.nodes.empty())
    steps.push_back({program.root, 0, std::nullopt});
  ProgramPoint next = 0;
  while (!steps.empty()) {
    Step step = steps.back();
    steps.pop_back();
    if (step.closes) {
      loops[*step.closes].end = next;
      continue;
    }
    const AccessNode &node = program.nodes[step.node];
    int depth = step.depth;
    if (node.kind == AccessNode::Kind::Loop) {
      loops.push_back({next, next, depth++, node.stmt, "", 0});
      steps.push_back({0, depth, loops.size() - 1});
    }
    if (node.kind >= AccessNode::Kind::Leaf)
      ++next;
    for (uint32_t child : llvm::reverse(node.children))
      steps.push_back({child, depth, std::nullopt});
  }
  llvm::erase_if(loops, [](const TraceLoop &loop) { return loop.begin == loop.end; });
  return loops;
}

} // namespace

PassState::PassState(const Trace &trace, size_t pass) : PassState(trace, pass, nullptr) {}

PassState::PassState(const Trace &trace, size_t pass, std::shared_ptr<const FacetState> facets)
    : trace_(trace), pass_(std::min(pass, trace.passes.size() - 1)),
      place_(passPlace(trace, pass_)), snapshot_(snapshotAfter(trace, pass_)),
      facets_(std::move(facets)) {
  if (!facets_ || !haveSameFacets(facets_->parts(), snapshot_))
    facets_ = std::make_shared<const FacetState>(CompileFacts::of(trace), snapshot_);
  readLines();
  for (const FunctionState &function : functions())
    texts_.push_back(function.accesses ? readText(function.accesses->program) : FunctionText());
}

void PassState::readLines() {
  for (uint32_t line = 0; line != snapshot_.lines->size(); ++line)
    if (StmtId stmt = trace_.lines[(*snapshot_.lines)[line]].stmt; stmt.isValid())
      lineOfStmt_.try_emplace(stmt, line);
}

bool PassState::isOf(size_t pass) const {
  if (pass != pass_ || pass >= trace_.passes.size())
    return false;
  const TraceSnapshot &now = snapshotAfter(trace_, pass);
  return now.lines == snapshot_.lines && haveSameFacets(now, snapshot_);
}

std::optional<uint32_t> PassState::lineOf(StmtId stmt) const {
  auto found = lineOfStmt_.find(stmt);
  return found == lineOfStmt_.end() ? std::nullopt : std::optional(found->second);
}

const TraceLine *PassState::firstLineOf(StmtId stmt) const {
  std::optional<uint32_t> line = lineOf(stmt);
  return line ? &trace_.lines[(*snapshot_.lines)[*line]] : nullptr;
}

const FunctionText &PassState::textOf(const FunctionState &function) const {
  return texts_[&function - functions().data()];
}

TracePoint PassState::pointOf(StmtId stmt) const {
  TracePoint point{stmt, "", 0};
  if (const TraceLine *line = firstLineOf(stmt)) {
    point.text = llvm::StringRef(line->text).trim().str();
    point.sourceLine = line->sourceLine();
  }
  return point;
}

FunctionText PassState::readText(const AccessProgram &program) const {
  FunctionText text;
  for (uint32_t leaf : leavesInOrder(program)) {
    StmtId stmt = program.nodes[leaf].stmt;
    std::optional<uint32_t> line = lineOf(stmt);
    // A statement that no line names counts to the one before.
    bool isOfBefore = !line && !text.points.empty();
    text.irLines.push_back(isOfBefore ? text.irLines.back() : line.value_or(0) + 1);
    text.points.push_back(isOfBefore ? text.points.back() : pointOf(stmt));
  }
  text.loops = loopsOf(program);
  for (TraceLoop &loop : text.loops) {
    TracePoint head = pointOf(loop.stmt);
    loop.text = std::move(head.text);
    loop.sourceLine = head.sourceLine;
  }
  return text;
}

} // namespace tilescope
