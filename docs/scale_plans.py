#!/usr/bin/env python3
"""Experiments and cost files for large language models on many GPUs (docs/scale.md).

    scale_plans.py --row 145.6 --out FOLDER       a row of Megatron-LM's Table 1
    scale_plans.py --model gpt3 --gpus 1024 --tensor 8 --pipeline 8 --batch 1536 --out FOLDER

writes experiment.json and costs.json. A device is an imagined one: a tensor-parallel group of GPUs,
which computes like one faster device. Only Python's standard library is needed.
"""
import argparse
import json
import pathlib

# Narayanan et al., SC'21, arXiv:2104.04473, Table 1: parameters (10^9), heads, width, layers,
# tensor- and pipeline-parallel size, GPUs, batch, achieved TFLOP/s per GPU. The last two columns,
# samples in a micro-batch and stages on each device, are those of the authors' own script for this
# table, examples/sc21/run_table_1.sh in the repository NVIDIA/Megatron-LM.
TABLE_1 = [
    ("1.7", 24, 2304, 24, 1, 1, 32, 512, 137, 16, 1),
    ("3.6", 32, 3072, 30, 2, 1, 64, 512, 138, 16, 1),
    ("7.5", 32, 4096, 36, 4, 1, 128, 512, 142, 16, 1),
    ("18.4", 48, 6144, 40, 8, 1, 256, 1024, 135, 8, 1),
    ("39.1", 64, 8192, 48, 8, 2, 512, 1536, 138, 4, 1),
    ("76.1", 80, 10240, 60, 8, 4, 1024, 1792, 140, 2, 3),
    ("145.6", 96, 12288, 80, 8, 8, 1536, 2304, 148, 2, 2),
    ("310.1", 128, 16384, 96, 8, 16, 1920, 2160, 155, 1, 2),
    ("529.6", 128, 20480, 105, 8, 35, 2520, 2520, 163, 1, 3),
]
MODELS = {  # heads, width, layers, vocabulary, context
    "gpt3": (96, 12288, 96, 51200, 2048),
    "llama70b": (64, 8192, 80, 32000, 4096),  # GPT blocks of its size: 64 billion parameters
}
# One A100 80 GB in a DGX A100. GEMM_FLOPS is fitted to the row 18.4 of TABLE_1 and to no other;
# the rest are data sheets: HBM, NVLink in one direction, one 200 Gb/s adapter for each GPU.
GEMM_FLOPS = 190.4e12
HBM_BYTES_PER_S = 2.0e12
NVLINK_BYTES_PER_S = 300e9
IB_BYTES_PER_S = 25e9


# Bytes that element-wise operators, norms and dropout of a layer read and write in F, again in the
# recomputed F, and twice in B, for each token and unit of width: 10 + 24/t of Korthikanti et al.,
# arXiv:2205.05198, equation 2, read and written.
def elementwise_bytes(tensor):
    return 2 * (10 + 24 / tensor)


def times(flops, tokens, width, tensor, reduces):
    """Seconds of a pass: products, element-wise traffic, tensor-parallel all-reduces."""
    moved = 2 * (tensor - 1) / tensor * 2 * tokens * width * reduces
    return (flops / tensor / GEMM_FLOPS + elementwise_bytes(tensor) * tokens * width / HBM_BYTES_PER_S
            + moved / NVLINK_BYTES_PER_S)


def point(samples, forward, backward, saved, output):
    return {"samples": samples, "F_ns": round(1e9 * forward), "B_ns": round(1e9 * backward),
            "saved_bytes": round(saved), "temp_bytes": 0, "output_bytes": round(output)}


def costs(heads, width, layers, vocabulary, context, tensor, micro_batch):
    """Activations are recomputed layer by layer, so a layer keeps its input (2 bytes a value)."""
    tokens = micro_batch * context
    output = 2 * tokens * width
    flops = 24 * tokens * width * width * (1 + context / (6 * width))
    forward = times(flops, tokens, width, tensor, 2)
    backward = forward + 2 * times(flops, tokens, width, tensor, 1)
    head_flops = 2 * tokens * width * vocabulary
    head = head_flops / tensor / GEMM_FLOPS
    layer_parameters = 12 * width * width / tensor
    update = 28 / HBM_BYTES_PER_S  # seconds a parameter: Adam in mixed precision reads and writes
    ends = width * vocabulary / tensor

    def block(name, forward_s, backward_s, parameters, out):
        return {"name": name, "optimizer_ns": round(1e9 * parameters * update),
                "points": [point(micro_batch, forward_s, backward_s, tensor * output, out)]}

    small = 10 * output / HBM_BYTES_PER_S
    blocks = [("first", small, small, ends, output)]
    blocks += [("layer", forward, backward, layer_parameters, output)] * layers
    blocks += [("last", head, 2 * head, ends, 2 * tokens * vocabulary / tensor)]
    return blocks, block


def stages_of(layers, devices, chunks):
    """First layer of each stage, as even as possible."""
    parts = devices * chunks
    return [layers * part // parts for part in range(parts)]


def write(name, sizes, gpus, tensor, pipeline, batch, micro_batch, memory, chunks, out):
    heads, width, layers, vocabulary, context = sizes
    devices = gpus // tensor
    replicas = devices // pipeline
    values, block = costs(heads, width, layers, vocabulary, context, tensor, micro_batch)
    names = ["embedding"] + [f"h.{i}" for i in range(layers)] + ["head"]
    table = [block(names[i], f, b, p, o) for i, (_, f, b, p, o) in enumerate(values)]
    link = {"latency_ns": 10000, "bytes_per_s": tensor * IB_BYTES_PER_S}
    inside = {"latency_ns": 5000, "bytes_per_s": NVLINK_BYTES_PER_S}
    cost_file = {"stagelane_costs": 1, "blocks": table, "links": [],
                 "network": {"devices_per_node": max(1, 8 // tensor), "within": inside,
                             "between": link},
                 "origin": f"docs/scale_plans.py, {name}"}
    firsts = stages_of(layers, pipeline, chunks)
    stages = [{"first": names[0] if s == 0 else names[1 + first], "device": f"sim:{s % pipeline}"}
              for s, first in enumerate(firsts)]
    single = pipeline == 1
    variant = {"name": name, "split_size": micro_batch}
    if single:
        variant |= {"strategy": "data_parallel"}
    else:
        variant |= {"strategy": "pipeline", "stages": stages, "replicas": replicas,
                    "schedule": "1f1b" if chunks == 1 else "interleaved-1f1b"}
    experiment = {
        "stagelane": 1, "name": name,
        "model": {"zoo": "gpt", "layers": layers, "heads": heads, "width": width,
                  "vocab": vocabulary, "context": context, "tie": False},
        "input": {"shape": [context], "dtype": "float32"},
        "data": {"labels": "class", "batch_size": batch, "batches": 2},
        "loss": "cross_entropy",
        "optimizer": {"kind": "adam", "lr": 1e-4},
        "devices": [{"id": "sim:0", "count": devices, "like": "cuda:0",
                     "max_memory": f"{memory * tensor}GiB"}],
        "verify_gradients": False, "variants": [variant]}
    out.mkdir(parents=True, exist_ok=True)
    (out / "experiment.json").write_text(json.dumps(experiment, indent=1))
    (out / "costs.json").write_text(json.dumps(cost_file, indent=1))
    flops = 96 * batch * context * layers * width ** 2 * (
        1 + context / (6 * width) + vocabulary / (16 * layers * width))
    print(json.dumps({"name": name, "devices": devices, "replicas": replicas,
                      "micro_batches": batch // micro_batch // replicas,
                      "flops_per_gpu": flops / gpus}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--row", choices=[row[0] for row in TABLE_1])
    parser.add_argument("--model", choices=MODELS)
    parser.add_argument("--gpus", type=int)
    parser.add_argument("--tensor", type=int, default=8)
    parser.add_argument("--pipeline", type=int)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--micro-batch", type=int, help="samples (default: 1, or the row's)")
    parser.add_argument("--memory", type=int, default=80, help="GiB of a GPU")
    parser.add_argument("--chunks", type=int,
                        help="stages on each device (default: 1, or the row's)")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    args = parser.parse_args()
    if args.row:
        name, heads, width, layers, tensor, pipeline, gpus, batch, _, samples, chunks = next(
            row for row in TABLE_1 if row[0] == args.row)
        write(f"megatron-{name}", (heads, width, layers, 51200, 2048), gpus, tensor, pipeline, batch,
              args.micro_batch or samples, args.memory, args.chunks or chunks, args.out)
    else:
        write(f"{args.model}-{args.gpus}", MODELS[args.model], args.gpus, args.tensor,
              args.pipeline, args.batch, args.micro_batch or 1, args.memory, args.chunks or 1,
              args.out)


if __name__ == "__main__":
    main()
