# tilescope-ir 2
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/fail_unknown_ir_version.py

# UnknownIrVersion: text of a later program.
# CHECK: 1:1: error: IR text has version '2', but this program reads version 1
