"""What is known of kernels of TileLang's examples that do not compile or are not judged right.

Whose it is: "theirs" where the kernel as written does what no kernel should or what cannot be judged (it reads what nobody
wrote, blocks overwrite each other), "limit" where it cannot be run here, "ours" where it is still to be mended.
"""

# File or folder, function ("": all of it), stages, as a tuple: whose, why.
EXEC, RUN, BOTH = ("exec",), ("run",), ("exec", "run")
LONG = "sequences of thousands of tokens, whose lengths are no arguments: the CPU takes longer than it is given"
FOREIGN = "calls CUDA of its author, which has no meaning here"
OUTSIDE = "writes an element for each row of its tile, of a fragment that has one for each head"
FINDINGS = [
    ("attention_sink/example_gqa_sink_bwd_bhsd.py", "flashattn_fwd", ("compile",), "theirs", OUTSIDE),
    ("attention_sink/example_mha_sink_bwd_bhsd.py", "flashattn_fwd", ("compile",), "theirs", OUTSIDE),
    ("attention_sink/example_gqa_sink_bwd_varlen.py", "", BOTH, "limit", LONG),
    ("attention_sink/example_gqa_sink_fwd_varlen.py", "", BOTH, "limit", LONG),
    ("bitnet-1.58b/", "", BOTH, "limit", FOREIGN),
    ("blocksparse_attention/example_tilelang_sparse_gqa_decode_paged.py", "", BOTH, "limit", LONG),
    ("blocksparse_attention/example_tilelang_sparse_gqa_decode_varlen_mask.py", "", RUN, "theirs",
     "its splits that see no block divide by zero, so that the sum of all splits is NaN"),
    ("deepseek_mla/example_mla_decode_persistent.py", "", BOTH, "limit",
     "blocks wait for each other: all of them would have to run, which takes too long"),
    ("deepseek_mla/amd/", "", RUN, "limit", "the reference takes longer than it is given"),
    ("deepseek_v32/sparse_mla_bwd.py", "", RUN, "limit", "the reference takes longer than it is given"),
    ("deepseek_v32/sparse_mla_fwd.py", "", BOTH, "limit", "128 heads of 576 numbers and thousands of tokens: too much for the CPU"),
    ("dequantize_gemm/example_dequant_gemm_bf16_", "", BOTH, "limit", FOREIGN),
    ("dequantize_gemm/example_dequant_gemv_fp16xint4.py", "", BOTH, "limit", FOREIGN),
    ("dsa_sparse_finetune/sparse_mla", "", BOTH, "limit", "64 heads of 576 numbers for each token: too much for the CPU"),
    ("flash_attention/example_gqa_bwd_tma_reduce_varlen.py", "", RUN, "limit", LONG),
    ("flash_attention/example_gqa_fwd_varlen.py", "", BOTH, "limit", LONG),
    ("flash_attention/example_mha_fwd_varlen.py", "", BOTH, "limit", LONG),
    ("flash_decoding/example_gqa_decode_varlen_logits.py", "", BOTH, "theirs",
     "fills a row of S_shared for each block of keys, and reads as many as the longest sequence has"),
    ("gemm_sp/sparse_utils.py", "", BOTH, "limit", "of four neighbours two must be zero; with others it stores outside of its array"),
    ("kda/chunk_delta_bwd.py", "", RUN, "limit",
     "its state is multiplied by itself in each step: on numbers of seeds it grows until rounding is all that is left"),
]


def explained(file, function, stage):
    for path, name, stages, whose, why in FINDINGS:
        if file.startswith(path) and name in ("", function) and stage in stages:
            return whose, why
    return "", ""
