"""How the host starts a kernel: core/codegen/cuda_source.h, LaunchRecord."""

import math

from tilelang import tvm
from tvm import tirx

from tilescope.recorder.buffers import bits_of
from tilescope.recorder.expressions import call_name, constant, constants


def launch_of(name, function, buffers):
    statements = list(buffers.known.statements(function.body))
    attributes = dict(function.attrs) if function.attrs else {}
    extents = {str(stmt.node.thread_tag): stmt.value for stmt in statements
               if type(stmt) is tirx.AttrStmt and stmt.attr_key == "thread_extent"}
    threads = constants(extents.get(f"threadIdx.{axis}", 1) for axis in "xyz")
    record = {"kernel": name, "grid": [str(extents.get(f"blockIdx.{axis}", 1)) for axis in "xyz"],
              "threads": math.prod(threads or [0])}
    if "dyn_shared_memory_buf" in attributes:
        record["dynamicSharedBytes"] = str(attributes["dyn_shared_memory_buf"])
    known = {"staticSharedBytes": static_bytes(function, buffers.known),
             "cluster": constants(attributes.get("cluster_dims", ())),
             "roleRegisters": [registers for stmt in statements for registers in role_registers(stmt, buffers.known)],
             "params": params_of(function, attributes, buffers)}
    return record | {key: value for key, value in known.items() if value}


def static_bytes(function, known):
    """Of arrays of their own in shared memory, mbarriers among them."""
    static = {declared.data: declared for declared in known.facts(function.body).declared
              if declared.scope.startswith("shared") and declared.scope not in ("shared.dyn", "shared.tmem")}
    sizes = [math.prod(constants(declared.shape) or [0]) * bits_of(declared.dtype) // 8 for declared in static.values()]
    return sum(sizes)


def role_registers(stmt, known):
    """[{threads, registers}] that each role of a statement that divides the block into roles asks for."""
    if type(stmt) is not tirx.AttrStmt or stmt.attr_key != "kWarpSpecializationScope":
        return []
    branches = (inner for inner in known.statements(stmt.body) if type(inner) is tirx.IfThenElse)
    branch = next((inner for inner in branches if inner.else_case is not None), None)
    if branch is None:
        return []
    roles = zip(constants(stmt.node) or [], (branch.then_case, branch.else_case))
    return [{"threads": threads, "registers": constant(inner.value.args[0])} for threads, role in roles
            for inner in known.statements(role)
            if type(inner) is tirx.Evaluate and call_name(inner.value) == "tl.set_max_nreg"]


def params_of(function, attributes, buffers):
    tensors = {buffer.name: buffer for buffer in buffers.now if buffer.scope == "global"}
    only_read = constants(attributes.get("tl.readonly_param_indices", ())) or []
    return [param_of(param, tensors.get(param.name), index in only_read)
            for index, param in enumerate(function.params)]


def param_of(param, tensor, is_only_read):
    kind = param.type_annotation
    if not isinstance(kind, tvm.ir.PointerType):
        return {"name": param.name, "dtype": str(param.dtype), "role": "scalar"}
    if kind.storage_scope == "grid_constant":
        return {"name": param.name, "role": "descriptor"}
    shape = {"shape": [str(extent) for extent in tensor.shape]} if tensor is not None else {}
    return {"name": param.name, "dtype": str(kind.element_type.dtype), **shape,
            "role": "input" if is_only_read else "written"}
