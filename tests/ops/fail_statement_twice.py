# tilescope-ir 1
# ./dev lit tests/ops/fail_statement_twice.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# StatementTwice: an id names one statement of the module. Tags place it in a kernel that is not here.
# CHECK: error: statement s5 stands in the module twice
@T.prim_func
def f():
    T.barrier()  #@ s5
    T.barrier()  #@ s5
