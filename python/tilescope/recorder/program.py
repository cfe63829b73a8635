"""The AccessProgram of one function: what its statements read and write in shared memory, under which loops and waits."""

import dataclasses
import math

from tvm import tirx
from tvm.tirx.analysis import undefined_vars

from tilescope.recorder import descriptors
from tilescope.recorder.block_cases import BlockCases
from tilescope.recorder.element_threads import ElementThreads
from tilescope.recorder.expressions import call_name, constant
from tilescope.recorder.mbarriers import Mbarriers
from tilescope.recorder.slots import Slot, Slots, byte_ranges, elements_of, owners_of
from tilescope.recorder.statements import PART_OF_ARENA, bounds_of, mbarriers_of
from tilescope.recorder.surroundings import Loop, Surroundings
from tilescope.recorder.touches import (ANY, BULK_STORES, COMMITS, COPIES, MBARRIER_OPERATIONS, WAITS, WGMMA, Touches,
                                        not_followed, same_elements)
from tilescope.recorder.zeroed_data import ZeroedData


def is_open(accesses, inexact):
    """Whether it is not known what a leaf does to the buffers that it touches."""
    return bool(inexact) or any("mayNotHappen" in access for access in accesses)


class Program:
    def __init__(self, function, buffers):
        self.buffers, self.known = buffers, buffers.known
        self.around = Surroundings(self.known.chains)
        self.mbarriers = Mbarriers(self.around)
        self.touches = Touches(buffers)
        # Which threads touch what is for those who judge a plan.
        self.slots = Slots(self.around, self.known, has_threads=buffers.is_merged)
        self.nodes, self.places, self.not_followed = [], [], set()
        self.queues = {COPIES: 0}  # their numbers
        self.enclosing = []  # loops: (statement, node)
        self.descriptors = {}  # of wgmma, by variable
        self.touched = {}  # by number: the buffers
        self.element_threads = ElementThreads(self.known.element_threads)
        self.inexact = set()  # buffers of which a write may define more than is known
        self.is_divided = False
        self.block_cases = BlockCases(self.around)
        self.zeroed_data = ZeroedData(function.body, self.around, self.known)
        self.root = self.add({"kind": "seq"}, None, ())
        self.nodes[self.root]["children"] = self.visit(function.body)
        self.cases = self.block_cases.finish()
        self.zeroed = self.zeroed_data.finish() if buffers.is_merged else []

    def add(self, node, stmt, signature):
        if self.around.doers == 1 and node["kind"] not in ("seq", "loop", "if", "roles"):
            node["oneThread"] = True
        self.nodes.append(node)
        self.places.append((stmt, (node["kind"], *signature)))
        return len(self.nodes) - 1

    def visit(self, stmt):
        kind, facts = type(stmt), self.known.facts(stmt)
        if kind is tirx.SBlock:
            self.mbarriers.initialise(stmt)
        if kind in (tirx.SeqStmt, tirx.SBlockRealize, tirx.SBlock):
            return [node for child in facts.children for node in self.visit(child)]
        if kind is tirx.AttrStmt:
            self.attribute(stmt)
            return self.visit(stmt.body)
        if kind is tirx.Bind:
            self.around.bind(stmt)
            if facts.name == PART_OF_ARENA:
                return []
        if kind in (tirx.For, tirx.While, tirx.IfThenElse):
            concerns = facts.is_sync or self.may_touch(self.known.all_variables(stmt))
            return self.control(stmt, facts.is_sync) if concerns else []
        if kind is tirx.Evaluate and facts.name:
            sync = self.synchronisation(stmt) if facts.is_sync else None
            if sync is not None:
                return sync
            if self.sets_descriptor(stmt):
                self.describe(stmt)
                return []
        if kind in (tirx.Evaluate, tirx.BufferStore, tirx.Bind, tirx.AssertStmt):
            return self.leaf(stmt, self.touches_of(stmt))
        return []

    def may_touch(self, variables):
        return not (self.buffers.shared.keys().isdisjoint(variables) and self.descriptors.keys().isdisjoint(variables))

    def attribute(self, stmt):
        self.around.launch(stmt)
        if stmt.attr_key == "kWarpSpecializationScope":
            self.is_divided = True

    def control(self, stmt, is_sync):
        if type(stmt) is not tirx.While and not is_sync:
            touches = self.group(stmt)
            if touches is not None:
                return self.leaf(stmt, touches)
        if type(stmt) is tirx.IfThenElse:
            return self.choice(stmt)
        extent = None if type(stmt) is tirx.While else constant(stmt.extent)
        node = {"kind": "loop", "minTrips": extent or 0} | ({} if extent is None else {"maxTrips": extent})
        if extent is None and type(stmt) is tirx.For:
            self.block_cases.add_loop(node, stmt.extent)
            self.zeroed_data.add(node, stmt.extent)
        index = self.add(node, stmt, ())
        self.around.loops |= bounds_of(stmt)
        if type(stmt) is tirx.For:
            self.around.outer[hash(stmt.loop_var)] = Loop(index, node.get("maxTrips"), *self.block_cases.begin(stmt.min))
            self.enclosing.append((stmt, index))
            self.around.remember(stmt.loop_var, stmt.min)
        children = self.leaf(stmt, self.touches.reads_of(self.known.facts(stmt).head)) + self.visit(stmt.body)
        self.around.loops.popitem()
        if type(stmt) is tirx.For:
            self.enclosing.pop()
        node["children"] = [self.sequence(children)]
        return [index]

    def choice(self, stmt):
        is_elect = "elect" in call_name(stmt.condition)
        if is_elect and stmt.else_case is None:
            return self.elected(stmt)
        only = self.around.only_thread(stmt.condition) if stmt.else_case is None and self.around.doers == 0 else None
        if only is not None and self.around.is_the_one(only):
            return self.alone(stmt, True)
        has_roles = self.is_divided and stmt.else_case is not None
        node = {"kind": "roles" if has_roles else "if"}
        index = self.add(node, stmt, ())
        lanes = [0, 0]
        if has_roles:
            self.is_divided = False
            lanes = node["laneThreads"] = self.around.threads_of(stmt.condition)
        elif is_elect or any(hash(var) in self.around.threads for var in undefined_vars(stmt.condition)):
            node["isDivergent"] = True
        else:
            node |= self.iterations_of(stmt.condition)
            self.block_cases.add_condition(node, stmt.condition)
            self.zeroed_data.add(node, stmt.condition)
        before, children = (self.around.doers, self.around.lane), []
        for case, holds, threads in zip(self.known.facts(stmt).children, (True, False), lanes):
            if has_roles:
                self.around.doers, self.around.lane = 0, threads
            elif "isDivergent" in node:
                self.around.doers = None
            self.around.conditions.append((stmt.condition, holds))
            children.append(self.sequence(self.visit(case)))
            self.around.conditions.pop()
            self.around.doers, self.around.lane = before
        node["children"] = children
        return self.leaf(stmt, self.touches.reads_of(stmt.condition)) + [index]

    def iterations_of(self, condition):
        """In which iterations of the one loop that it depends on it holds, if they follow each other."""
        variables = set(map(hash, undefined_vars(condition)))
        loops = [(loop, index) for loop, index in self.enclosing if hash(loop.loop_var) in variables]
        extent = self.nodes[loops[0][1]].get("maxTrips") if len(loops) == 1 else None
        if not extent:
            return {}
        loop, index = loops[0]
        counter = tirx.Var("count", loop.loop_var.dtype)
        found = self.block_cases.range_of(condition, counter, {hash(loop.loop_var): loop.min + counter}, extent)
        return {} if found is None else {"rangeLoop": index, "rangeBegin": found[0], "rangeEnd": found[1]}

    def elected(self, stmt):
        """One thread of every so many does it, whichever that is. The argument 0: of the block, in its first warp."""
        group = constant(stmt.condition.args[0]) if len(stmt.condition.args) else None
        threads = self.around.lane or self.around.block_threads()
        is_one = group == threads or (group == 0 and not self.around.lane)
        return self.alone(stmt, is_one and self.around.is_the_one("elected"))

    def alone(self, stmt, is_one):
        """What stands under a condition that holds for one thread, of its lane or of every so many."""
        before, self.around.doers = self.around.doers, 1 if self.around.doers == 0 and is_one else None
        self.around.conditions.append((stmt.condition, True))
        children = self.visit(stmt.then_case)
        self.around.conditions.pop()
        self.around.doers = before
        return children

    def at_mbarrier(self, stmt, name):
        """The nodes of an operation on mbarriers; None: it is none."""
        call = stmt.value
        given = mbarriers_of(call)
        if name == "ptx_init_barrier_thread_count":
            for barrier in given:
                for number in self.mbarriers.numbers_of(self.mbarriers.ref(barrier)):
                    self.mbarriers.declare(number, call.args[1])
                    self.mbarriers.starting.add(number)
            return []
        if not given and name not in MBARRIER_OPERATIONS:
            return None
        ref = {"mbarrier": self.mbarriers.used(given[0] if len(given) == 1 else ANY)}
        if name == "mbarrier_wait_parity":
            return [self.add({"kind": "waitPhase", **ref, "parity": self.mbarriers.known_parity(call.args[1])}, stmt, ())]
        nodes = []
        if name in ("mbarrier_expect_tx", "ptx_arrive_barrier_expect_tx"):
            bytes_ = constant(call.args[1]) if self.around.doers == 1 else None
            nodes.append(self.add({"kind": "expect", **ref, "bytes": bytes_ or 0}, stmt, ()))
        if name != "mbarrier_expect_tx":
            # Others arrive in ways that are not known.
            is_plain = name == "ptx_arrive_barrier_expect_tx" or (name == "ptx_arrive_barrier" and len(call.args) == 1)
            count = 1 if is_plain and self.around.doers is not None else 0
            nodes.append(self.add({"kind": "arrive", **ref, "count": count}, stmt, ()))
        return nodes

    def sequence(self, children):
        return self.add({"kind": "seq", "children": children}, None, ())

    # None: the statement is no synchronisation. What has no node of its own gives none.
    def synchronisation(self, stmt):
        name, args = call_name(stmt.value).rpartition(".")[2], stmt.value.args
        if name in (*COMMITS, *WAITS) and self.around.doers is None and self.around.is_elected():
            return []  # of one thread of several groups each: nothing is waited for by all
        if name in COMMITS:
            return [self.add({"kind": "commit", **self.queued(COMMITS[name])}, stmt, (COMMITS[name],))]
        if name in WAITS:
            pending = constant(args[0])
            return [] if pending is None else [self.wait(WAITS[name], pending, stmt)]
        if name == "fence_proxy_async":
            return [self.add({"kind": "proxyFence"}, stmt, ())] if self.around.doers is not None else []
        if name == "sync_warp":
            return [self.add({"kind": "barrier", "scope": "warp"}, stmt, ("warp",))]
        if name == "tvm_storage_sync" and len(args) > 1:
            known = {"barrierId": constant(args[1]) or 0, "threads": constant(args[2]) or 0} if len(args) > 2 else {}
            return [self.add({"kind": "namedBarrier", **known}, stmt, ())]
        if name == "tvm_storage_sync":
            scope = "warp" if args[0].value == "warp" else "block"
            if scope == "block" and self.around.doers == 0 and not self.around.conditions and not self.around.loops:
                self.mbarriers.starting.clear()
            return [self.add({"kind": "barrier", "scope": scope}, stmt, (scope,))]
        return self.at_mbarrier(stmt, name)

    def queued(self, queue):
        number = self.queues.setdefault(queue, len(self.queues))
        return {"queue": number} if number else {}

    def wait(self, queue, pending, stmt):
        return self.add({"kind": "wait", "pending": pending, **self.queued(queue)}, stmt, ("wait", queue))

    def group(self, stmt):
        """What a loop nest or a condition touches, if it can be one leaf: no buffer is both read and written, but by a loop of
        which every iteration has elements of its own, and no descriptor is made or moved. What is read through one depends on
        the loops around where that is done, and those of a leaf are not entered."""
        touches = []
        if not self.gather(stmt, {}, (), touches):
            return None
        read = {touch.buffer.id for touch in touches if not touch.is_write}
        written = {touch.buffer.id for touch in touches if touch.is_write}
        for buffer in read & written:
            own = [touch for touch in touches if touch.buffer.id == buffer]
            # Statements that follow each other under a condition may hand bytes on.
            if type(stmt) is not tirx.For or not all(touch.is_own and same_elements(touch, own[0]) for touch in own):
                return None
            # It reads what it has just written itself.
            if own[0].is_write:
                touches = [touch for touch in touches if touch.is_write or touch.buffer.id != buffer]
        return touches

    def gather(self, stmt, loops, conditions, touches):
        kind, inner = type(stmt), self.known.facts(stmt).children
        if kind is tirx.For:
            begin, extent = constant(stmt.min), constant(stmt.extent)
            if begin is None or not extent:
                return False
            touches += self.touches.reads_of(stmt.extent)
            return self.gather(stmt.body, {**loops, hash(stmt.loop_var): (begin, extent)}, conditions, touches)
        if kind is tirx.IfThenElse:
            touches += self.touches.reads_of(stmt.condition)
            return all(self.gather(case, loops, (*conditions, (stmt.condition, holds)), touches)
                       for case, holds in zip(inner, (True, False)))
        if kind is tirx.While or self.sets_descriptor(stmt):
            return False
        if kind is tirx.Bind:
            self.around.bind(stmt)
        if kind is tirx.AttrStmt:
            self.attribute(stmt)
        if inner:
            return all(self.gather(child, loops, conditions, touches) for child in inner)
        touches += [dataclasses.replace(touch, loops=loops, conditions=conditions) for touch in self.touches_of(stmt)]
        return True

    def touches_of(self, stmt):
        """Of a statement that has none inside."""
        own, name, touches = self.known.own_variables(stmt), self.known.facts(stmt).name, []
        self.not_followed |= not_followed(name)
        if not self.may_touch(own):
            return []
        if not self.buffers.shared.keys().isdisjoint(own):
            key = (hash(stmt), frozenset(self.buffers.shared.keys() & own))
            if key not in self.known.touches:
                self.known.touches[key] = self.touches.of_statement(stmt)
            touches = self.known.touches[key]
        if "wgmma" in name:
            touches = touches + descriptors.reads(stmt.value, self.descriptors, WGMMA)
        return touches

    def sets_descriptor(self, stmt):
        name = self.known.facts(stmt).name
        return type(stmt) is tirx.Evaluate and (descriptors.makes_one(name) or descriptors.moves_one(name))

    def describe(self, stmt):
        """A descriptor is made or moved, under the loops that are entered."""
        call, touches = stmt.value, self.touches_of(stmt)
        key, loops = hash(call.args[0].buffer.data), self.around.loops
        if not descriptors.moves_one(self.known.facts(stmt).name):
            if touches:
                self.descriptors[key] = descriptors.described(call, touches[0], loops)
        elif key in self.descriptors:
            self.descriptors[key] = descriptors.moved(self.descriptors[key], call.args[1], loops)

    def leaf(self, stmt, touches):
        if not touches:
            return []
        self.touched.update((touch.buffer.id, touch.buffer) for touch in touches)
        accesses, inexact = self.all_accesses(touches, self.slots)
        self.inexact |= inexact
        signature = sorted({(t.buffer.id, t.is_write) for t in touches})
        if any(touch.mbarrier is not None for touch in touches):
            self.zeroed_data.inexact |= inexact
            return self.counted_leaf(stmt, accesses, signature)
        node = {"kind": "leaf", "accesses": accesses}
        if self.buffers.is_merged:
            node |= self.on_zeros(touches, accesses, inexact)
        return [self.add(node, stmt, signature)]

    def on_zeros(self, touches, accesses, inexact):
        """What a leaf says besides of what it does in the run on zeros, where more is known of that."""
        for each in self.zeroed_data.iterations(self.enclosing) if is_open(accesses, inexact) else ():
            made = [self.all_accesses(slots.those_that_happen(touches), slots) for slots in each]
            if made and all(other == made[0] for other in made) and not is_open(*made[0]):
                self.zeroed_data.add_leaf(set().union(*(slots.used for slots in each)))
                return {"accessesOnZeros": made[0][0]}
        self.zeroed_data.inexact |= inexact
        return {}

    def all_accesses(self, touches, slots):
        """(what they do, the buffers of which a write may define more than is known)"""
        accesses, inexact = [], set()
        for is_write in (False, True):
            kinds = {}
            for touch in touches:
                if touch.is_write == is_write:
                    by = touch.mbarrier if touch.mbarrier in (None, ANY) else hash(touch.mbarrier)
                    kinds.setdefault((touch.buffer.id, touch.queue, by, touch.is_atomic), []).append(touch)
            for same in kinds.values():
                accesses += self.accesses(same, slots, inexact)
        if slots.has_threads:
            self.mark_shared(touches, accesses, slots)
        return accesses, inexact

    def mark_shared(self, touches, accesses, slots):
        """Writes of buffers of which an element may be touched by several threads that make this statement, by what the threads
        do one by one: operations of warps and copies in bulk know what they do."""
        for access in accesses:
            own = [touch for touch in touches if touch.buffer.id == access["buffer"] and touch.is_own and not touch.is_atomic]
            is_written = access.get("kind") == "write" and any(touch.is_write for touch in own)
            if is_written and self.around.doers == 0 and not slots.are_apart(own):
                access["sharesElements"] = True

    def counted_leaf(self, stmt, accesses, signature):
        """A tile operation that copies is done by an elected thread, which arrives for it if the operation says so."""
        call = self.known.facts(stmt).head
        is_tile = call_name(call).endswith("tma_copy")
        before = self.around.doers
        if is_tile:
            self.around.doers = 1 if before == 0 else None
        leaf = [self.add({"kind": "leaf", "accesses": accesses}, stmt, signature)]
        counted = next(access for access in accesses if "mbarrier" in access)
        if is_tile and constant(call.annotations.get("emit_arrive", 0)):
            ref = {"mbarrier": counted["mbarrier"]}
            leaf.insert(0, self.add({"kind": "expect", **ref, "bytes": counted["bytes"]}, stmt, ("expect",)))
            leaf.append(self.add({"kind": "arrive", **ref, "count": 1 if self.around.doers else 0}, stmt, ("arrive",)))
        self.around.doers = before
        return leaf

    def accesses(self, touches, slots, inexact):
        """Of touches of one buffer in one manner: an access for each slot."""
        by_slot = slots.by_slot(touches)
        bytes_ = self.bytes_of(touches) if touches[0].mbarrier is not None and len(by_slot) == 1 else 0
        may_not_happen = all(map(slots.may_not_happen, touches))
        made = [self.access(touches, slot, parts, bytes_) for slot, parts in by_slot.items()]
        for access, parts in zip(made, by_slot.values()):
            if may_not_happen:
                access["mayNotHappen"] = True
            if touches[0].is_write and "full" not in access:
                if ranges := byte_ranges(parts, touches):
                    access["parts"] = ranges
                else:
                    inexact.add(touches[0].buffer.id)
        return made

    def access(self, touches, slot, parts, bytes_):
        touch, access = touches[0], {"buffer": touches[0].buffer.id}
        elements, owners = elements_of(parts), owners_of(parts)
        if slot != Slot("constant", 0):
            access["slot"] = {name: value for name, value in slot._asdict().items() if value is not None}
            if slot.kind == "loop":
                access["slot"]["loop"] = self.around.outer[slot.loop].node
        if elements is not None and bool(elements.all()):
            access["full"] = True
        if touch.is_write:
            access["kind"] = "write"
        if touch.queue is not None:
            access.update({"async": True, **self.queued(touch.queue)})
            access |= {"asyncProxy": True} if touch.queue in (WGMMA, BULK_STORES) else {}
        if touch.mbarrier is not None:
            access.update({"async": True, "asyncProxy": True, "mbarrier": self.mbarriers.used(touch.mbarrier), "bytes": bytes_})
        if touch.is_atomic:
            access["atomic"] = True
        if owners is not None:
            access["sameThreadToken"] = self.known.token_of(owners)
        if number := self.element_threads.number_of(touches, parts):
            access |= {"touchedBy": number, "full": True}
        return access

    def bytes_of(self, touches):
        """That an mbarrier counts; 0: not known."""
        total = 0
        for touch in touches:
            extents = [extent for _, extent in touch.loops.values()]
            is_sure = all("elect" in call_name(condition) for condition, _ in touch.conditions) and None not in extents
            if not touch.moved or not is_sure or self.around.doers is None:
                return 0
            total += touch.moved * math.prod(extents)
        return total
