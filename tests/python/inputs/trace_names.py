"""Names of traces of kernels whose arguments are given; needs no TileLang."""

from tilescope.recorder.trace_names import MAX_NAME, name_of


def named(kernel, defaults=(), **arguments):
    values = {name: repr(value) for name, value in arguments.items()}
    entry = {"kernel": kernel, "target": "sm_90a", "arguments": values, "chosen": [n for n in values if n not in defaults]}
    name = name_of(entry, "hash of the program")
    print(name)
    assert len(name) <= MAX_NAME + len("-sm_90a-01234567.trace")
    return name


def tuned(**config):
    """The name without the hash."""
    return named("flashattn_bwd_atomic_add_with_sink", batch=8, heads=32, seq_len=4096, dim_qk=192, dim_v=128, is_causal=True,
                 **config).rpartition("-")[0]


named("matmul", defaults=["K"], M=1024, K=512, dtype="float16", block_M=64)
names = {tuned(block_M=m, block_N=n, num_stages=s, threads=256) for m in (64, 128) for n in (64, 128) for s in (1, 2)}
print(len(names), "names without their hashes")
# Two have the same initials, those of a third are the name of a fourth, and a list is too long whatever is done.
named("kernel_of_many_arguments", batch_size=1, block_stages=2, num_heads=3, nh=4, dim2=5, shapes=list(range(100)), last=7)
# What is cut away is in the hash.
lists = {named("kernel", shapes=[*range(100), last]) for last in (1, 2)}
print(len(lists), "names of lists that differ at the end")
