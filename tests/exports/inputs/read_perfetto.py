"""Reads a Perfetto trace with Perfetto's own message definitions, checks that its tracks are declared and its slices
nested, compares it with views of the same trace (JSON of lifetimes and passes), and prints some of it."""

import collections
import json
import sys

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

trace = pb.Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())

tracks, slices, counts, stacks = {}, collections.defaultdict(list), collections.defaultdict(list), {}
last = collections.defaultdict(int)
for packet in trace.packet:
    assert packet.trusted_packet_sequence_id == 1
    if packet.HasField("track_descriptor"):
        track = packet.track_descriptor
        assert track.uuid not in tracks and (not track.parent_uuid or track.parent_uuid in tracks)
        tracks[track.uuid] = track
        continue
    event, time = packet.track_event, packet.timestamp
    assert event.track_uuid in tracks and time >= last[event.track_uuid]
    last[event.track_uuid] = time
    stack = stacks.setdefault(event.track_uuid, [])
    if event.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
        stack.append([event, time])
    elif event.type == pb.TrackEvent.TYPE_SLICE_END:
        begun, begin = stack.pop()
        slices[event.track_uuid].append((begun.name, begin, time, begun))
    else:
        assert event.type == pb.TrackEvent.TYPE_COUNTER
        assert tracks[event.track_uuid].counter.unit == pb.CounterDescriptor.UNIT_SIZE_BYTES
        counts[event.track_uuid].append((time, event.counter_value))
assert not any(stacks.values()), "a slice does not end"


def children(process):
    return [track for track in tracks.values() if track.parent_uuid == process.uuid]


def find(process, name):
    return next(track.uuid for track in children(process) if track.name == name)


def arguments(event):
    return " ".join(f"{a.name}={a.string_value if a.HasField('string_value') else a.int_value}"
                    for a in event.debug_annotations)


def compare_lifetimes(process, view):
    """A track a buffer, in the order of its first life; a slice a life, a microsecond a program point."""
    for lane in view["lanes"]:
        found = sorted((begin, end) for _, begin, end, _ in slices[find(process, lane["name"])])
        assert found == [(life["begin"] * 1000, life["end"] * 1000) for life in lane["live"]], lane
        flights = sorted((begin, end) for track in children(process) if track.name == lane["name"] + " copies"
                         for _, begin, end, _ in slices[track.uuid])
        assert flights == sorted((f["begin"] * 1000, f["end"] * 1000) for f in lane.get("inFlight", [])), lane


def compare_roles(process, view):
    """A track a role; around what an iteration does, in the order of the rows of the view, a slice of the iteration."""
    assert len(children(process)) == len(view["roles"])
    for track, role in zip(children(process), view["roles"]):
        print(f"{process.name}: {track.name}")
        found = sorted(slices[track.uuid], key=lambda item: (item[1], -item[2]))
        iterations = [item for item in found if item[0].startswith("iteration ")]
        assert [name for name, *_ in iterations] == [f"iteration {column}" for column in role["columns"]]
        for column, (_, begin, end, _) in enumerate(iterations):
            inside = [item for item in found if begin <= item[1] and item[2] <= end and item not in iterations]
            rows = [row for row in role["rows"] if row["cells"][column] != "."]
            assert [name for name, *_ in inside] == [row["text"] for row in rows], column
            if column == 1:
                for name, _, _, event in inside:
                    print(f"{name}: {arguments(event)}")


for process in [track for track in tracks.values() if track.HasField("process")]:
    assert process.child_ordering == pb.TrackDescriptor.EXPLICIT
    names = [track.name for track in children(process)]
    if process.name == "passes":
        print(f"passes: {len(slices[find(process, 'passes')])} slices")
        if len(sys.argv) > 3:
            rows = json.load(open(sys.argv[3]))["passes"]
            found = sorted(slices[find(process, "passes")], key=lambda item: item[2])
            assert [name for name, *_ in found] == [row["name"] for row in rows]
            assert [value for _, value in counts[find(process, "shared bytes")]] == \
                [row["sharedBytes"] for row in rows]
    elif " after " in process.name:
        compare_lifetimes(process, json.load(open(sys.argv[2]))["functions"][0])
        buffers = [name for name in names if name + " copies" in names or name == "Q_shared" or name == "O_shared"]
        print(f"{process.name}:", *buffers)
        print("live bytes:", *(value for _, value in counts[find(process, "live bytes")]))
        print("K_shared:", arguments(slices[find(process, "K_shared")][0][3]))
        flights = sum(len(slices[t.uuid]) for t in children(process) if t.name == "K_shared copies")
        print(f"K_shared copies: {flights} slices")
    elif process.name.startswith("roles of "):
        compare_roles(process, json.load(open(sys.argv[4])))
    else:
        print(f"{process.name}:", *(name for name in dict.fromkeys(names) if name.endswith("]")))
        print("K_shared[1]:", ", ".join(name for name, *_ in slices[find(process, "K_shared[1]")]))
