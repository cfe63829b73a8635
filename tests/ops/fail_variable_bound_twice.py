# tilescope-ir 1
# ./dev lit tests/ops/fail_variable_bound_twice.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# VariableBoundTwice: a clone of a loop has a variable of its own.
# CHECK: error: variable 'k' (v1) is bound twice
@T.prim_func
def f():
    for k in T.serial(0, 4):  #@ s1 v1
        T.barrier()
    for k in T.serial(0, 4):  #@ s2 v1
        T.barrier()
