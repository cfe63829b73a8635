"""One execution of an access program (core/access/access_program.h), as a trace holds it: which of its accesses to the same
bytes nothing keeps apart. It shares nothing with core/check and reasons otherwise: each thread carries the set of the
accesses that it knows to be over, and whatever it waits for adds the set of those that it waited for.

A lane of T threads is three: the elected one, one other, and the T - 2 others together. An access that is under way is over
for those who wait for its group, or for the phase that counts its bytes. What is known at a wait is what any execution
knows there: the end of the first phase that was not known to have ended. Loops of unknown length run twice at least, and
conditions that are not known are run both ways."""

import collections
import dataclasses
import functools
import operator

MOST_STEPS = 400_000
MOST_CASES = 6


class NotRun(Exception):
    """What cannot be followed, as the end of "it is not run: ..."."""


@dataclasses.dataclass(eq=False)
class Thread:
    lane: int
    weight: int  # threads of the machine
    is_elected: bool
    steps: object = None
    known: int = 0  # bit i: access i is over
    fenced: int = 0  # bit i: access i is, and TMA and wgmma see it
    own: int = 0
    groups: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(lambda: [0]))  # queue: open one last
    waits_at: tuple | None = None
    is_done: bool = False

    def learn(self, known, fenced):
        self.known |= known
        self.fenced |= fenced


@dataclasses.dataclass(eq=False)
class Phases:
    """Of one mbarrier."""

    arrivals: int
    left: int
    bytes: int = 0
    known: int = 0
    fenced: int = 0
    ended: list = dataclasses.field(default_factory=list)  # (known, fenced, bit) a phase


def faults_of(program, places):
    """{what is wrong}; `places`: {buffer: (first byte, bytes of a version, versions)}. Raises NotRun."""
    cases = program.get("cases") or 1
    shown = sorted({case * (cases - 1) // max(min(cases, MOST_CASES) - 1, 1) for case in range(min(cases, MOST_CASES))})
    found = set()
    for case in shown:
        for choice in (True, False):
            run = Run(program, places, case if program.get("cases") else None, choice)
            found |= run.faults()
            if not run.has_chosen:
                break
    return found


def thread_of_element(numbers, element):
    chosen = (number for bit, number in enumerate(numbers[1:]) if element >> bit & 1)
    return functools.reduce(operator.xor, chosen, numbers[0])


class Run:
    def __init__(self, program, places, case, choice):
        self.program, self.nodes, self.case, self.choice = program, program["nodes"], case, choice
        self.has_chosen = False
        self.phases = [Phases(one.get("arrivals", 0), one.get("arrivals", 0)) for one in program.get("mbarriers", [])]
        self.threads = self.make_threads()
        self.count = self.steps_made = 0
        self.meeting = collections.defaultdict(list)  # barrier: threads that are there
        self.slots = [(buffer, begin + version * size, begin + (version + 1) * size)
                      for buffer, (begin, size, versions) in places.items() for version in range(versions)]
        self.slots_of = collections.defaultdict(list)
        for number, (buffer, _, _) in enumerate(self.slots):
            self.slots_of[buffer].append(number)
        self.sharing = [[j for j, (_, low, high) in enumerate(self.slots) if low < end and begin < high]
                        for _, begin, end in self.slots]
        self.accesses = collections.defaultdict(lambda: collections.defaultdict(int))  # slot: {(statement, how): bits}
        # Of a slot whose bytes others wrote: {thread: who did, and the number that says which threads touch each element}
        self.written, self.clobbered, self.found = set(), collections.defaultdict(dict), set()

    def make_threads(self):
        roles = [node for node in self.nodes if node["kind"] == "roles"]
        if len(roles) > 1:
            raise NotRun("roles in roles")
        lanes = roles[0].get("laneThreads", []) if roles else [self.program.get("threads", 0)]
        if not lanes or 0 in lanes:
            raise NotRun("how many threads there are")
        threads = []
        for lane, count in enumerate(lanes):
            for position, weight in enumerate([1] + [1] * (count > 2) + [count - 1 - (count > 2)] * (count > 1)):
                threads.append(Thread(lane, weight, position == 0))
        for thread in threads:
            thread.steps = self.steps(self.program.get("root", 0), thread, {}, False)
        return threads

    def steps(self, index, thread, counts, is_in_role):
        """(node, iterations of the loops around, whether it stands in a role)"""
        node = self.nodes[index]
        kind, children = node["kind"], node.get("children", [])
        if kind == "roles":
            yield from self.steps(children[thread.lane], thread, counts, True)
        elif kind == "if":
            taken = 0 if self.holds(node, counts) else 1
            if taken < len(children):
                yield from self.steps(children[taken], thread, counts, is_in_role)
        elif kind in ("seq", "loop"):
            for k in range(self.trips(node) if kind == "loop" else 1):
                around = counts | {node["stmt"]: k} if kind == "loop" else counts
                for child in children:
                    yield from self.steps(child, thread, around, is_in_role)
        elif not node.get("oneThread") or (thread.is_elected and (is_in_role or thread.lane == 0)):
            yield node, counts, is_in_role

    def trips(self, node):
        if node.get("byCase") and self.case is not None:
            return node["byCase"][self.case]
        least, most = node.get("minTrips", 0), node.get("maxTrips")
        return most if most is not None else max(least, 2)

    def holds(self, node, counts):
        if node.get("byCase") and self.case is not None:
            return node["byCase"][self.case] == 1
        if "rangeLoop" in node:
            return node.get("rangeBegin", 0) <= counts.get(node["rangeLoop"], 0) < node.get("rangeEnd", 0)
        if "guardLoop" in node:
            loop = next(one for one in self.nodes if one["kind"] == "loop" and one["stmt"] == node["guardLoop"])
            return counts.get(node["guardLoop"], 0) + node.get("guardDistance", 0) < self.trips(loop)
        self.has_chosen = True
        return self.choice

    def faults(self):
        is_moving = True
        while is_moving:
            is_moving = False
            for thread in self.threads:
                while not thread.is_done and self.advance(thread):
                    is_moving = True
        for thread in self.threads:
            if not thread.is_done:
                self.found.add(("waits for ever", thread.waits_at[0].get("stmt")))
        return self.found

    def advance(self, thread):
        """Whether the thread made a step."""
        if thread.waits_at is None:
            thread.waits_at = next(thread.steps, None)
            if thread.waits_at is None:
                thread.is_done = True
                return True
        self.steps_made += 1
        if self.steps_made > MOST_STEPS:
            raise NotRun("it is too long")
        node, counts, is_in_role = thread.waits_at
        if not getattr(self, "at_" + node["kind"])(thread, node, counts, is_in_role):
            return False
        thread.waits_at = None
        return True

    # Each: whether the thread goes on.

    def at_leaf(self, thread, node, counts, _):
        accesses = node.get("accesses", [])
        reads = [access for access in accesses if access.get("kind", "read") == "read"]
        writes = [access for access in accesses if access.get("kind", "read") == "write"]
        made = [self.make(thread, node, access, counts) for access in reads + writes]
        for bit, access in made:
            if not access.get("async"):
                continue
            if "mbarrier" in access:
                self.count_bytes(thread, bit, access, counts)
            else:
                thread.groups[access.get("queue", 0)][-1] |= bit
        return True

    def at_commit(self, thread, node, *_):
        thread.groups[node.get("queue", 0)].append(0)
        return True

    def at_wait(self, thread, node, *_):
        committed = thread.groups[node.get("queue", 0)][:-1]
        over = committed[:max(len(committed) - node.get("pending", 0), 0)]
        thread.known |= functools.reduce(operator.or_, over, 0)
        return True

    def at_proxyFence(self, thread, *_):
        thread.fenced |= thread.own | thread.known
        return True

    def at_barrier(self, thread, node, _, is_in_role):
        if node.get("scope", "block") != "block":
            return True
        if is_in_role:
            raise NotRun("a barrier of the block in a role")
        return self.meet(thread, "block", sum(one.weight for one in self.threads))

    def at_namedBarrier(self, thread, node, *_):
        return self.meet(thread, node.get("barrierId", 0), node.get("threads", 0))

    def meet(self, thread, key, wanted):
        here = self.meeting[key]
        if thread in here:
            return False
        here.append(thread)
        if sum(one.weight for one in here) < wanted:
            return False
        known = functools.reduce(operator.or_, (one.known for one in here))
        fenced = functools.reduce(operator.or_, (one.fenced for one in here))
        for one in here:
            one.learn(known, fenced)
            if one is not thread:
                one.waits_at = None
        here.clear()
        return True

    def at_arrive(self, thread, node, counts, _):
        phases = self.phases_of(node["mbarrier"], counts)
        count = node.get("count", 0) * thread.weight
        if not count or count > phases.left or not phases.arrivals:
            raise NotRun("for which phase it is arrived")
        phases.left -= count
        phases.known |= thread.known
        phases.fenced |= thread.fenced
        self.end_phase(phases)
        return True

    def at_expect(self, thread, node, counts, _):
        phases = self.phases_of(node["mbarrier"], counts)
        if not node.get("bytes"):
            raise NotRun("how many bytes are expected")
        phases.bytes += node["bytes"] * thread.weight
        return True

    def at_waitPhase(self, thread, node, counts, _):
        phases, parity = self.phases_of(node["mbarrier"], counts), node["parity"]
        divisor = parity.get("divisor", 1)
        if not divisor:
            raise NotRun("which parity is waited for")
        wanted = self.number(parity.get("counter", {}), counts) // divisor % 2
        known = sum(1 for _, _, bit in phases.ended if thread.known & bit)
        if wanted != known % 2:
            return True
        if len(phases.ended) <= known:
            return False
        known, fenced, bit = phases.ended[known]
        thread.learn(known | bit, fenced)
        return True

    # What they use.

    def number(self, counter, counts):
        return counter.get("offset", 0) + sum(term.get("step", 1) * counts.get(term["loop"], 0)
                                              for term in counter.get("terms", []))

    def phases_of(self, ref, counts):
        modulus = ref.get("modulus", 1)
        if not modulus:
            raise NotRun("which mbarrier it is")
        return self.phases[ref.get("first", 0) + self.number(ref.get("counter", {}), counts) % modulus]

    def new_bit(self):
        self.count += 1
        return 1 << (self.count - 1)

    def count_bytes(self, thread, bit, access, counts):
        phases = self.phases_of(access["mbarrier"], counts)
        phases.bytes -= access.get("bytes", 0) * thread.weight
        phases.known |= bit | thread.known
        phases.fenced |= thread.fenced
        self.end_phase(phases)

    def end_phase(self, phases):
        if phases.left or phases.bytes:
            return
        before = phases.ended[-1][2] if phases.ended else 0
        phases.ended.append((phases.known | before, phases.fenced, self.new_bit()))
        phases.left, phases.known, phases.fenced = phases.arrivals, 0, 0

    def slots_touched(self, access, counts):
        slot, all_ = access.get("slot", {}), self.slots_of.get(access.get("buffer"), [])
        if slot.get("kind", "constant") == "dynamic":
            return all_
        number = slot.get("offset", 0)
        if slot.get("kind") == "loop":
            number = (counts.get(slot["loop"], 0) + number) % slot.get("modulus", 1)
        return all_[number:number + 1]

    def make(self, thread, node, access, counts):
        bit = self.new_bit()
        is_write, is_seen_by_tma = access.get("kind", "read") == "write", bool(access.get("asyncProxy"))
        touched = 0 if access.get("async") else access.get("touchedBy", 0)
        token = access.get("sameThreadToken", 0)
        own = 0 if access.get("async") else token
        how = is_write, token, bool(access.get("atomic")), is_seen_by_tma, touched, own
        slots = self.slots_touched(access, counts)
        for slot in slots:
            for other in self.sharing[slot]:
                self.compare(thread, node, access, how, slot, other)
        for slot in slots:
            self.accesses[slot][node.get("stmt"), how] |= bit
            self.follow_values(thread, node, access, slot, how)
        if not access.get("async"):
            thread.own |= bit
            thread.known |= bit
        return bit, access

    def thread_of(self, touched, slot, byte):
        """None: several, or it is not known."""
        told, bit = self.program["elementThreads"][touched - 1], (byte - self.slots[slot][1]) * 8
        first, last = bit // told["elementBits"], (bit + 7) // told["elementBits"]
        if last >= told["elements"] or "most" in told:
            return None
        threads = {thread_of_element(told["least"], element) for element in range(first, last + 1)}
        return threads.pop() if len(threads) == 1 else None

    @functools.lru_cache(maxsize=None)
    def is_of_one_thread(self, touched, slot, other_touched, other):
        """Whether each byte that both accesses touch one thread touches, the same."""
        if not touched or not other_touched:
            return False
        (_, begin, end), (_, low, high) = self.slots[slot], self.slots[other]
        threads = [(self.thread_of(touched, slot, byte), self.thread_of(other_touched, other, byte))
                   for byte in range(max(begin, low), min(end, high))]
        return all(mine is not None and mine == theirs for mine, theirs in threads)

    def are_own(self, token, slot, other_token, other):
        """A token stands for which thread touches each element, whatever the buffer: the same bytes are of the same thread."""
        return token != 0 and token == other_token and self.slots[slot][1:] == self.slots[other][1:]

    def compare(self, thread, node, access, how, slot, other):
        is_write, token, is_atomic, is_seen_by_tma, touched, own = how
        buffer = self.slots[other][0]
        for (stmt, others), bits in self.accesses[other].items():
            other_writes, other_token, other_atomic, other_seen, other_touched, other_own = others
            is_own = token and token == other_token and buffer == access.get("buffer")
            is_own = is_own or self.are_own(own, slot, other_own, other)
            is_own = is_own or self.is_of_one_thread(touched, slot, other_touched, other)
            is_one = stmt == node.get("stmt") and node.get("inPlace")
            if not (is_write or other_writes) or is_own or is_one or (is_atomic and other_atomic):
                continue
            if bits & ~thread.known:
                self.found.add(("race", stmt, buffer, node.get("stmt"), access.get("buffer")))
            elif is_seen_by_tma and not other_seen and bits & ~thread.fenced:
                self.found.add(("not fenced", node.get("stmt"), access.get("buffer")))

    def follow_values(self, thread, node, access, slot, how):
        buffer, (*_, touched, own) = access.get("buffer"), how
        # What one thread did to the bytes that it alone touches is nothing to others.
        concerned = {culprit: who for culprit, (*who, by, place, its) in self.clobbered[slot].items()
                     if culprit is thread or not (self.are_own(its, place, own, slot) or
                                                  self.is_of_one_thread(by, place, touched, slot))}
        if access.get("kind", "read") == "read":
            self.found |= {("overwritten", *who, node.get("stmt"), buffer) for who in concerned.values()}
            return
        self.written.add(slot)
        for culprit in concerned:
            del self.clobbered[slot][culprit]
        for other in self.sharing[slot]:
            if other in self.written and self.slots[other][0] != buffer:
                self.clobbered[other][thread] = node.get("stmt"), buffer, touched, slot, own
