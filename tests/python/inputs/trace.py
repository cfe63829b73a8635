import sys

import tilescope

trace = tilescope.Trace(sys.argv[1])
print(trace.kernel, "for", trace.target, "by", trace.compiler + ", M=" + trace.arguments["M"])
passes = trace.passes
print("passes:", passes[0]["name"], "...", passes[-1]["name"])
first, last = ({b["name"]: b for b in trace.buffers(after)}["A_shared"] for after in ("elaborate", None))
print("A_shared", first["dtype"], f"x{first['versions']} after elaborate, x{last['versions']} at the end")
print("peak", trace.arena()["peakBytes"], "bytes")
said = trace.check()
print(f"arena sound {said['arenaSound']}, hazards {said['hazardFree']}, {len(said['findings'])} findings")
print("found after:", trace.find("planned")["hits"][0]["name"])
print("the same as itself:", trace.diff(trace)["verdict"])
page = trace._repr_html_()
print(page[:60])
print("pictures:", page.count("<img "))
print("__global__ in the CUDA:", "__global__" in trace.cuda)
