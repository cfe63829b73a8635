// What an operation declares about itself: facts, as data, that analyses, passes, the reference and
// the emitter ask. Which operation it is nobody asks outside of core/ops; core/ops/<op>/op.cpp says
// what it does. For one statement, with its attributes and arguments, ask core/ir/op_facts.h.
#pragma once

#include "core/ir/context.h"

#include <optional>

namespace tilescope {

class Diagnostics;
class Function;
class OpStmt;

enum class Op : uint8_t {
#define OP(Name, printed, level) Name,
#include "core/ops/ops.def"
};

enum class Attr : uint8_t {
#define ATTR(Name, printed) Name,
#include "core/ops/attrs.def"
};

enum class OpLevel : uint8_t { Tile, Device, Both };

enum class Effect : uint8_t { Read, Write, ReadWrite };

struct OperandInfo {
  llvm::StringRef name;
  Effect effect;
  // Accessed in one step: such accesses of several threads to one element do not race.
  bool isAtomic = false;
  // ReadWrite: some of it is written, which is not known; the rest stays, and nothing is read.
  bool leavesRest = false;
  // An mbarrier: initialised where it is written, told or asked something where it is read.
  bool isMbarrier = false;
  // ReadWrite: where this attribute, or else this argument, is true the operand is written before
  // it is read, so that its old value does not count.
  std::optional<Attr> clearedByAttr = {};
  std::optional<size_t> clearedByArg = {};
};

struct ArgInfo {
  llvm::StringRef name;
  bool optional = false;
};

// Name: one of `names`, stored as its index. Text: any, stored as what Context::textNumber gives.
enum class AttrType : uint8_t { Bool, Int, Name, Text };

struct AttrInfo {
  Attr attr;
  AttrType type;
  int64_t defaultValue = 0;
  llvm::ArrayRef<llvm::StringRef> names = {};
};

// Threads that execute the op together. What the operands of `Thread` name belongs to the thread:
// no other touches it in this execution. Of wider scopes any of the threads may touch any of it.
enum class OpScope : uint8_t {
  Thread,
  Warp,
  WarpGroup,
  Block,
  Cluster,
  Elected, // one thread does it for the block
};

// What is computed, as far as costs and the flow of values tell operations apart.
enum class OpWork : uint8_t {
  Other,
  Fill, // all elements of operand 0 get argument 0
  Move, // operand 1 gets the elements of operand 0, one by one and in order
  // Operand 2 gets, or is increased by, the product of operands 0 and 1. Operand 3, if there is
  // one, says which columns operand 0 has: of each group of neighbours half are left out, which are
  // 0.
  MatrixMultiply,
  Fold, // operand 1 gets what the elements of operand 0 along axis Attr::Dim come to
};

// What the op does to the order of other statements.
enum class OpSync : uint8_t {
  None,
  Barrier,      // the threads of its scope meet
  Commit,       // closes the open group of its queue
  Wait,         // until at most Attr::Pending groups of its queue are in flight
  NamedBarrier, // threads of some warps meet, or only arrive: Attr::Number, Threads, Waits
  Arrive,
  Expect,      // a phase of operand 0 ends only when Attr::Bytes more have been copied
  ExpectBytes, // arrives at operand 0, whose phase ends only when Attr::Bytes more have been copied
  WaitPhase,   // until a phase of operand 0 has ended whose parity is argument 0
  ProxyFence,
  EarlierLaunches, // until those before this one have ended, and what they wrote is seen
  NextLaunch,      // the one that comes next may begin
  // Halves of a barrier of the cluster: taken to order nothing in the block.
  ClusterArrive,
  ClusterWait,
};

// ByAttribute: where Attr::Async is set, which a pass may do for its pipeline.
enum class AsyncWhen : uint8_t { Never, ByAttribute, Always };

// What asynchronous work goes through: each is a queue of the AccessProgram, by this number. All
// but cp.async access memory through the asynchronous proxy, which sees what threads have written
// only behind a ProxyFence.
enum class AsyncQueue : uint8_t { CpAsync, Wgmma, BulkStore, TransactionBarrier };

struct OpInfo {
  llvm::ArrayRef<OperandInfo> operands = {};
  llvm::ArrayRef<ArgInfo> args = {};
  llvm::ArrayRef<AttrInfo> attrs = {};
  OpScope scope = OpScope::Block; // an op with Attr::Scope: the widest that it may have
  OpWork work = OpWork::Other;
  OpSync sync = OpSync::None;
  AsyncWhen async = AsyncWhen::Never;
  AsyncQueue queue = AsyncQueue::CpAsync; // of what is asynchronous, of Commit and Wait
  // The argument, absent: true, under which a Move happens. Where it is false nothing is read; a
  // destination in global memory keeps its value, any other gets zeros.
  std::optional<size_t> predicate = {};
  // Elements outside of a tensor in global memory are not touched, but read as 0.
  bool staysInside = false;
  // What a thread gets depends on what the others of the scope have.
  bool isExchange = false;
  // Of an exchange or a barrier of a warp: the argument, absent: all, that names the lanes that
  // take part.
  std::optional<size_t> lanes = {};
  // Of a barrier of the block: all blocks of the launch meet there, and so must run together.
  bool isOfGrid = false;
  // The blocks of a cluster meet there, or arrive, or wait, and so must run together.
  bool isOfCluster = false;
  // Of one at an mbarrier: the argument, absent: its own, that is the rank of the block of the
  // cluster which has it, at the same place. Blocks that get copies Attr::ClusterMask names.
  std::optional<size_t> rank = {};
  // Of one that gives a lane what one other has: which other, by the argument `lane`.
  uint32_t (*sourceLane)(const OpStmt &, uint32_t lane, int64_t operand) = nullptr;
  // Of one that gives all threads of a group the same: the group, by the number of the thread.
  int64_t (*groupOf)(const OpStmt &, uint32_t thread) = nullptr;
  bool takesWhoComes = false; // of an exchange: those take part that get there, whoever they are
  // Any number of operands and arguments, one for each letter of Attr::Signature and in its order.
  // `operands` says what each of the letters SignatureOperands means.
  bool isVariadic = false;
  // What it computes nobody here knows: it cannot be run on the CPU.
  bool isForeign = false;
  // Whether what it writes is the same in all threads of its scope. Null: it may not be.
  bool (*isCommon)(const OpStmt &) = nullptr;
  // Checks shapes, types and scopes; reports at the statement. Null: nothing beyond the table.
  bool (*verify)(const OpStmt &, const Function &, Diagnostics &) = nullptr;

  size_t indexOf(Attr attr) const;
  bool has(Attr attr) const;
};

// Letters of a signature: an operand that is read, written, both, gets the result, or is written
// somewhere; an argument that is a value, or by how many elements the pointer before it is moved.
inline constexpr llvm::StringLiteral SignatureOperands = "rwb=s";
inline constexpr llvm::StringLiteral SignatureArgs = "v+";
// Of a variadic operation; "" of any other.
llvm::StringRef signatureOf(const OpStmt &op);

const OpInfo &infoOf(Op op);
llvm::StringRef nameOf(Op op);
OpLevel levelOf(Op op);
llvm::StringRef nameOf(Attr attr);

// Values of Name attributes.
enum class WarpPolicy : int64_t { Square, FullRow, FullCol };
enum class MatrixUnit : int64_t { Warp, WarpGroup }; // mma.sync, wgmma
enum class ReduceKind : int64_t { Sum, Max, Min, AbsMax, AbsSum, BitAnd, BitOr, BitXor };
enum class AtomicKind : int64_t { Add, Max, Min, Or, And, Xor };
enum class MemoryOrder : int64_t { Relaxed, Consume, Acquire, Release, AcqRel, SeqCst };
enum class RngKind : int64_t { Bits, Uniform, Normal };
enum class ShuffleKind : int64_t { Index, Up, Down, Xor };
enum class VoteKind : int64_t { Any, All, Ballot, MatchAny, MatchAll };
enum class BarrierVoteKind : int64_t { Count, And, Or };
enum class CopyInstruction : int64_t { Automatic, CpAsync, Synchronous, Tma };

#define OP(Name, printed, level) const OpInfo &infoOf##Name();
#include "core/ops/ops.def"

} // namespace tilescope
