# tilescope-ir 1
# ./dev lit tests/ops/fail_device_body.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# DeviceBody: after split-host-device a function is one launch.
@T.prim_func(kind="device")
# CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: the body of device function 'f' is not one launch
def f():
    T.barrier()
