"""What kernels of TileLang's examples are run on where seeded numbers would not do.

Offsets of sequences ascend, a token belongs to one sequence, what a kernel expects to be normalised is small: on
independent random numbers such kernels compute NaN, let several blocks write one element, or let errors of rounding grow
until nothing can be compared.
"""
import pathlib
import struct

# Three sequences of 128 tokens.
SEQUENCES = ["--fill", "cu_seqlens=0,128,256,384", "--dim", "total_tokens=384", "--dim", "max_seqlen=128"]
# Two sequences, of 80 and of 112 tokens.
TWO_SEQUENCES = ["--fill", "cu_seqlens_q=0,80,192", "--fill", "cu_seqlens_k=0,80,192"]
# Every block of the cache is in use, in four splits.
# That may see all that is chosen for them.
FEW_QUERIES = ["--dim", "batch=1", "--dim", "seq_len=4", "--dim", "seq_len_kv=128", "--fill", "q_start_index_s=100",
               "--fill", "Indices=0..64"]
WHOLE_CACHE = ["--dim", "num_split=4", "--fill"]

# Their blocks wait for each other, so that a sample of them would wait for ever.
ALL_BLOCKS = ("deepseek_mla/example_mla_decode_persistent.py",)


def npy(shape, values):
    """A file of numpy with integers of 32 bits."""
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}i", *values)


def two_sequences(folder, length="seq_len", bounds="batch_plus_one"):
    """Of 40 and 56 tokens: which sequence a token is of, and its place there; by the names that the kernel has for the
    number of tokens and of the sequences' bounds."""
    lengths = (40, 56)
    tokens = [(sequence, place) for sequence, length in enumerate(lengths) for place in range(length)]
    path = pathlib.Path(folder) / "tokens.npy"
    path.write_bytes(npy((len(tokens), 2), [number for token in tokens for number in token]))
    return ["--dim", f"{length}={len(tokens)}", "--dim", f"{bounds}=3", "--fill", "Offsets=0,40,96",
            "--fill", f"TokenIndices=@{path}"]


def two_sequences_backward(folder):
    return two_sequences(folder, "S", "B_plus_one")


def half_zeros(folder):
    """Two zeros or more among each four neighbours; where there are two numbers, the last is one: elsewhere the kernel stores
    behind its array."""
    rows, columns = 32, 1024
    kept = [{0, 3}, {1, 3}, {2, 3}, {0}, {1}, {2}, {3}, set()]
    path = pathlib.Path(folder) / "dense.npy"
    path.write_bytes(npy((rows, columns), [1 + (row + column) % 7 if column % 4 in kept[(row + column // 4) % len(kept)] else 0
                                           for row in range(rows) for column in range(columns)]))
    return ["--dim", f"S={rows}", "--fill", f"dense=@{path}"]


# File or folder, function ("": all of it): arguments, or what makes them in a folder of its own.
INPUTS = [
    ("attention_sink/example_gqa_sink_bwd_varlen.py", "flashattn_fwd", TWO_SEQUENCES),
    ("attention_sink/example_gqa_sink_bwd_varlen.py", "flashattn_bwd", TWO_SEQUENCES),
    ("attention_sink/example_gqa_sink_bwd_varlen.py", "flashattn_bwd_preprocess", TWO_SEQUENCES[:2]),
    ("attention_sink/example_gqa_sink_bwd_varlen.py", "flashattn_bwd_dsink", TWO_SEQUENCES[:2]),
    ("attention_sink/example_gqa_sink_fwd_varlen.py", "", [*TWO_SEQUENCES, "--dim", "max_seqlen_q=112"]),
    ("block_causal_attention/block_causal_attention_varlen.py", "_fwd_varlen_template", SEQUENCES),
    ("block_causal_attention/block_causal_attention_varlen.py", "_bwd_dq_varlen_template", SEQUENCES),
    ("block_causal_attention/block_causal_attention_varlen.py", "_bwd_dkv_varlen_template", SEQUENCES),
    ("blocksparse_attention/example_tilelang_sparse_gqa_decode_paged.py", "",
     ["--dim", "max_num_blocks_per_seq=8", "--dim", "max_selected_blocks=8", *WHOLE_CACHE, "cache_seqlens=2048"]),
    ("blocksparse_attention/example_tilelang_sparse_gqa_decode_varlen_indice.py", "", [*WHOLE_CACHE, "cache_seqlens=100"]),
    ("blocksparse_attention/example_tilelang_sparse_gqa_decode_varlen_mask.py", "",
     ["--dim", "num_blocks=8", "--dim", "max_cache_seqlen=256", *WHOLE_CACHE, "cache_seqlens=250", "--fill", "block_mask=1"]),
    # The gradient of a doubly stochastic matrix, by conjugate gradients.
    ("deepseek_mhc/example_mhc_bwd.py", "sinkhorn_bwd_implicit_cg", ["--fill", "out=0.0625"]),
    # Keys from one place to another; a negative place would count from the end.
    ("deepseek_v32/fp8_lighting_indexer.py", "mqa_attn_return_logits", ["--fill", "CuSeqLenKS=0..16", "--fill", "CuSeqLenKE=48..64"]),
    ("dsa_hisa/pool_mqa_fp8.py", "", ["--fill", "CuSeqLenBlockedKS=0..4", "--fill", "CuSeqLenBlockedKE=8..16"]),
    ("deepseek_mla/example_mla_decode_paged.py", "", ["--fill", "cache_seqlens=200", "--fill", "block_table=0..8"]),
    ("grouped_gemm/example_grouped_gemm_bwd.py", "grouped_gemm_fwd",
     ["--fill", "batch_sizes=64,128", "--fill", "batch_offsets=0,64", "--fill", "batch_padded_offsets=0,64"]),
    ("deepseek_mla/example_mla_decode_persistent.py", "", ["--device", "sms=4"]),
    # Each of sixteen tokens has one of its own choice that it may see.
    ("deepseek_v32/sparse_mla_bwd.py", "bwd", ["--fill", "Indices=0..8"]),
    ("deepseek_v32/sparse_mla_fwd.py", "", ["--dim", "batch=1", "--dim", "seq_len=16", "--dim", "seq_len_kv=32", "--fill", "Indices=0..8"]),
    ("deepseek_v32/sparse_mla_fwd_pipelined.py", "", FEW_QUERIES),
    ("deepseek_v32/sparse_mla_fwd_seesaw.py", "", FEW_QUERIES),
    ("dsa_sparse_finetune/indexer_bwd.py", "", two_sequences),
    ("dsa_sparse_finetune/sparse_mla_fwd.py", "", two_sequences),
    ("dsa_sparse_finetune/sparse_mla_bwd.py", "bwd", two_sequences_backward),
    ("dsa_sparse_finetune/sparse_mla_topk_reducesum.py", "", two_sequences),
    ("dsa_sparse_finetune/indexer_topk_reducesum.py", "", two_sequences),
    ("flash_attention/example_gqa_bwd_tma_reduce_varlen.py", "flashattn_fwd", TWO_SEQUENCES),
    ("flash_attention/example_gqa_bwd_tma_reduce_varlen.py", "flashattn_bwd_preprocess", TWO_SEQUENCES[:2]),
    ("flash_attention/example_gqa_bwd_tma_reduce_varlen.py", "flashattn_bwd_atomic_add", TWO_SEQUENCES),
    ("flash_attention/example_gqa_fwd_varlen.py", "", [*TWO_SEQUENCES, "--dim", "max_seqlen_q=112"]),
    ("flash_attention/example_mha_fwd_varlen.py", "", [*TWO_SEQUENCES, "--dim", "max_seqlen_q=112"]),
    ("flash_decoding/example_gqa_decode_varlen_logits.py", "", ["--fill", "cu_seqlens_k=0,512"]),
    ("gemm_sp/sparse_utils.py", "", half_zeros),
    # Keys of length one and gates below one: the state does not grow.
    ("kda/chunk_delta_h_fwd.py", "", ["--fill", "-0.08..0.08", "--fill", "GK=-0.5..0"]),
    ("kda/chunk_delta_bwd.py", "", ["--fill", "-0.05..0.05", "--fill", "GK=-1..-0.5"]),
]


def inputs_of(file, function, folder):
    """Arguments of `run` and `exec` for a kernel of the file; what they name is written to the folder."""
    for path, name, inputs in INPUTS:
        if file == path and name in ("", function):
            return inputs(folder) if callable(inputs) else inputs
    return []
