#include "core/access/access_program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

void collectLeaves(const AccessProgram &program, uint32_t node, std::vector<uint32_t> &leaves) {
  if (isLeaf(program.nodes[node]))
    leaves.push_back(node);
  for (uint32_t child : program.nodes[node].children)
    collectLeaves(program, child, leaves);
}

std::string stmtName(StmtId id) {
  return id.isValid() ? llvm::formatv("s{0}", id.value).str() : std::string();
}

std::string bufferName(const AccessProgram &program, BufferId id) {
  if (std::optional<size_t> index = indexOf(program, id))
    return program.buffers[*index].name;
  return llvm::formatv("b{0}", id.value);
}

std::string slotText(const Slot &slot) {
  switch (slot.kind) {
  case Slot::Kind::Constant:
    return llvm::formatv("[{0}]", slot.offset);
  case Slot::Kind::Loop:
    return llvm::formatv("[({0}.k + {1}) mod {2}]", stmtName(slot.loop), slot.offset, slot.modulus);
  case Slot::Kind::Dynamic:
    return "[?]";
  }
  return "";
}

// Told where there are others than that of copies.
std::string queueText(uint32_t queue) {
  return queue == CopyQueue ? std::string() : llvm::formatv("queue {0} ", queue).str();
}

std::string counterText(const LoopCounter &counter) {
  std::string text = std::to_string(counter.offset);
  for (const LoopCounter::Term &term : counter.terms)
    text += llvm::formatv(" + {0} * {1}.k", term.step, stmtName(term.loop));
  return text;
}

std::string mbarrierText(const AccessProgram &program, const MbarrierRef &ref) {
  if (ref.modulus == 0)
    return "mbarrier ?";
  std::string name = ref.first < program.mbarriers.size() ? program.mbarriers[ref.first].name
                                                          : std::to_string(ref.first);
  if (ref.modulus == 1)
    return "mbarrier " + name;
  return llvm::formatv("mbarrier {0} + ({1}) mod {2}", name, counterText(ref.counter), ref.modulus);
}

std::string parityText(const PhaseParity &parity) {
  if (parity.divisor == 0)
    return "parity ?";
  return llvm::formatv("parity ({0}) / {1} mod 2", counterText(parity.counter), parity.divisor);
}

std::string accessText(const AccessProgram &program, const Access &access) {
  std::string text = access.async    ? "async " + queueText(access.queue)
                     : access.atomic ? "atomic "
                                     : "";
  text += access.kind == AccessKind::Read ? "read " : "write ";
  text += bufferName(program, access.buffer) + slotText(access.slot);
  if (access.kind == AccessKind::Write && !access.full)
    text += " (partial)";
  for (const SlotPart &axis : access.box)
    text += llvm::formatv("{0}{1}:{2}", &axis == access.box.data() ? " in " : ", ", axis.begin,
                          axis.end);
  if (access.sameThreadToken != 0)
    text += llvm::formatv(" thread#{0}", access.sameThreadToken);
  if (access.mbarrier)
    text +=
        llvm::formatv(" {0} bytes on {1}", access.bytes, mbarrierText(program, *access.mbarrier));
  return text;
}

std::string leafText(const AccessProgram &program, const AccessNode &node) {
  std::string text = "Leaf " + stmtName(node.stmt);
  const char *separator = ": ";
  for (const Access &access : node.accesses) {
    text += separator + accessText(program, access);
    separator = ", ";
  }
  if (node.begins)
    text += ", begins " + mbarrierText(program, {static_cast<uint32_t>(*node.begins)});
  return node.inPlace ? text + " in-place" : text;
}

std::string syncText(const AccessProgram &program, const AccessNode &node) {
  std::string name = stmtName(node.stmt);
  std::string mbarrier = node.mbarrier ? mbarrierText(program, *node.mbarrier) : "";
  switch (node.kind) {
  case AccessNode::Kind::Arrive:
    return llvm::formatv("Arrive {0}: {1}, count {2}", name, mbarrier, node.count);
  case AccessNode::Kind::Expect:
    return llvm::formatv("Expect {0}: {1}, {2} bytes", name, mbarrier, node.bytes);
  case AccessNode::Kind::WaitPhase:
    return llvm::formatv("WaitPhase {0}: {1}, {2}", name, mbarrier, parityText(node.parity));
  case AccessNode::Kind::NamedBarrier:
    return llvm::formatv("NamedBarrier {0}: id {1}, {2} threads", name, node.barrierId,
                         node.threads);
  case AccessNode::Kind::ProxyFence:
    return "ProxyFence " + name;
  default:
    return "";
  }
}

std::string nodeText(const AccessProgram &program, const AccessNode &node) {
  std::string name = stmtName(node.stmt);
  switch (node.kind) {
  case AccessNode::Kind::Seq:
    return "Seq";
  case AccessNode::Kind::Loop:
    return llvm::formatv("Loop {0}, trips [{1}, {2}]", name, node.minTrips,
                         node.maxTrips ? std::to_string(*node.maxTrips) : "unknown");
  case AccessNode::Kind::If:
    if (node.guardLoop.isValid())
      return llvm::formatv("If {0}: {1}.k + {2} < trips", name, stmtName(node.guardLoop),
                           node.guardDistance);
    if (node.rangeLoop.isValid())
      return llvm::formatv("If {0}: {1}.k in [{2}, {3})", name, stmtName(node.rangeLoop),
                           node.rangeBegin, node.rangeEnd);
    return "If " + name;
  case AccessNode::Kind::Roles:
    return "Roles " + name;
  case AccessNode::Kind::Leaf:
    return leafText(program, node);
  case AccessNode::Kind::Commit:
    return "Commit " + queueText(node.queue) + name;
  case AccessNode::Kind::Wait:
    return llvm::formatv("Wait {0}{1}: pending {2}", queueText(node.queue), name, node.pending);
  case AccessNode::Kind::Barrier:
    return std::string(node.scope == BarrierScope::Warp ? "WarpBarrier " : "Barrier ") + name;
  default:
    return syncText(program, node);
  }
}

void printNode(const AccessProgram &program, uint32_t index, unsigned depth, std::string &out) {
  const AccessNode &node = program.nodes[index];
  std::string line = nodeText(program, node);
  out += std::string(2 * static_cast<size_t>(depth), ' ') + llvm::StringRef(line).rtrim().str();
  if (node.oneThread)
    out += " (one thread)";
  for (BufferId id : node.redefinesAllSlots)
    out += " redefines " + bufferName(program, id);
  for (auto [number, what] : llvm::enumerate(node.byCase))
    out += (number == 0 ? ", by case " : " ") + std::to_string(what);
  out += '\n';
  for (uint32_t child : node.children)
    printNode(program, child, depth + 1, out);
}

} // namespace

bool isLeaf(const AccessNode &node) {
  switch (node.kind) {
  case AccessNode::Kind::Seq:
  case AccessNode::Kind::Loop:
  case AccessNode::Kind::If:
  case AccessNode::Kind::Roles:
    return false;
  default:
    return true;
  }
}

std::optional<size_t> indexOf(const AccessProgram &program, BufferId id) {
  for (size_t index = 0; index != program.buffers.size(); ++index)
    if (program.buffers[index].id == id)
      return index;
  return std::nullopt;
}

std::vector<uint32_t> leavesInOrder(const AccessProgram &program) {
  std::vector<uint32_t> leaves;
  if (program.root < program.nodes.size())
    collectLeaves(program, program.root, leaves);
  return leaves;
}

std::string toString(const AccessProgram &program) {
  std::string out;
  if (program.root < program.nodes.size())
    printNode(program, program.root, 0, out);
  return out;
}

} // namespace tilescope
