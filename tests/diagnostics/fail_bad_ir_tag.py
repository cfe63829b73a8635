# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_bad_ir_tag.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BadIrTag: tags carry ids.
@T.prim_func
def f():
    # CHECK: [[# @LINE + 1]]:18: error: the tag cannot be read
    T.barrier()  #@ sixteen
    # CHECK: [[# @LINE + 1]]:18: error: the tag cannot be read
    T.barrier()  #@ s1 span=10
    # CHECK: [[# @LINE + 1]]:18: error: the tag cannot be read
    T.barrier()  #@ s4294967295
