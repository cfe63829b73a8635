# tilescope-ir 2
# ./dev lit tests/diagnostics/fail_unknown_ir_version.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# UnknownIrVersion: text of a later program.
# CHECK: 1:1: error: IR text has version '2', but this program reads version 1
