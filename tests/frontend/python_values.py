# RUN: tilescope opt --passes '' %s | FileCheck %s
# ./dev lit tests/frontend/python_values.py

# Values of plain Python: every assertion below also holds in CPython.
import math

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
    check_strings()
    check_containers()
    check_functions()
    check_exceptions_and_classes()
    with T.Kernel(1) as bx:
        T.sync_threads()


# CHECK: def kernel():
