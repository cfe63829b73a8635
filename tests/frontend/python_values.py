# RUN: tilescope opt --passes '' %s | FileCheck %s
# ./dev lit tests/frontend/python_values.py

# Values of plain Python: every assertion below also holds in CPython.
import functools
import itertools
import math
from dataclasses import dataclass
from enum import Enum

import tilelang.language as T


def check_numbers():
    assert 7 // 2 == 3 and -7 // 2 == -4 and 7 // -2 == -4 and -7 % 3 == 2 and 7 % -3 == -2
    assert 7 / 2 == 3.5 and 2**10 == 1024 and 2**-1 == 0.5 and (-2) ** 3 == -8 and -(2**2) == -4
    assert -7.5 // 2 == -4.0 and -7.5 % 2 == 0.5 and 1e3 == 1000 and 0x_ff == 255
    assert 5 & 3 == 1 and 5 | 3 == 7 and 5 ^ 3 == 6 and ~5 == -6 and 1 << 10 == 1024 and -8 >> 1 == -4
    assert True + True == 2 and (True & False) is False and not 0 and not 0.0 and 1 and -1
    assert int(3.9) == 3 and int(-3.9) == -3 and int("12") == 12 and int("ff", 16) == 255
    assert float("-inf") < 0 and float("1.5") == 1.5 and round(2.5) == 2 and round(1.25, 1) == 1.2
    assert min(3, 1, 2) == 1 and max([3, 1, 2]) == 3 and sum([1, 2, 3]) == 6 and abs(-3) == 3
    assert divmod(7, 2) == (3, 1) and pow(2, 5) == 32 and 1 < 2 <= 2 < 3 and not 1 < 2 > 2
    assert (1 if 0 else 2) == 2 and (0 or 5) == 5 and (3 and 0) == 0 and (None or "x") == "x"
    assert 9223372036854775807 - 1 == 9223372036854775806 and -9223372036854775807 - 1 < 0


def check_large_integers():
    assert 2**63 - 1 == 9223372036854775807 and -(2**63) == -9223372036854775808 and 2**64 // 2**60 == 16
    assert 2**200 % 97 == 62 and -(2**70) // 3 == -393530540239137101142 and 1 << 100 >> 98 == 4
    assert int("123456789012345678901234567890") == 123456789012345678901234567890 and int(1e20) == 10**20
    assert str(3**50) == "717897987691852588770249" and 2**53 + 1 > float(2**53) and float(2**70) == 2.0**70
    assert (255).bit_length() == 8 and (2**100).bit_length() == 101 and ~(2**65) == -(2**65) - 1
    assert max(2**64, 3) > 2**63 and bool(2**64) and isinstance(2**64, int) and 0xFFFF_FFFF_FFFF_FFFF == 2**64 - 1


def check_floats():
    assert str(1e15) == "1000000000000000.0" and str(1e16) == "1e+16" and str(0.0001) == "0.0001"
    assert str(0.00001) == "1e-05" and str(1 / 3) == "0.3333333333333333" and repr(-0.0) == "-0.0"
    assert f"{1234.5:.4}" == "1.234e+03" and f"{3.0:.3}" == "3.0" and (3.0).is_integer()
    assert not float("nan") <= 1.0 and float("nan") != float("nan") and math.inf > 2**100


def check_unicode():
    assert len("\u65e5\u672c") == 2 and "\u65e5\u672c"[1] == "\u672c" and "a\u00e9"[::-1] == "\u00e9a"
    assert list("\u00e9a") == ["\u00e9", "a"] and "ab\u00e9c".find("c") == 3 and "x\u00e9x".strip("\u00e9x") == ""
    e = "\u00e9"
    assert f"{e:>3}|{'ab':\u00e9^4}" == "  \u00e9|\u00e9ab\u00e9" and "%3s" % "\u00e9" == "  \u00e9"
    assert "ab".replace("", "-") == "-a-b-" and repr("\u00e9\r") == "'\u00e9\\r'"


def check_sets_and_slices():
    assert {1, 2} | {3} == {1, 2, 3} and {1, 2} & {2, 3} == {2} and {1, 2} - {2} == {1} and {1, 2} ^ {2, 3} == {3, 1}
    assert {1, 2} == {2, 1} and {1} < {1, 2} and not {1, 2} < {1, 2} and {1, 2} >= {2} and str(set()) == "set()"
    assert {"a": 1} | {"a": 2, "b": 3} == {"a": 2, "b": 3} and range(3) == range(0, 3)
    same = items = [0, 1, 2, 3, 4, 5]
    del items[0]
    del items[1:3], items[-1]
    assert items == [1, 4]
    items[1:1] = [7, 8]
    items[::2] = ["x", "y"]
    items *= 2
    assert same == ["x", 7, "y", 4, "x", 7, "y", 4]
    table = {"a": 1, "b": 2}
    del table["a"]
    assert table == {"b": 2}
    items.append(items)
    assert str(items).endswith("4, [...]]")


def check_modules():
    def scaled(a, b, c=1):
        return (a + b) * c

    assert functools.partial(scaled, 1, c=3)(2) == 9 and functools.reduce(lambda a, b: a * b, [1, 2, 3, 4]) == 24
    assert list(itertools.product([1, 2], "ab")) == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
    assert list(itertools.chain([1], (2,))) == [1, 2] and list(itertools.accumulate([1, 2, 3])) == [1, 3, 6]
    assert list(itertools.repeat(0, 2)) == [0, 0] and type(3).__name__ == "int"


def check_math():
    assert math.sqrt(16) == 4.0 and math.log2(8) == 3 and math.ceil(1.2) == 2 and math.floor(-1.2) == -2
    assert abs(math.log(math.e) - 1) < 1e-12 and math.gcd(12, 18) == 6 and math.prod([2, 3, 4]) == 24
    assert math.inf > 1 and abs(math.pi - 3.14159) < 1e-4 and math.pow(2, 3) == 8.0


def check_strings():
    a, n = "abc", 7
    assert a + "d" == "abcd" and a * 2 == "abcabc" and a[0] == "a" and a[-1] == "c" and a[1:] == "bc"
    assert "b" in a and "x" not in a and len(a) == 3 and a < "abd" and a[::-1] == "cba"
    assert f"{a}-{n:03d}-{n:>4}|{n:<4}|{n:^5}" == "abc-007-   7|7   |  7  "
    assert f"{3.14159:.2f} {1234567:,} {255:x} {255:#x} {5:b} {0.5:.0%} {n!r} {a!r}" == (
        "3.14 1,234,567 ff 0xff 101 50% 7 'abc'"
    )
    assert f"{n=}" == "n=7" and f"{{{n}}}" == "{7}" and "%d of %s" % (1, "x") == "1 of x"
    assert "{} {1} {}".replace("1", "") == "{} {} {}" and "{0}-{1}-{0}".format(1, 2) == "1-2-1"
    assert "{a}".format(a=3) == "3" and ",".join(["x", "y"]) == "x,y" and "a b".split() == ["a", "b"]
    assert "a,b".split(",") == ["a", "b"] and " x ".strip() == "x" and "Ab".upper() == "AB"
    assert "abc".startswith("ab") and "abc".endswith("bc") and "abc".find("z") == -1
    assert str(1.0) == "1.0" and str(1e20) == "1e+20" and str([1, "a", None, True]) == "[1, 'a', None, True]"
    assert repr((1,)) == "(1,)" and str({"a": 1}) == "{'a': 1}" and "12".isdigit()


def check_containers():
    items = [3, 1, 2]
    items.append(4)
    items += [5]
    items.extend((6,))
    assert items == [3, 1, 2, 4, 5, 6] and items.pop() == 6 and items[1:3] == [1, 2] and items[-1] == 5
    assert sorted(items) == [1, 2, 3, 4, 5] and sorted(items, key=lambda x: -x)[0] == 5
    items.sort(reverse=True)
    assert items == [5, 4, 3, 2, 1] and list(reversed(items)) == [1, 2, 3, 4, 5] and items.index(4) == 1
    first, *middle, last = items
    assert (first, middle, last) == (5, [4, 3, 2], 1)
    (a, b), c = (1, 2), 3
    assert (a, b, c) == (1, 2, 3) and (1, 2) + (3,) == (1, 2, 3) and [0] * 3 == [0, 0, 0]
    a, b = b, a
    assert (a, b) == (2, 1) and (1, 2) < (1, 3) and [1] != (1,)
    table = {"a": 1, 2: "b", (1, 2): None}
    table["c"] = 3
    assert table["a"] == 1 and table.get("z", 9) == 9 and (1, 2) in table and len(table) == 4
    assert list(table) == ["a", 2, (1, 2), "c"] and dict(x=1, **{"y": 2}) == {"x": 1, "y": 2}
    assert table.pop("c") == 3 and list({"p": 1, "q": 2}.items()) == [("p", 1), ("q", 2)]
    assert {1, 2, 2} == {1, 2} and len({1, 1}) == 1 and list(zip([1, 2], "ab")) == [(1, "a"), (2, "b")]
    assert list(enumerate("ab", 1)) == [(1, "a"), (2, "b")] and any([0, 1]) and not all([0, 1])
    assert list(map(lambda x: x * 2, [1, 2])) == [2, 4] and list(filter(None, [0, 1])) == [1]
    assert [x * y for x in range(3) if x for y in (1, 10)] == [1, 10, 2, 20]
    assert {k: v for k, v in zip("ab", (1, 2))} == {"a": 1, "b": 2} and {x % 2 for x in range(5)} == {0, 1}
    assert sum(x for x in range(4)) == 6 and list(range(10, 0, -3)) == [10, 7, 4, 1] and 4 in range(0, 5, 2)
    assert isinstance(1, int) and isinstance("a", (int, str)) and not isinstance(1.0, int) and type(1) == int


def check_functions():
    def outer(a, b=2, *rest, c, d=4, **others):
        return a, b, rest, c, d, others

    assert outer(1, c=3) == (1, 2, (), 3, 4, {})
    assert outer(1, 5, 6, 7, c=3, e=8) == (1, 5, (6, 7), 3, 4, {"e": 8})
    assert outer(*[1, 2], **{"c": 3, "d": 5}) == (1, 2, (), 3, 5, {})
    adders = [lambda x, i=i: x + i for i in range(3)]
    assert [add(10) for add in adders] == [10, 11, 12]
    count = 0

    def increment():
        nonlocal count
        count += 1
        return count

    assert increment() + increment() == 3 and count == 2

    def fibonacci(n):
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    assert fibonacci(10) == 55
    total = 0
    for i in range(10):
        if i == 3:
            continue
        if i == 6:
            break
        total += i
    else:
        total = -1
    assert total == 12
    while total > 0:
        total -= 5
    else:
        total = 100
    assert total == 100 and (half := total // 2) == 50 and half == 50


def check_exceptions_and_classes():
    def attempt(fails):
        try:
            if fails:
                raise ValueError("no")
            return "fine"
        except (KeyError, ValueError) as error:
            return "caught"
        finally:
            log.append(fails)

    log = []
    assert attempt(True) == "caught" and attempt(False) == "fine" and log == [True, False]

    def caught(action):
        try:
            return action()
        except ZeroDivisionError:
            return "zero"
        except LookupError as error:
            return type(error).__name__
        except (TypeError, AttributeError):
            return "type"

    assert caught(lambda: 1 // 0) == "zero" and caught(lambda: {}["k"]) == "KeyError"
    assert caught(lambda: [1][5]) == "IndexError" and caught(lambda: 1 + "a") == "type"
    assert caught(lambda: (1).shape) == "type" and caught(lambda: 7) == 7

    class Refused(ValueError):
        pass

    try:
        try:
            raise Refused("too small")
        except KeyError:
            log.append("wrong")
    except ValueError as error:
        assert isinstance(error, Refused) and error.args == ("too small",)
    try:
        int("x")
    except ValueError as error:
        message = str(ValueError("a")) + repr(KeyError("k")) + str(KeyError("k"))
    assert message == "aKeyError('k')'k'"

    @dataclass
    class Tile:
        rows: int
        columns: int = 4

        def size(self):
            return self.rows * self.columns

    class Order(Enum):
        ROWS = 1
        COLUMNS = "c"

    assert Tile(2).size() == 8 and Tile(2) == Tile(2, columns=4) and Tile(1) != Tile(2)
    assert repr(Tile(3)).endswith("Tile(rows=3, columns=4)") and Order.COLUMNS.value == "c"
    assert Order(1) is Order.ROWS and Order.ROWS.name == "ROWS" and Order.ROWS != Order.COLUMNS

    class Base:
        scale = 2

        def __init__(self, size):
            self.size = size

        def area(self):
            return self.size * self.scale

    class Derived(Base):
        def area(self):
            return self.size * self.scale + 1

    assert Base(3).area() == 6 and Derived(3).area() == 7 and isinstance(Derived(1), Base)
    assert hasattr(Base(1), "size") and getattr(Base(1), "other", 5) == 5


@T.prim_func
def kernel():
    check_numbers()
    check_math()
    check_large_integers()
    check_floats()
    check_unicode()
    check_sets_and_slices()
    check_modules()
    check_strings()
    check_containers()
    check_functions()
    check_exceptions_and_classes()
    with T.Kernel(1) as bx:
        T.sync_threads()


# CHECK: def kernel():
