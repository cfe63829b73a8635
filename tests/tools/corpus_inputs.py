"""What kernels of TileLang's examples are run on where seeded numbers would not do.

Offsets of sequences ascend, a token belongs to one sequence, what a kernel expects to be normalised is small: on
independent random numbers such kernels compute NaN, let several blocks write one element, or let errors of rounding grow
until nothing can be compared.
"""
import pathlib
import struct

# Three sequences of 128 tokens.
SEQUENCES = ["--fill", "cu_seqlens=0,128,256,384", "--dim", "total_tokens=384", "--dim", "max_seqlen=128"]
# Every block of the cache is in use, in four splits.
WHOLE_CACHE = ["--dim", "num_split=4", "--fill"]


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


# File or folder, function ("": all of it): arguments, or what makes them in a folder of its own.
INPUTS = [
    ("block_causal_attention/block_causal_attention_varlen.py", "_fwd_varlen_template", SEQUENCES),
    ("block_causal_attention/block_causal_attention_varlen.py", "_bwd_dq_varlen_template", SEQUENCES),
    ("block_causal_attention/block_causal_attention_varlen.py", "_bwd_dkv_varlen_template", SEQUENCES),
    ("blocksparse_attention/example_tilelang_sparse_gqa_decode_paged.py", "", [*WHOLE_CACHE, "cache_seqlens=25600"]),
    ("blocksparse_attention/example_tilelang_sparse_gqa_decode_varlen_indice.py", "", [*WHOLE_CACHE, "cache_seqlens=100"]),
    ("blocksparse_attention/example_tilelang_sparse_gqa_decode_varlen_mask.py", "",
     [*WHOLE_CACHE, "cache_seqlens=100", "--fill", "block_mask=1"]),
    # The gradient of a doubly stochastic matrix, by conjugate gradients.
    ("deepseek_mhc/example_mhc_bwd.py", "sinkhorn_bwd_implicit_cg", ["--fill", "out=0.0625"]),
    # Keys from one place to another; a negative place would count from the end.
    ("deepseek_v32/fp8_lighting_indexer.py", "mqa_attn_return_logits", ["--fill", "CuSeqLenKS=0..16", "--fill", "CuSeqLenKE=48..64"]),
    ("dsa_sparse_finetune/indexer_bwd.py", "", two_sequences),
    ("dsa_sparse_finetune/sparse_mla_fwd.py", "", two_sequences),
    ("dsa_sparse_finetune/sparse_mla_bwd.py", "bwd", two_sequences_backward),
    ("dsa_sparse_finetune/sparse_mla_topk_reducesum.py", "", two_sequences),
    ("dsa_sparse_finetune/indexer_topk_reducesum.py", "", two_sequences),
    # Keys of length one and gates below one: the state does not grow.
    ("kda/chunk_delta_h_fwd.py", "", ["--fill", "-0.08..0.08", "--fill", "GK=-0.5..0"]),
]


def inputs_of(file, function, folder):
    """Arguments of `run` and `exec` for a kernel of the file; what they name is written to the folder."""
    for path, name, inputs in INPUTS:
        if file == path and name in ("", function):
            return inputs(folder) if callable(inputs) else inputs
    return []
