"""At which sizes kernels of TileLang's examples are executed: small ones, so that the CPU has an answer in seconds."""

import re

# Two sequences of a few dozen tokens, for few heads.
SEQUENCES = {"batch_size": 2, "batch": 2, "groups": 2, "heads": 4, "UQ": 192, "UKV": 192, "total_q": 192, "total_kv": 192,
             "N_CTX": 128, "max_seq_len": 112}
# Each token chooses 64 others.
CHOSEN = {"topk": 64}
# File or folder, function ("": all of it): values of arguments, where making every number of four digits smaller is not enough.
SMALL = [
    ("attention_sink/example_gqa_sink_bwd_varlen.py", "", SEQUENCES),
    ("attention_sink/example_gqa_sink_fwd_varlen.py", "", SEQUENCES),
    ("blocksparse_attention/example_tilelang_sparse_gqa_decode_paged.py", "", {"batch": 2, "heads": 8, "heads_kv": 2, "num_pages": 16}),
    ("convolution/", "", {"N": 1, "H": 16, "W": 16, "data": "(1, 16, 16, 128)"}),
    ("deepseek_mla/amd/benchmark_mla_decode_amd_tilelang.py", "", {"batch": 1, "seqlen_kv": 256}),
    ("deepseek_mla/example_mla_decode_persistent.py", "", {"batch": 1, "seqlen_kv": 256}),
    ("deepseek_v32/sparse_mla_bwd.py", "bwd", CHOSEN | {
        "Q": "(1, 16, 64, 576)", "KV": "(1, 32, 1, 576)", "dO": "(1, 16, 64, 512)", "Indices": "(1, 16, 1, 64)",
        "Lse": "(1, 16, 64)", "Delta": "(1, 16, 64)", "dKV": "(1, 32, 1, 576)"}),
    ("deepseek_v32/sparse_mla_fwd.py", "", CHOSEN | {"Indices": "(1, 16, 1, 64)"}),
    ("dsa_sparse_finetune/sparse_mla_bwd.py", "bwd", CHOSEN | {"Indices": "(96, 1, 64)"}),
    ("dsa_sparse_finetune/sparse_mla_fwd.py", "", CHOSEN | {"Indices": "(96, 1, 64)"}),
    ("flash_attention/example_gqa_bwd_tma_reduce_varlen.py", "flashattn_fwd", SEQUENCES),
    ("flash_attention/example_gqa_bwd_tma_reduce_varlen.py", "flashattn_bwd_preprocess", SEQUENCES),
    ("flash_attention/example_gqa_bwd_tma_reduce_varlen.py", "flashattn_bwd_atomic_add", SEQUENCES),
    ("flash_attention/example_gqa_fwd_varlen.py", "", SEQUENCES),
    ("flash_attention/example_mha_fwd_varlen.py", "", SEQUENCES),
    ("flash_decoding/example_gqa_decode_varlen_logits.py", "", {"max_seqlen_kv": 512, "total_seqlen_k": 512}),
    ("kda/chunk_delta_bwd.py", "", {"H": 2}),
]


def sizes(row):
    """Arguments from small to what the list has."""
    arguments = row.arguments
    made = [scaled(arguments), cut(arguments), arguments]
    made = [given(made[0], values) for file, name, values in SMALL if row.file.startswith(file) and name in ("", row.function)] + made
    return [size for at, size in enumerate(made) if size not in made[:at]]


def given(arguments, values):
    """Other values for those arguments that are there."""
    names = [word.partition("=")[0] for word in arguments]
    return [f"{name}={values[name]}" if name in values else word for name, word in zip(names, arguments)]


def in_sizes(arguments, change):
    """Extents of four digits or more, of tensors too; what counts heads, tiles or threads stays."""
    def changed(word):
        name, is_value, value = word.partition("=")
        is_sizes = is_value and re.fullmatch(r"\(?\d[\d, ]*\)?", value)
        return f"{name}={re.sub(r'[0-9]{4,}', lambda n: str(change(int(n[0]))), value)}" if is_sizes else word

    return [changed(word) for word in arguments]


def cut(arguments):
    """Extents that no tile divides."""
    return in_sizes(arguments, lambda extent: 256 + extent % 256)


def scaled(arguments):
    """Extents that are products of others stay so."""
    return in_sizes(arguments, lambda extent: extent // 16 if extent % 16 == 0 else extent)
