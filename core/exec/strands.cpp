#include "core/exec/strands.h"

#include "core/exec/execution_limits.h"
#include "core/ir/op_facts.h"
#include "core/support/kernel_line.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>

namespace tilescope {

namespace {

std::string threadsText(llvm::ArrayRef<int64_t> threads) {
  if (threads.size() == 1)
    return llvm::formatv("thread {0} waits", threads.front());
  bool isRun = threads.back() - threads.front() + 1 == static_cast<int64_t>(threads.size());
  return isRun ? llvm::formatv("threads {0} to {1} wait", threads.front(), threads.back()).str()
               : llvm::formatv("{0} threads from {1} on wait", threads.size(), threads.front());
}

} // namespace

llvm::ArrayRef<const Stmt *> StrandRun::childrenOf(const Entry &entry) {
  if (const auto *seq = llvm::dyn_cast<Seq>(entry.stmt))
    return seq->stmts;
  return entry.stmt;
}

const Stmt &StrandRun::stmtOf(const Strand &strand) {
  const Entry &top = strand.stack.back();
  return *childrenOf(top)[static_cast<size_t>(top.next)];
}

// An entry counts what it has begun. So of two that are equal up to where one ends, the other is
// still inside of what that one has done.
int StrandRun::compare(const Strand &a, const Strand &b) {
  for (auto [of, other] : llvm::zip(a.stack, b.stack)) {
    if (of.side != other.side)
      return of.side < other.side ? -1 : 1;
    if (of.next != other.next)
      return of.next < other.next ? -1 : 1;
  }
  if (a.stack.size() == b.stack.size())
    return 0;
  return a.stack.size() > b.stack.size() ? -1 : 1;
}

void StrandRun::run(const Stmt *body, llvm::ArrayRef<int64_t> threads) {
  strands_.push_back({{threads.begin(), threads.end()}, {}, namesOf(frame_)});
  strands_.back().stack.push_back({.stmt = body, .first = {}, .trips = {}, .ended = {}});
  while (!strands_.empty() && !frame_.hasFailed()) {
    Strand *strand = choose();
    if (!strand && frame_.blocks)
      frame_.blocks->await([&] { return (strand = choose()) != nullptr; });
    if (!strand)
      return failWaiting();
    namesOf(frame_) = strand->names;
    runUntilItWaits(*strand);
    strand->names = namesOf(frame_);
    strands_.remove_if([](const Strand &one) { return one.stack.empty(); });
  }
}

StrandRun::Strand *StrandRun::choose() {
  Strand *chosen = nullptr;
  for (Strand &strand : strands_)
    if (canGoOn(strand) && (!chosen || compare(strand, *chosen) < 0))
      chosen = &strand;
  return chosen;
}

bool StrandRun::canGoOn(Strand &strand) {
  switch (strand.state) {
  case State::Runs:
    return true;
  case State::AtOthers:
    return false;
  case State::AtNamed:
    return llvm::any_of(strand.threads,
                        [&](int64_t thread) { return !isHeld_[static_cast<size_t>(thread)]; });
  case State::AtPhase:
    namesOf(frame_) = strand.names;
    return llvm::any_of(strand.threads, [&](int64_t thread) {
      return hasEnded(llvm::cast<OpStmt>(stmtOf(strand)), thread);
    });
  }
  return false;
}

void StrandRun::runUntilItWaits(Strand &strand) {
  do {
    advance(strand);
    if (strands_.size() > 1)
      mergeInto(strand);
  } while (strand.state == State::Runs && !strand.stack.empty() && !frame_.hasFailed() &&
           !isOneLessFar(strand));
}

bool StrandRun::isOneLessFar(const Strand &strand) {
  return llvm::any_of(strands_, [&](Strand &other) {
    bool runs = other.state == State::Runs || (other.state == State::AtNamed && canGoOn(other));
    return &other != &strand && runs && compare(other, strand) < 0;
  });
}

void StrandRun::advance(Strand &strand) {
  Entry &top = strand.stack.back();
  if (top.isLoop())
    return advanceFor(strand, *llvm::cast<For>(top.stmt));
  if (top.next == static_cast<int64_t>(childrenOf(top).size()))
    return strand.stack.pop_back();
  const Stmt &child = stmtOf(strand);
  if (!code_.hasWaits(child))
    return runHere(strand, child);
  if (const auto *op = llvm::dyn_cast<OpStmt>(&child))
    return waitAt(strand, *op);
  ++top.next;
  frame_.setStatement(child);
  if (const auto *loop = llvm::dyn_cast<For>(&child))
    return enterFor(strand, *loop);
  if (const auto *branch = llvm::dyn_cast<If>(&child))
    return enterIf(strand, *branch);
  strand.stack.push_back({.stmt = &child, .role = top.role, .first = {}, .trips = {}, .ended = {}});
}

// Those that break one are out of it with their iteration.
void StrandRun::enterFor(Strand &strand, const For &loop) {
  Entry entry{.stmt = &loop,
              .role = strand.stack.back().role,
              .first = std::vector<int64_t>(isHeld_.size()),
              .trips = std::vector<int64_t>(isHeld_.size()),
              .ended = {}};
  for (int64_t thread : strand.threads) {
    frame_.setThread(thread);
    entry.first[static_cast<size_t>(thread)] = frame_.evaluateInt(loop.min);
    entry.trips[static_cast<size_t>(thread)] = frame_.evaluateInt(loop.extent);
  }
  strand.stack.push_back(std::move(entry));
}

void StrandRun::advanceFor(Strand &strand, const For &loop) {
  Entry &entry = strand.stack.back();
  int64_t iteration = entry.next++;
  if (loop.forKind == ForKind::Endless && iteration == MostEndlessTrips)
    return frame_.fail(loop, endlessText(), FindingKind::EndlessLoop);
  llvm::SmallVector<int64_t> left, over;
  for (int64_t thread : strand.threads) {
    bool isOver = iteration >= entry.trips[static_cast<size_t>(thread)] ||
                  llvm::is_contained(entry.ended, thread);
    (isOver ? over : left).push_back(thread);
  }
  if (left.empty())
    return strand.stack.pop_back();
  if (!over.empty())
    split(strand, over).stack.pop_back();
  llvm::SmallVector<Number> values;
  for (int64_t thread : left)
    values.push_back(Number{.i = entry.first[static_cast<size_t>(thread)] + iteration});
  frame_.bindEach(loop.var, left, values);
  strand.stack.push_back(
      {.stmt = loop.body, .role = entry.role, .first = {}, .trips = {}, .ended = {}});
}

void StrandRun::enterIf(Strand &strand, const If &branch) {
  const auto *role = llvm::dyn_cast<Role>(&branch);
  llvm::SmallVector<int64_t> yes, no;
  for (int64_t thread : strand.threads) {
    frame_.setThread(thread);
    (frame_.evaluateInt(branch.condition) ? yes : no).push_back(thread);
  }
  const Role *around = strand.stack.back().role;
  auto enter = [&](Strand &side, const Stmt *body, int64_t number) {
    if (body)
      side.stack.push_back({.stmt = body,
                            .side = number,
                            .role = role ? role : around,
                            .first = {},
                            .trips = {},
                            .ended = {}});
  };
  if (yes.empty())
    return enter(strand, branch.elseBody, 1);
  if (!no.empty())
    enter(split(strand, no), branch.elseBody, 1);
  enter(strand, branch.thenBody, 0);
}

// Those that need not wait go on.
void StrandRun::waitAt(Strand &strand, const OpStmt &op) {
  bool isPhase = op.opInfo().sync == OpSync::WaitPhase;
  frame_.setStatement(op);
  if (!isPhase && strand.state == State::Runs)
    arriveAt(op, strand);
  llvm::SmallVector<int64_t> pass, wait;
  for (int64_t thread : strand.threads) {
    bool goesOn = isPhase ? hasEnded(op, thread) : !isHeld_[static_cast<size_t>(thread)];
    (goesOn ? pass : wait).push_back(thread);
  }
  if (!wait.empty() && !pass.empty())
    split(strand, wait).state = isPhase ? State::AtPhase : State::AtNamed;
  strand.state = pass.empty() ? (isPhase ? State::AtPhase : State::AtNamed) : State::Runs;
  if (pass.empty())
    return;
  if (isPhase)
    runHere(strand, op);
  else
    ++strand.stack.back().next;
}

// Warps arrive one by one.
void StrandRun::arriveAt(const OpStmt &op, Strand &strand) {
  int64_t wanted = op.attr(Attr::Threads);
  llvm::ArrayRef<int64_t> left = strand.threads;
  while (!left.empty()) {
    int64_t warp = left.front() / LanesOfWarp;
    auto lanes = left.take_while([&](int64_t thread) { return thread / LanesOfWarp == warp; });
    left = left.drop_front(lanes.size());
    Meeting &meeting = named_[op.attr(Attr::Number)];
    meeting.threads = meeting.arrived == 0 ? wanted : meeting.threads;
    auto count = static_cast<int64_t>(lanes.size());
    meeting.arrived += count;
    frame_.setThread(lanes.front());
    if (count != LanesOfWarp || meeting.threads != wanted || meeting.arrived > wanted)
      return frame_.fail(op,
                         llvm::formatv("{0} threads of a warp get to a barrier of {1} threads, "
                                       "where {2} of {3} are",
                                       count, wanted, meeting.arrived - count, meeting.threads),
                         FindingKind::DivergentBarrier);
    if (op.attr(Attr::Waits))
      for (int64_t thread : lanes) {
        isHeld_[static_cast<size_t>(thread)] = true;
        meeting.waiting.push_back(thread);
      }
    if (meeting.arrived == wanted)
      letGo(meeting);
  }
}

void StrandRun::letGo(Meeting &meeting) {
  for (int64_t thread : meeting.waiting)
    isHeld_[static_cast<size_t>(thread)] = false;
  meeting = {};
}

bool StrandRun::needsOthers(const Strand &strand, const Stmt &stmt) const {
  if (strands_.size() == 1 || !code_.isOfAll(stmt))
    return false;
  const Role *role = strand.stack.back().role;
  int64_t needed = role ? role->threads : frame_.threads();
  return static_cast<int64_t>(strand.threads.size()) < needed;
}

void StrandRun::runHere(Strand &strand, const Stmt &stmt) {
  if (needsOthers(strand, stmt)) {
    strand.state = State::AtOthers;
    return;
  }
  auto loop =
      llvm::find_if(llvm::reverse(strand.stack), [](const Entry &entry) { return entry.isLoop(); });
  llvm::SmallVector<int64_t> none;
  Entry &top = strand.stack.back();
  runStmt_(stmt, strand.threads, top.role, loop == strand.stack.rend() ? none : loop->ended);
  ++top.next;
}

bool StrandRun::hasEnded(const OpStmt &wait, int64_t thread) {
  frame_.setThread(thread);
  return frame_.mbarriers.hasEnded(mbarrierOf(wait.regions[0], frame_),
                                   frame_.evaluateInt(wait.args[0]), Moment());
}

StrandRun::Strand &StrandRun::split(Strand &strand, llvm::ArrayRef<int64_t> threads) {
  strands_.push_back({{threads.begin(), threads.end()}, strand.stack, namesOf(frame_)});
  llvm::erase_if(strand.threads,
                 [&](int64_t thread) { return llvm::is_contained(threads, thread); });
  return strands_.back();
}

// Those that have arrived at a named barrier stay by themselves, for they must not arrive again.
void StrandRun::mergeInto(Strand &strand) {
  if (strand.state == State::AtNamed || strand.stack.empty())
    return;
  strands_.remove_if([&](Strand &other) {
    if (&other == &strand || other.state == State::AtNamed || compare(strand, other) != 0)
      return false;
    joinNames(frame_, strand.threads, other.names, other.threads);
    for (auto [of, others] : llvm::zip_equal(strand.stack, other.stack)) {
      llvm::append_range(of.ended, others.ended);
      for (int64_t thread : other.threads)
        if (auto at = static_cast<size_t>(thread); of.isLoop()) {
          of.first[at] = others.first[at];
          of.trips[at] = others.trips[at];
        }
    }
    llvm::append_range(strand.threads, other.threads);
    llvm::sort(strand.threads);
    strand.state = State::Runs;
    return true;
  });
}

std::string StrandRun::waitText(Strand &strand) {
  const Stmt &stmt = stmtOf(strand);
  if (strand.state == State::AtOthers)
    return "where all threads are needed";
  const auto &op = llvm::cast<OpStmt>(stmt);
  if (strand.state == State::AtNamed)
    return llvm::formatv("at barrier {0}, where {1} of {2} threads have arrived",
                         op.attr(Attr::Number), named_[op.attr(Attr::Number)].arrived,
                         op.attr(Attr::Threads));
  namesOf(frame_) = strand.names;
  frame_.setThread(strand.threads.front());
  Mbarriers::Name name = mbarrierOf(op.regions[0], frame_);
  Mbarriers::Phase phase = frame_.mbarriers.phaseOf(name);
  std::string bytes = phase.bytes ? llvm::formatv(" and {0} bytes to come", phase.bytes).str() : "";
  return llvm::formatv("for phase {0} of '{1}[{2}]', which has {3} of {4} arrivals{5}",
                       phase.number, frame_.function().buffer(std::get<0>(name)).name,
                       std::get<2>(name), phase.arrivals - phase.missing, phase.arrivals, bytes);
}

// Of several the one counts that has come least far, of those at a phase if there are any.
void StrandRun::failWaiting() {
  auto rank = [](const Strand &strand) { return static_cast<int>(strand.state); };
  Strand *first = &strands_.front();
  for (Strand &strand : strands_)
    if (rank(strand) < rank(*first) ||
        (rank(strand) == rank(*first) && compare(strand, *first) < 0))
      first = &strand;
  const Stmt &stmt = stmtOf(*first);
  if (first->state == State::AtOthers) {
    namesOf(frame_) = first->names;
    llvm::SmallVector<int64_t> ended;
    return runStmt_(stmt, first->threads, first->stack.back().role, ended);
  }
  std::string text = threadsText(first->threads) + " here " + waitText(*first);
  for (Strand &other : strands_)
    if (&other != first)
      text += llvm::formatv("; {0}{1} {2}", threadsText(other.threads),
                            lineText(" at line ", stmtOf(other).span().line, ""), waitText(other));
  frame_.setThread(first->threads.front());
  frame_.fail(stmt, text,
              first->state == State::AtPhase ? FindingKind::EndlessWait
                                             : FindingKind::MissedBarrier);
}

} // namespace tilescope
