"""Kernels of public projects: by a name, a call of the project that launches some, with tensors as a user would give.

Their source stays outside of this tree: see check_triton_projects.py."""

import importlib

import torch


def made(*shape, dtype=torch.bfloat16, trained=True):
    return torch.zeros(*shape, dtype=dtype, requires_grad=trained)


def ones(*shape, dtype=torch.bfloat16):
    return torch.ones(*shape, dtype=dtype)


def zeros(*shape):
    return torch.zeros(*shape, dtype=torch.int64)


def heads(dtype=torch.bfloat16):
    return made(2, 256, 4, 64, dtype=dtype)


def scalars(dtype=torch.bfloat16):
    return made(2, 256, 4, dtype=dtype)


def ops(name):
    return importlib.import_module(f"liger_kernel.ops.{name}")


def fla(name):
    return importlib.import_module(f"fla.{name}")


def backward(results):
    several = results if isinstance(results, (tuple, list)) else (results,)
    result = next(each for each in several if isinstance(each, torch.Tensor) and each.requires_grad)
    torch.autograd.backward([result], [torch.zeros_like(result)])


def both(function, *given):
    backward(function.apply(*given))


def liger():
    """github.com/linkedin/Liger-Kernel"""
    return {
        "rms_norm": lambda: both(ops("rms_norm").LigerRMSNormFunction, made(256, 1024), made(1024), 1e-6),
        "rms_norm_block": lambda: both(ops("rms_norm").LigerRMSNormFunction, made(40000, 128), made(128), 1e-6),
        "layer_norm": lambda: both(ops("layer_norm").LigerLayerNormFunction, made(256, 1024), made(1024), made(1024), 1e-6),
        "fused_add_rms_norm": lambda: both(ops("fused_add_rms_norm").LigerFusedAddRMSNormFunction, made(256, 1024), made(256,
            1024), made(1024), 1e-6),
        "swiglu": lambda: both(ops("swiglu").LigerSiLUMulFunction, made(2, 128, 1024), made(2, 128, 1024)),
        "geglu": lambda: both(ops("geglu").LigerGELUMulFunction, made(2, 128, 1024), made(2, 128, 1024)),
        "relu_squared": lambda: both(ops("relu_squared").LigerReLUSquaredFunction, made(2, 128, 1024)),
        "rope": lambda: both(ops("rope").LigerRopeFunction, made(2, 8, 128, 64), made(2, 4, 128, 64), made(1, 128, 64,
            trained=False), made(1, 128, 64, trained=False)),
        "qwen2vl_mrope": lambda: both(ops("qwen2vl_mrope").LigerQwen2VLMRopeFunction, made(2, 8, 128, 64), made(2, 4, 128, 64),
            made(3, 2, 128, 64, trained=False), made(3, 2, 128, 64, trained=False), [8, 12, 12]),
        "llama4_rope": lambda: both(ops("llama4_rope").LigerLlama4RopeFunction, made(2, 128, 8, 64), made(2, 128, 4, 64),
            torch.zeros(128, 32, dtype=torch.complex64)),
        "cross_entropy": lambda: both(ops("cross_entropy").LigerCrossEntropyFunction, made(256, 4096), zeros(256), None, -100,
            0.0, 0.1, "mean", None, False),
        "fused_linear_cross_entropy": lambda: both(ops("fused_linear_cross_entropy").LigerFusedLinearCrossEntropyFunction,
            made(256, 1024), made(4096, 1024), zeros(256)),
        "kl_div": lambda: both(ops("kl_div").LigerKLDivLossFunction, made(256, 4096), made(256, 4096, trained=False),
            "batchmean", False, 1e-10),
        "jsd": lambda: both(ops("jsd").LigerJSDFunction, made(256, 4096), made(256, 4096, trained=False), None, 0.5, -100),
        "tvd": lambda: both(ops("tvd").LigerTVDLossFunction, made(256, 4096), made(256, 4096, trained=False), None,
            "batchmean", -100),
        "group_norm": lambda: both(ops("group_norm").LigerGroupNormFunction, made(2, 64, 512), made(64), made(64), 64, 8, 1e-6),
        "softmax": lambda: both(ops("softmax").LigerSoftmaxFunction, made(256, 1024)),
        "sparsemax": lambda: both(ops("sparsemax").LigerSparsemaxFunction, made(256, 512), -1),
        "dyt": lambda: both(ops("dyt").LigerDyTFunction, made(2, 128, 1024), made(1), made(1024), made(1024)),
        "multi_token_attention": lambda: both(ops("multi_token_attention").LigerMultiTokenAttentionFunction, made(2, 4, 64,
            64), made(4, 4, 3, 3), made(4)),
        "fused_neighborhood_attention": lambda: both(
            ops("fused_neighborhood_attention").LigerFusedNeighborhoodAttentionFunction,
            made(2, 4, 128, 64), made(2, 4, 128, 64), made(2, 4, 128, 64), 7, 1, None),
        "attn_res": lambda: both(ops("attn_res").LigerAttnResFunction, made(4, 2, 128, 512), made(512), made(512), 1e-6),
        "modulated_rms_norm": lambda: both(ops("modulated_rms_norm").LigerModulatedRMSNormFunction, made(2, 128, 1024),
            made(1024), made(2, 1024), made(2, 1024), 1e-6),
        "element_mul": lambda: ops("utils").element_mul_kernel[(4,)](made(4, 4096), 4096, made(1), 4096, BLOCK_SIZE=1024,
            num_warps=32),
    }


def flash_linear_attention():
    """github.com/fla-org/flash-linear-attention"""
    return {
        "chunk_gla": lambda: backward(fla("ops.gla").chunk_gla(heads(), heads(), heads(), heads(torch.float32))),
        "fused_recurrent_gla": lambda: backward(fla("ops.gla").fused_recurrent_gla(heads(), heads(), heads(),
            heads(torch.float32))),
        "chunk_retention": lambda: backward(fla("ops.retention").chunk_retention(heads(), heads(), heads())),
        "parallel_retention": lambda: backward(fla("ops.retention").parallel_retention(heads(), heads(), heads())),
        "chunk_simple_gla": lambda: backward(fla("ops.simple_gla").chunk_simple_gla(heads(), heads(), heads(),
            scalars(torch.float32))),
        "parallel_simple_gla": lambda: backward(fla("ops.simple_gla").parallel_simple_gla(heads(), heads(), heads(),
            scalars(torch.float32))),
        "chunk_linear_attn": lambda: backward(fla("ops.linear_attn").chunk_linear_attn(heads(), heads(), heads())),
        "fused_chunk_linear_attn": lambda: backward(fla("ops.linear_attn").fused_chunk_linear_attn(heads(), heads(), heads())),
        "chunk_delta_rule": lambda: backward(fla("ops.delta_rule").chunk_delta_rule(heads(), heads(), heads(), scalars())),
        "fused_recurrent_delta_rule": lambda: backward(fla("ops.delta_rule").fused_recurrent_delta_rule(heads(), heads(),
            heads(), scalars())),
        "chunk_gated_delta_rule": lambda: backward(fla("ops.gated_delta_rule").chunk_gated_delta_rule(heads(), heads(),
            heads(), scalars(torch.float32), scalars())),
        "fused_recurrent_gated_delta_rule": lambda: fla("ops.gated_delta_rule").fused_recurrent_gated_delta_rule(heads(),
            heads(), heads(), scalars(torch.float32), None, scalars()),
        "chunk_kda": lambda: backward(fla("ops.kda").chunk_kda(heads(), heads(), heads(), heads(torch.float32), scalars())),
        "chunk_rwkv6": lambda: backward(fla("ops.rwkv6").chunk_rwkv6(heads(), heads(), heads(), heads(torch.float32), made(4,
            64))),
        "chunk_rwkv7": lambda: backward(fla("ops.rwkv7").chunk_rwkv7(heads(), heads(), heads(), heads(), heads(), heads())),
        "chunk_dplr": lambda: backward(fla("ops.generalized_delta_rule").chunk_dplr_delta_rule(heads(), heads(), heads(),
            heads(), heads(), heads(torch.float32))),
        "chunk_gsa": lambda: backward(fla("ops.gsa").chunk_gsa(heads(), heads(), heads(), made(2, 256, 4, 64), made(2, 256, 4,
            64, dtype=torch.float32))),
        "chunk_hgrn": lambda: backward(fla("ops.hgrn").chunk_hgrn(made(2, 256, 256), made(2, 256, 256))),
        "fused_recurrent_hgrn": lambda: backward(fla("ops.hgrn").fused_recurrent_hgrn(made(2, 256, 256), made(2, 256, 256))),
        "parallel_attn": lambda: backward(fla("ops.attn").parallel_attn(heads(), heads(), heads())),
        "parallel_forgetting_attn": lambda: backward(fla("ops.forgetting_attn").parallel_forgetting_attn(heads(), heads(),
            heads(), scalars(torch.float32))),
        "parallel_nsa": lambda: backward(fla("ops.nsa").parallel_nsa(made(2, 256, 16, 64), made(2, 256, 1, 64), made(2, 256, 1,
            64), made(2, 256, 16), made(2, 256, 16), block_indices=torch.zeros(2, 256, 1, 4, dtype=torch.int64),
            block_size=64)),
        "chunk_lightning_attn": lambda: backward(fla("ops.lightning_attn").chunk_lightning_attn(heads(), heads(), heads(), 0,
            12)),
        "parallel_based": lambda: backward(fla("ops.based").parallel_based(made(2, 256, 4, 16), made(2, 256, 4, 16), heads())),
        "chunk_ttt_linear": lambda: backward(fla("ops.ttt").chunk_ttt_linear(heads(), heads(), heads(), made(4, 64), made(4,
            64), made(2, 256, 4, 1), chunk_size=16)),
        "chunk_comba": lambda: backward(fla("ops.comba").chunk_comba(heads(), heads(), heads(), heads(),
            scalars(torch.float32), scalars())),
        "chunk_gated_delta_product": lambda: backward(fla("ops.gated_delta_product").chunk_gated_delta_product(heads(), made(2,
            512, 4, 64), made(2, 512, 4, 64), scalars(torch.float32), made(2, 512, 4), 2)),
        "chunk_mesa_net": lambda: backward(fla("ops.mesa_net").chunk_mesa_net(heads(), heads(), heads(),
            scalars(torch.float32), scalars(), made(4, 64, dtype=torch.float32))),
        "layer_norm": lambda: backward(fla("modules.layernorm").layer_norm(made(512, 512), made(512), made(512))),
        "rms_norm": lambda: backward(fla("modules.layernorm").rms_norm(made(512, 512), made(512), None)),
        "layer_norm_gated": lambda: backward(fla("modules.fused_norm_gate").rms_norm_gated(made(512, 512), made(512, 512),
            made(512), None)),
        "l2norm": lambda: backward(fla("modules.l2norm").l2norm(made(2, 256, 4, 64))),
        "short_conv": lambda: backward(fla("modules.conv").causal_conv1d(made(2, 256, 256), made(256, 4), None,
            activation="silu")[0]),
        "rotary": lambda: backward(fla("modules.rotary").rotary_embedding(heads(), made(256, 32, trained=False), made(256, 32,
            trained=False))),
        "fused_cross_entropy": lambda: backward(fla("modules.fused_cross_entropy").cross_entropy_loss(made(512, 4096),
            torch.zeros(512, dtype=torch.int64))[0].sum()),
        "fused_linear_cross_entropy": lambda: backward(
            fla("modules.fused_linear_cross_entropy").fused_linear_cross_entropy_loss(
                made(512, 512), torch.zeros(512, dtype=torch.int64), made(4096, 512))),
        "fused_kl_div": lambda: backward(fla("modules.fused_kl_div").fused_kl_div_loss(made(512, 512), made(512, 512,
            trained=False), made(4096, 512), made(4096, 512, trained=False))),
        "swiglu": lambda: backward(fla("modules.activations").swiglu(made(2, 256, 512), made(2, 256, 512))),
        "cumsum": lambda: fla("ops.utils").chunk_local_cumsum(scalars(torch.float32), 64),
        "global_cumsum": lambda: fla("ops.utils").chunk_global_cumsum(heads(torch.float32)),
        "mean_pooling": lambda: backward(fla("ops.utils").mean_pooling(heads(), 64)),
    }


def flag_gems():
    """github.com/FlagOpen/FlagGems"""
    from flag_gems import fused, ops

    return {
        "mm": lambda: ops.mm(ones(512, 512), ones(512, 512)),
        "bmm": lambda: ops.bmm(ones(4, 512, 256), ones(4, 256, 512)),
        "addmm": lambda: ops.addmm(ones(512), ones(512, 512), ones(512, 512)),
        "mv": lambda: ops.mv(ones(512, 512), ones(512)),
        "addmv": lambda: ops.addmv(ones(512), ones(512, 512), ones(512)),
        "vdot": lambda: ops.vdot(ones(4096, dtype=torch.float32), ones(4096, dtype=torch.float32)),
        "dot": lambda: ops.dot(ones(4096, dtype=torch.float32), ones(4096, dtype=torch.float32)),
        "addr": lambda: ops.addr(ones(512, 512), ones(512), ones(512)),
        "softmax": lambda: ops.softmax(ones(512, 1024), -1),
        "softmax_outer": lambda: ops.softmax(ones(64, 1024, 32), 1),
        "softmax_backward": lambda: ops.softmax_backward(ones(512, 1024), ones(512, 1024), -1, torch.bfloat16),
        "log_softmax": lambda: ops.log_softmax(ones(512, 1024), -1),
        "log_softmax_backward": lambda: ops.log_softmax_backward(ones(512, 1024), ones(512, 1024), -1, torch.bfloat16),
        "layer_norm": lambda: ops.layer_norm(ones(512, 1024), (1024,), ones(1024), ones(1024)),
        "layer_norm_backward": lambda: ops.layer_norm_backward(ones(512, 1024), ones(512, 1024), (1024,), ones(512,
            dtype=torch.float32), ones(512, dtype=torch.float32), ones(1024), ones(1024), [True]*3),
        "rms_norm": lambda: ops.rms_norm(ones(512, 1024), (1024,), ones(1024)),
        "group_norm": lambda: ops.group_norm(ones(4, 64, 32, 32), ones(64), ones(64), 4, 64, 1024, 8),
        "batch_norm": lambda: ops.batch_norm(ones(4, 64, 32, 32), ones(64), ones(64), ones(64, dtype=torch.float32), ones(64,
            dtype=torch.float32), True, 0.1, 1e-5),
        "weight_norm": lambda: ops.weight_norm_interface(ones(512, 512), ones(512, 1), 0),
        "cumsum": lambda: ops.cumsum(ones(512, 2048, dtype=torch.float32), 1),
        "cummin": lambda: ops.cummin(ones(512, 2048, dtype=torch.float32), 1),
        "cummax": lambda: ops.cummax(ones(512, 2048, dtype=torch.float32), 1),
        "sum": lambda: ops.sum(ones(512, 512)),
        "sum_dim": lambda: ops.sum_dim(ones(512, 1024), [1]),
        "mean": lambda: ops.mean(ones(512, 512)),
        "mean_dim": lambda: ops.mean_dim(ones(512, 1024), [1]),
        "max": lambda: ops.max(ones(512, 512)),
        "max_dim": lambda: ops.max_dim(ones(512, 512), 1),
        "min_dim": lambda: ops.min_dim(ones(512, 512), 1),
        "argmax": lambda: ops.argmax(ones(512, 512), 1),
        "argmin": lambda: ops.argmin(ones(512, 512), 1),
        "amax": lambda: ops.amax(ones(512, 512), [1]),
        "all": lambda: ops.all(ones(512, 512)),
        "any": lambda: ops.any(ones(512, 512)),
        "prod": lambda: ops.prod(ones(512, 512, dtype=torch.float32)),
        "prod_dim": lambda: ops.prod_dim(ones(512, 512, dtype=torch.float32), 1),
        "var_mean": lambda: ops.var_mean(ones(512, 512, dtype=torch.float32), dim=[1]),
        "std": lambda: ops.std(ones(512, 512, dtype=torch.float32), [1]),
        "vector_norm": lambda: ops.vector_norm(ones(512, 512, dtype=torch.float32), 2, [1]),
        "count_nonzero": lambda: ops.count_nonzero(ones(512, 512), 1),
        "topk": lambda: ops.topk(ones(64, 2048, dtype=torch.float32), 8),
        "sort": lambda: ops.sort(ones(16, 512, dtype=torch.float32)),
        "nonzero": lambda: ops.nonzero(ones(512, 512)),
        "embedding": lambda: ops.embedding(ones(4096, 512), zeros(512)),
        "embedding_backward": lambda: ops.embedding_backward(ones(512, 512), zeros(512), 4096, -1, False, False),
        "gather": lambda: ops.gather(ones(512, 512), 1, zeros(512, 64)),
        "index_select": lambda: ops.index_select(ones(512, 512), 0, zeros(64)),
        "scatter": lambda: ops.scatter(ones(512, 512), 1, zeros(512, 64), ones(512, 64)),
        "nll_loss": lambda: ops.nll_loss_forward(ones(512, 512), zeros(512)),
        "cross_entropy": lambda: fused.cross_entropy_loss(ones(512, 4096), zeros(512)),
        "conv2d": lambda: ops.conv2d(ones(2, 64, 32, 32), ones(64, 64, 3, 3)),
        "conv1d": lambda: ops.conv1d(ones(2, 64, 128), ones(64, 64, 3)),
        "avg_pool2d": lambda: ops.avg_pool2d(ones(2, 64, 32, 32), [2, 2]),
        "max_pool2d": lambda: ops.max_pool2d_with_indices(ones(2, 64, 32, 32), [2, 2]),
        "rotary": lambda: fused.apply_rotary_pos_emb(ones(2, 256, 8, 64), ones(2, 256, 8, 64), ones(256, 32,
            dtype=torch.float32), ones(256, 32, dtype=torch.float32)),
        "skip_layer_norm": lambda: fused.skip_layer_norm(ones(512, 1024), ones(512, 1024), (1024,), ones(1024), ones(1024)),
        "fused_add_rms_norm": lambda: fused.fused_add_rms_norm(ones(512, 1024), ones(512, 1024), (1024,), ones(1024)),
        "triu": lambda: ops.triu(ones(512, 512)),
        "tile": lambda: ops.tile(ones(512, 512), [2, 2]),
        "cat": lambda: ops.cat([ones(512, 512), ones(512, 512)]),
        "kron": lambda: ops.kron(ones(32, 32), ones(32, 32)),
        "isin": lambda: ops.isin(zeros(512), zeros(2048)),
        "unique": lambda: ops._unique2(zeros(4096)),
        "quantile": lambda: ops.quantile(ones(512, 512, dtype=torch.float32), torch.tensor([0.5]), 1),
        "mse_loss": lambda: ops.mse_loss(ones(512, 512), ones(512, 512)),
        "trace": lambda: ops.trace(ones(512, 512)),
        "index_add": lambda: ops.index_add(ones(512, 512), 0, zeros(64), ones(64, 512)),
        "mm_streamk": lambda: importlib.import_module("flag_gems.ops.mm_streamk").streamk_mm(ones(512, 512), ones(512, 512),
            ones(512, 512), 512, 512, 512, 108),
    }


# By the name of the checkout.
PROJECTS = {"Liger-Kernel": liger, "flash-linear-attention": flash_linear_attention, "FlagGems": flag_gems}
