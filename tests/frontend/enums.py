# RUN: tilescope opt --passes '' %s | FileCheck %s
# ./dev lit tests/frontend/enums.py
# RUN: exits 2 tilescope opt --passes '' %s:unknown_value 2>&1 | FileCheck %s --check-prefix=VALUE
# RUN: exits 2 tilescope opt --passes '' %s:unknown_name 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: exits 2 tilescope opt --passes '' %s:equal_to_all 2>&1 | FileCheck %s --check-prefix=EQUAL
# RUN: exits 2 tilescope opt --passes '' %s:printed 2>&1 | FileCheck %s --check-prefix=PRINTED
# RUN: exits 2 tilescope opt --passes '' %s:many 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: exits 2 tilescope opt --passes '' %s:rounded 2>&1 | FileCheck %s --check-prefix=ROUNDED
# RUN: exits 2 tilescope opt --passes '' %s:flags 2>&1 | FileCheck %s --check-prefix=FLAG

# Enumerations: every assertion below also holds in CPython.
import enum
from enum import *

import tilelang.language as T


class Stage(IntEnum):
    NONE = 0
    WARP = 1
    LANE = 2
    THREAD = 2

    def is_none(self):
        return self == Stage.NONE

    @property
    def deeper(self):
        return Stage(self + 1)

    @classmethod
    def last(cls):
        return cls.LANE

    @staticmethod
    def parse(text):
        return Stage[text.upper()]


class Load(IntFlag):
    PLAIN = auto()
    ASYNC = auto()
    CACHED = auto()


class Named(StrEnum):
    FAST = auto()
    HALF = "float16"


class Width(int, Enum):
    NARROW = 32
    WIDE = 64


class Wider(IntEnum):
    TWICE = Width.WIDE
    MORE = auto()


class Words(StrEnum):
    def shout(self):
        return self.upper()


class Loud(Words):
    HELLO = auto()


class Negative(IntEnum):
    FIRST = -5
    NEXT = auto()


class Order(enum.Enum):
    ROWS = auto()
    COLUMNS = auto()


def check_numbers():
    assert Stage.WARP == 1 and Stage.WARP + 1 == 2 and 2 * Stage.LANE == 4 and -Stage.LANE == -2
    assert Stage.WARP < Stage.LANE and Stage.LANE >= 2 and max(Stage.WARP, 3) == 3 and 5 % Stage.LANE == 1
    assert not Stage.NONE and Stage.WARP and isinstance(Stage.WARP, int) and isinstance(Stage.WARP, Stage)
    assert [10, 11, 12][Stage.WARP] == 11 and {1: "one"}[Stage.WARP] == "one" and int(Stage.LANE) == 2
    assert list(range(Stage.LANE)) == [0, 1] and Stage.WARP in [1] and 1 in (Stage.WARP,) and float(Stage.LANE) == 2.0
    assert Negative.NEXT == -4 and Loud.HELLO == "hello" and Loud.HELLO.shout() == "HELLO"
    assert str(Width.WIDE) == f"{Width.WIDE}" == "Width.WIDE" and "%d" % Width.WIDE == "64" and "%s" % Stage.LANE == "2"
    assert f"{Stage.LANE}" == "2" and str(Stage.LANE) == "2" and f"{Stage.LANE:03}" == "002"
    assert Load.CACHED == 4 and Load.PLAIN | Load.CACHED == 5 and Load.ASYNC & 3 == 2
    assert Width.WIDE // Width.NARROW == 2 and Wider.TWICE + 1 == Wider.MORE == 65 and Wider.TWICE.value == 64


def check_members():
    assert Stage.THREAD is Stage.LANE and Stage(1) is Stage.WARP and Stage["NONE"] is Stage.NONE
    assert [stage.name for stage in Stage] == ["NONE", "WARP", "LANE"] and len(Stage) == 3 and Stage.LANE in Stage
    assert Stage.NONE.is_none() and not Stage.WARP.is_none() and Stage.WARP.deeper is Stage.LANE
    assert Stage.last() is Stage.LANE and Stage.parse("warp") is Stage.WARP and Stage.WARP.last().value == 2
    assert Named.FAST == "fast" and Named.HALF.upper() == "FLOAT16" and "16" in Named.HALF and len(Named.FAST) == 4
    assert Order.COLUMNS.value == 2 and Order.ROWS != 1 and Order.ROWS in {Order.ROWS: 0} and bool(Order.ROWS)
    assert [order.value for order in Order] == [1, 2] and not isinstance(Order.ROWS, int)
    kept = []
    kept.append(Stage.WARP)
    assert kept[0].name == "WARP"


def kernel(stage=Stage.LANE):
    check_numbers()
    check_members()

    @T.prim_func
    def main(X: T.Tensor((Width.WIDE, stage), Named.HALF), Y: T.Tensor((64,), "int32")):
        # CHECK: X: T.Tensor((64, 2), "float16")
        with T.Kernel(1, threads=Width.WIDE):
            for i in T.Parallel(64):
                # CHECK: Y[i] = i * 2 + 1
                Y[i] = i * stage + Stage.WARP
                X[i, Stage.WARP] = T.cast(i, Named.HALF)

    return main


def unknown_value():
    # VALUE: [[# @LINE + 1]]:{{[0-9]+}}: error: {{.*}}7
    return kernel(Stage(7))


def unknown_name():
    # NAME: [[# @LINE + 1]]:{{[0-9]+}}: error: {{.*}}'LOST'
    return kernel(Stage["LOST"])


def rounded():
    # ROUNDED: [[# @LINE + 1]]:{{[0-9]+}}: error: expected an integer as a member, not a float
    class Rounded(IntEnum):
        A = 1.5

    return kernel(Rounded.A)


def flags():
    # FLAG: [[# @LINE + 1]]:{{[0-9]+}}: error: a class below 'enum.Flag' is not supported yet
    class Set(enum.Flag):
        A = 1

    return kernel(Set.A)


def equal_to_all():
    class Compared:
        def __eq__(self, other):
            return True

    # EQUAL: [[# @LINE + 1]]:{{[0-9]+}}: error: '__eq__' of an enumeration is not supported yet
    class Any(Compared, Enum):
        A = 1

    return kernel(Any.A == 2)


def printed():
    class Worded(IntEnum):
        A = 1

        def __str__(self):
            return "a word"

    # PRINTED: [[# @LINE + 1]]:{{[0-9]+}}: error: '__str__' of a class is not supported yet
    return kernel(len(str(Worded.A)))


def many():
    # MANY: [[# @LINE + 1]]:{{[0-9]+}}: error: 'auto()' behind 4611686018427387904 is not supported yet
    class Bits(IntFlag):
        A = 1 << 62
        B = auto()

    return kernel(Bits.B)
