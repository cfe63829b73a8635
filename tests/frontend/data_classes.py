# RUN: tilescope opt --passes '' %s:scale | FileCheck %s --check-prefix=DEFAULTS
# ./dev lit tests/frontend/data_classes.py
# RUN: tilescope opt --passes '' %s:scale --set 'config=Config(2, seed=7)' | FileCheck %s --check-prefix=MADE
# RUN: tilescope opt --passes '' %s:scale --set kind=Kind.DOUBLE --set order=Order.LAST | FileCheck %s --check-prefix=MEMBER
# RUN: tilescope opt --passes '' %s:scale --set maker=Wide | FileCheck %s --check-prefix=CLASS
# RUN: exits 2 tilescope opt --passes '' %s:scale --set 'config=Config(2)' 2>&1 | FileCheck %s --check-prefix=NEEDS
# RUN: exits 2 tilescope opt --passes '' %s:hidden 2>&1 | FileCheck %s --check-prefix=HIDDEN

# Data classes whose fields say how their defaults are made; objects, members of enumerations and classes as arguments.
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum

import tilelang
import tilelang.language as T


class Kind(Enum):
    SINGLE = "single"
    DOUBLE = "double"


class Order(IntEnum):
    FIRST = 3
    LAST = 4


@dataclass
class Config:
    factor: int
    offsets: list = field(default_factory=list)
    step: int = field(default=3)
    table: dict = field(default_factory=lambda: {"k": 1})
    seed: int = field()


@dataclass
class Wide(Config):
    step: int = 30


# DEFAULTS: A[tx] = 35422
# MADE: A[tx] = 37423
# MEMBER: A[tx] = 45423
# CLASS: A[tx] = 35692
# NEEDS: --set config:1:1: error: 'Config' needs 'seed': (factor, offsets, step, table, seed)
@tilelang.jit
def scale(config=Config(1, seed=5), kind=Kind.SINGLE, order=Order.FIRST, maker=Config):
    config = replace(config, step=config.step + 1)
    config.offsets.append(2)
    other = maker(9, seed=1)
    assert len(other.offsets) == 0 and replace(other, factor=2).table == {"k": 1}
    total = config.factor + 10 * config.offsets[0] + 100 * config.step + 1000 * config.seed + 10000 * order
    total += 10 * (other.step - 3)
    times = 2 if kind == Kind.DOUBLE else 1

    @T.prim_func
    def main(A: T.Tensor((64,), "int32")):
        with T.Kernel(1, threads=64):
            tx = T.get_thread_binding()
            A[tx] = T.int32(times) + total

    return main


@dataclass
class Hidden:
    # HIDDEN: [[# @LINE + 1]]:{{.*}}: error: a field that is no parameter is not supported yet
    inner: int = field(init=False)


@tilelang.jit
def hidden(config=Hidden()):
    return None
