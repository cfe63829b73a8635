# tilescope-ir 1
# ./dev lit tests/ops/fail_buffer_order.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BufferOrder: an id names one buffer of a function.
# CHECK: error: buffer '{{[ab]}}' (b2) is out of order, or twice, in the table of function 'f'
@T.prim_func
def f():
    a = T.alloc_local((4,), "int32")  #@ b2
    b = T.alloc_local((4,), "int32")  #@ b2
    T.barrier()
