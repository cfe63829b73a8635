"""What gpu_incumbent.py times: kernels of TileLang's examples, each at one size, over points of the arguments that its file
leaves open, and the sets of options of passes that ours is compiled with."""
import dataclasses

TOGETHER = ("inject-pipeline.roles=false",)
TMA = (*TOGETHER, "inject-pipeline.tma=true")
MMA = (*TOGETHER, "infer-layouts.wgmma=false")
BLOCKS = ("inject-pipeline.blocks=132",)
GROUPS = (*BLOCKS, "split-roles.warp-groups=true")
GEMM_RUNGS = {"default": (), "together": TOGETHER, "tma": TMA, "blocks": BLOCKS, "groups": GROUPS}
STAGED, DEEPER = ("plan-pipeline.stages=3",), ("plan-pipeline.stages=4",)
SERIAL_RUNGS = GEMM_RUNGS | {"staged": STAGED, "deeper": DEEPER, "staged-together": (*TOGETHER, *STAGED),
                             "staged-blocks": (*BLOCKS, *STAGED)}
OVERLAP = ("plan-pipeline.overlap-products=true",)
ATTENTION_RUNGS = {"default": (), "together": TOGETHER, "tma": TMA, "mma": MMA, "overlap": OVERLAP}


def points(names, *rows):
    return [dict(zip(names.split(), row)) for row in rows]


@dataclasses.dataclass(frozen=True)
class Contest:
    name: str
    kernel: str
    arguments: dict
    points: list
    rungs: dict
    limit: float = 2e-3  # of the norm of the difference to that of theirs; more where parts lie in memory as halves


CONTESTS = [
    Contest("gemm-fp8", "gemm_fp8/example_tilelang_gemm_fp8.py:matmul",
            dict(M=4096, N=4096, K=4096, dtype="float8_e4m3fn"),
            points("block_M block_N block_K", (128, 128, 64), (128, 128, 128), (64, 256, 128), (64, 128, 128),
                   (128, 64, 128), (64, 192, 128), (128, 192, 128), (64, 256, 64)), GEMM_RUNGS, 2e-2),
    Contest("attention-backward", "flash_attention/example_mha_bwd_bshd.py:flashattn_bwd",
            dict(batch=8, heads=32, seq_len=1024, dim=64, is_causal=False),
            points("block_M block_N", (64, 64), (128, 64), (64, 128), (128, 32), (64, 32), (128, 128)), ATTENTION_RUNGS),
    Contest("grouped-query-decode", "flash_decoding/example_gqa_decode.py:flashattn",
            dict(batch=1, heads=32, groups=8, seqlen_kv=8192, dim=128, block_H=64, threads=128),
            points("block_N num_split num_stages", (128, 8, 2), (64, 8, 2), (64, 8, 3), (64, 16, 2), (128, 16, 2),
                   (64, 4, 3), (64, 16, 3), (128, 16, 1)), ATTENTION_RUNGS, 5e-3),
    Contest("gemm-split-k", "gemm_splitk/example_tilelang_gemm_splitk.py:matmul", dict(M=4096, N=4096, K=4096),
            points("block_M block_N block_K split_k", (128, 128, 32, 4), (128, 128, 64, 4), (128, 128, 64, 2),
                   (128, 128, 128, 2), (64, 256, 64, 2), (64, 128, 64, 2), (128, 64, 64, 2), (64, 256, 32, 2)), SERIAL_RUNGS),
    Contest("gemm-int8-int4", "dequantize_gemm/example_dequant_gemm_w4a8.py:matmul_int8xint4",
            dict(M=4096, N=4096, K=4096, in_dtype="int8", out_dtype="int32", accum_dtype="int32"),
            points("block_M block_N block_K num_stages threads", (32, 32, 128, 1, 128), (64, 64, 128, 2, 128),
                   (128, 128, 128, 2, 256), (128, 128, 128, 1, 256), (64, 128, 128, 2, 256), (128, 64, 128, 2, 128),
                   (128, 128, 256, 1, 256), (128, 128, 128, 2, 128)), GEMM_RUNGS),
    Contest("latent-decode", "deepseek_mla/example_mla_decode.py:flashattn",
            dict(batch=132, heads=128, kv_head_num=1, seqlen_kv=8192, dim=512, pe_dim=64, softmax_scale=1 / 24),
            points("block_N block_H num_split", (64, 64, 1), (32, 64, 1), (64, 64, 2)), ATTENTION_RUNGS),
    Contest("grouped-attention-backward", "flash_attention/example_gqa_bwd.py:flashattn_bwd_split",
            dict(batch=8, heads=32, seq_len=1024, dim_qk=192, dim_v=128, is_causal=False, groups=16),
            points("block_M block_N threads num_stages", (128, 32, 256, 2), (64, 32, 128, 2), (128, 32, 256, 1),
                   (128, 64, 256, 1)), ATTENTION_RUNGS),
    Contest("gemm-fp16-int4", "dequantize_gemm/example_dequant_gemm_fine_grained.py:matmul",
            dict(M=4096, N=4096, K=4096, in_dtype="float16", out_dtype="float16", accum_dtype="float16"),
            points("block_M block_N block_K num_stages threads", (128, 128, 32, 3, 128), (128, 128, 64, 3, 128),
                   (128, 256, 64, 2, 256), (128, 128, 64, 2, 256)), GEMM_RUNGS, 3e-2),
    Contest("latent-decode-one", "deepseek_mla/example_mla_decode.py:flashattn",
            dict(batch=1, heads=128, kv_head_num=1, seqlen_kv=8192, dim=512, pe_dim=64, softmax_scale=1 / 24),
            points("block_N block_H num_split", (64, 64, 1), (64, 64, 8), (64, 64, 32), (64, 64, 64), (32, 64, 64)),
            ATTENTION_RUNGS),
]


def words_of(contest, point):
    return [f"{name}={value}" for name, value in (contest.arguments | contest.points[point]).items()]


def label_of(contest, point):
    return " ".join(f"{name}={value}" for name, value in contest.points[point].items())
