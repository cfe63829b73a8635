// Threads that run in step, statement by statement: a warp, or, before barriers are placed, all of
// a block. It holds their variables and registers, evaluates expressions for all of them at once,
// and is the one way in which operations reach memory, so that every access is looked at.
//
// Integers are as wide as emitted code has them: at least 32 bits, and they wrap.
#pragma once

#include "core/access/access_program.h"
#include "core/exec/arithmetic.h"
#include "core/exec/lane_values.h"
#include "core/exec/launch_state.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>

namespace tilescope {

using Lanes = llvm::ArrayRef<uint32_t>; // threads, by their number in the group, ascending

class ThreadGroup;

// Of those that are to do what one thread does for the block, or its role, that one, which is
// number `thread` of the block; or none: it is another's.
Lanes electedOf(const ThreadGroup &group, Lanes lanes, uint32_t thread);
const WarpKnowledge &whatIsDone(ThreadGroup &group);
void learn(ThreadGroup &group, const WarpKnowledge &known);
Moment momentOf(const ThreadGroup &group);
// To who waits for what the group arrives at, in another block: all that it has done, or only that
// its reads have been made; and what it knows of others.
void tellBlocks(ThreadGroup &group, BlockReleases &told, bool onlyReads);
void learnOfBlocks(ThreadGroup &group, Lanes lanes, const BlockReleases &told);
// The block of this rank of the cluster, whose mbarrier `lane` reaches; null after a finding: there
// is none, or it has ended.
BlockState *reachBlock(ThreadGroup &group, int64_t rank, const LaneRegion &mbarrier, uint32_t lane);
// When all groups of a block have ended: whether it may have done so before others reached it.
void findEndedEarly(llvm::ArrayRef<ThreadGroup *> groups);
// At the barrier of the cluster. False: that is wrong there.
bool arriveAtCluster(ThreadGroup &group, Lanes lanes, bool isRelaxed);
// `isOfBlock`: it is a barrier of the block, too.
void awaitCluster(ThreadGroup &group, Lanes lanes, bool isOfBlock);
// Whether of each warp of a group of so many threads all are there, or none.
bool areWholeWarps(Lanes lanes, uint32_t groupSize);
// Of these, that none is the short one at the end of a block. Reports where there is one.
bool requireFullWarps(ThreadGroup &group, Lanes lanes);

// Others that a group waits for.
enum class Awaited : uint8_t { Nobody, Block, SomeThreads, Phase, Grid };

// At a barrier of so many threads of the block.
struct NamedArrival {
  int64_t number = 0;
  int64_t threads = 0;
  bool waits = true;
};

// An element, and the thread that accesses it.
struct ElementPlace {
  const Buffer &buffer;
  int64_t slot = 0;
  llvm::SmallVector<int64_t> coordinates;
  uint32_t lane = 0;
};

class ThreadGroup {
public:
  ThreadGroup(BlockState &block, uint32_t firstThread, uint32_t count);

  BlockState &block() { return block_; }
  const Function &function() const { return block_.launch.function; }
  uint32_t size() const { return count_; }
  Lanes all() const { return all_; }
  void setStatement(const Stmt &stmt) { stmt_ = &stmt; }

  // `undefined`: threads for which the value is made of registers that nobody wrote.
  void bind(const Var *var, LaneValues values, const llvm::BitVector &undefined = {});
  // The values of the first thread, for others to start from.
  void copyTo(llvm::DenseMap<uint32_t, Number> &values) const;
  LaneValues evaluate(const Expr *expr, Lanes lanes);
  // Of what decides something: an index, a bound or a condition.
  LaneValues evaluateIndex(const Expr *expr, Lanes lanes);
  LaneRegion evaluate(const BufferRegion &region, Lanes lanes);
  // Of a value that goes into registers again. One made of registers that nobody wrote is no
  // finding then, but leaves those it goes to as if nobody had written them. `undefined`: such, by
  // thread.
  LaneValues evaluate(const Expr *expr, Lanes lanes, llvm::BitVector &undefined,
                      IntegerWidth width = IntegerWidth::OfType);
  // Those for which it is true.
  llvm::SmallVector<uint32_t, 32> where(const Expr *condition, Lanes lanes);

  // One element.
  LaneRegion evaluate(BufferId buffer, const Expr *slot, ExprList indices, Lanes lanes);
  // Elements of a region, counted with the last dimension fastest.
  // `receiver`: another thread than `lane`, which gets what that names.
  Number load(const LaneRegion &region, uint32_t lane, int64_t element,
              std::optional<uint32_t> receiver = std::nullopt);
  void store(const LaneRegion &region, uint32_t lane, int64_t element, Number value);
  void leaveUndefined(const LaneRegion &registers, uint32_t lane, int64_t element);
  // Of memory: gives what was there and, but for a Read, leaves what `next` makes of it, in one
  // step. `order`: of global memory, for other blocks.
  Number update(const LaneRegion &region, uint32_t lane, int64_t element, AtomicAccess access,
                llvm::function_ref<Number(Number)> next, MemoryOrder order = MemoryOrder::Relaxed);

  friend Lanes electedOf(const ThreadGroup &group, Lanes lanes, uint32_t thread);
  // What it has done and knows so far, and that it knows what others have.
  friend const WarpKnowledge &whatIsDone(ThreadGroup &group);
  friend void learn(ThreadGroup &group, const WarpKnowledge &known);
  friend Moment momentOf(const ThreadGroup &group);
  // Asynchronous copies go into the open group of their thread.
  // `to`: the block that they go to; null: its own.
  void startCopy(const LaneRegion &region, uint32_t lane, int64_t element, Number value,
                 BlockState *to = nullptr);
  void commit(Lanes lanes);
  void wait(Lanes lanes, int64_t pending);
  // One thread starts the copy of a box to a block, of which an mbarrier counts it; what is outside
  // of the source is 0.
  friend void startBox(ThreadGroup &group, const LaneRegion &source, const LaneRegion &destination,
                       const LaneRegion &barrier, uint32_t lane, BlockState &to);
  friend BlockState *reachBlock(ThreadGroup &group, int64_t rank, const LaneRegion &mbarrier,
                                uint32_t lane);
  // What the thread wrote before is seen through the asynchronous proxy by those for whom a barrier
  // orders the fence first.
  friend void fenceProxy(ThreadGroup &group, Lanes lanes);
  // From here on threads or wgmma may use these registers, whoever did before.
  friend void fenceRegisters(ThreadGroup &group, const LaneRegion &region, Lanes lanes);
  friend class WgmmasInFlight;
  friend class BoxStoresInFlight;
  // When it ends: nobody waits for what is in flight any more.
  friend void findCopiesInFlight(ThreadGroup &group);
  friend void findMisaligned(ThreadGroup &group, const LaneRegion &region, Lanes lanes,
                             int64_t bytes);
  // They get to a barrier of their warp, or of the block. There the group waits for the others,
  // where there are any.
  // At one of the block they may vote; behind it `afterwards` hears how many did.
  void arriveAtBarrier(BarrierScope scope, Lanes lanes, int64_t votes = 0,
                       std::function<void(int64_t votes)> afterwards = nullptr);
  // At a barrier of some threads. What is done from there on is behind it.
  friend void arriveAtNamed(ThreadGroup &group, const NamedArrival &arrival, Lanes lanes);
  // Others have come there, or nobody ever will.
  friend void leaveNamed(ThreadGroup &group);
  friend void arriveAtGrid(ThreadGroup &group, Lanes lanes);
  friend void leaveGrid(ThreadGroup &group);
  // Until it has ended; it is asked again when others have gone on. The second says whether.
  friend void awaitPhase(ThreadGroup &group, std::function<bool()> hasEnded);
  friend bool leavePhase(ThreadGroup &group);
  // Nobody waits for it any more; nullptr: nobody did. To be awaited again.
  friend std::function<bool()> takePhase(ThreadGroup &group);
  friend const Stmt &statementOf(const ThreadGroup &group) { return *group.stmt_; }
  // Nobody ever will end it.
  friend void giveUpPhase(ThreadGroup &group);
  Awaited awaited() const { return awaited_; }
  // Threads have met; who waited for that goes on.
  void meet(BarrierScope scope);

  void find(FindingKind kind, uint32_t lane, llvm::StringRef buffer, std::string detail = "",
            const Stmt *other = nullptr);
  // Of an access that would be made now.
  Actor actorOf(uint32_t lane, BufferId buffer) const;

private:
  using Place = ElementPlace;
  struct CopiedElement {
    BufferId buffer;
    int64_t slot = 0;
    size_t bit = 0;
    unsigned count = 0;
    uint64_t bits = 0;
    const Stmt *stmt = nullptr;
  };
  struct CopyGroups {
    std::deque<std::vector<CopiedElement>> committed; // the oldest first
    std::vector<CopiedElement> open;
    int64_t count = 0; // that have been committed so far
  };
  Place placeOf(const LaneRegion &region, uint32_t lane, int64_t element) const;
  LaneRegion regionOf(BufferId buffer, const Expr *slot, Lanes lanes);
  LaneValues evaluateBinary(const Binary &binary, Lanes lanes);
  LaneValues evaluateLoad(const Load &load, Lanes lanes);
  LaneRegisters &registersOf(const Buffer &buffer);
  // Into the values; nothing: outside of the array.
  std::optional<size_t> registerOf(const LaneRegion &region, uint32_t lane, int64_t element) const;
  Number loadRegister(const LaneRegion &region, uint32_t lane, int64_t element);
  Number loadShared(const Place &place);
  Number loadGlobal(const Place &place);
  void storeRegister(const LaneRegion &region, uint32_t lane, int64_t element, Number value);
  void storeShared(const Place &place, Number value);
  void storeGlobal(const Place &place, Number value);
  void noteUndefined(uint32_t lane, llvm::StringRef name);
  void report(const std::optional<Shadow::Conflict> &conflict, const Place &place);
  void findOutside(const Place &place);

  BlockState &block_;
  uint32_t first_, count_;
  llvm::SmallVector<uint32_t, 32> all_;
  const Stmt *stmt_ = nullptr;
  IntegerWidth width_ = IntegerWidth::OfType; // of the expression that is evaluated
  llvm::BitVector *undefined_ = nullptr;      // what notes reads of registers that nobody wrote
  Moment now_;
  // Of what goes through the asynchronous proxy, when it began; nothing: threads access themselves.
  std::optional<Moment> asyncSince_;
  RegisterUser registerUser_ = RegisterUser::Threads; // by whom registers are used now
  Awaited awaited_ = Awaited::Nobody;
  WarpKnowledge known_ = {};
  std::function<void(int64_t votes)> afterwards_; // null: nobody voted
  std::function<bool()> hasPhaseEnded_;           // of the phase that is awaited
  llvm::DenseMap<uint32_t, LaneValues> vars_;
  llvm::DenseMap<uint32_t, llvm::BitVector> undefinedVars_; // no entry: each has a value
  std::map<BufferId, LaneRegisters> registers_;
  std::vector<CopyGroups> copies_; // by thread
};

} // namespace tilescope
