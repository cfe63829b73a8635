"""What is known of kernels of TileLang's examples that do not compile or are not judged right.

Whose it is: "theirs" where the kernel as written does what no kernel should or what cannot be judged (it reads what nobody
wrote, blocks overwrite each other), or where TileLang's own compile does not do it (stage "door": docs/findings.md), "limit"
where it cannot be run here, "ours" where it is still to be mended.
"""

# File or folder, function ("": all of it), stages, as a tuple: whose, why.
BOTH = ("exec", "run")
FOREIGN = "calls CUDA of its author, which has no meaning here"
OUTSIDE = "writes an element for each row of its tile, of a fragment that has one for each head"
FINDINGS = [
    ("attention_sink/example_gqa_sink_bwd_bhsd.py", "flashattn_fwd", ("compile",), "theirs", OUTSIDE),
    ("attention_sink/example_mha_sink_bwd_bhsd.py", "flashattn_fwd", ("compile",), "theirs", OUTSIDE),
    ("bitnet-1.58b/", "", BOTH, "limit", FOREIGN),
    ("blocksparse_attention/example_tilelang_block_sparse_attn.py", "", ("door",), "theirs",
     "a block whose mask is all zero does not wait for Q, which lands in the bytes of O_shared"),
    ("deepseek_mla/example_mla_decode_ws.py", "", BOTH, "theirs",
     "a warp group divides by what another writes to sum_exp_shared behind the last barrier of both (lines 333 and 309)"),
    ("deepseek_v32/sparse_mla_fwd_pipelined.py", "", BOTH, "theirs",
     "a warp group reads what another writes to sum_exp_shared behind the last barrier of both"),
    ("gemv/example_gemv.py", "gemv_alloc_reducer", ("door",), "theirs", "at 2 x 2 elements a block, the sum over threads is left out"),
    ("kda/chunk_bwd_intra.py", "", ("door",), "theirs", "pipelined, its sums are cleared in some blocks only"),
    ("kda/chunk_delta_h_fwd.py", "", ("door",), "theirs", "reads the first state before its copy has arrived"),
    ("dequantize_gemm/example_dequant_gemm_bf16_", "", BOTH, "limit", FOREIGN),
    ("dequantize_gemm/example_dequant_gemv_fp16xint4.py", "", BOTH, "limit", FOREIGN),
]


def explained(file, function, stage):
    for path, name, stages, whose, why in FINDINGS:
        if file.startswith(path) and name in ("", function) and stage in stages:
            return whose, why
    return "", ""
