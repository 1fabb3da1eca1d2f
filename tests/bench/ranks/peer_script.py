"""One process of PyTorch itself, as bench_ranks.py measures it: torchrun starts two of them.

    peer_script.py ddp SCRIPT --json         DistributedDataParallel around the blocks of SCRIPT
    peer_script.py pipelining SCRIPT --json  SCRIPT itself, which uses torch.distributed.pipelining

SCRIPT is what `stagelane export` writes: the same modules, initial values, data, and optimizer as in
Stagelane. Each process computes with one thread on a core of its own, as Stagelane's workers do; the
threads of Gloo are not bound to a core in either. Rank 0 (pipelining: the last stage) prints seconds
of each repeat and the losses of the first one.
"""

import importlib.util
import json
import os
import pathlib
import sys
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def load(path):
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bind_to_core():
    """The calling thread only: those of Gloo exist already."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[dist.get_rank() % len(cores)]})


def own_part(tensor):
    """The part of a batch that DistributedSampler's equal shards correspond to."""
    return tensor.chunk(dist.get_world_size())[dist.get_rank()]


def train_once(script, options):
    blocks = nn.Sequential(*script.build_blocks().values())
    model = DistributedDataParallel(blocks, gradient_as_bucket_view=options["bucket_view"],
                                    broadcast_buffers=options["broadcast_buffers"])
    optimizer = script.make_optimizer(model.parameters())
    batches = [(own_part(inputs), own_part(labels)) for inputs, labels in script.make_batches()]
    losses = []
    dist.barrier()
    begin = time.perf_counter()
    for inputs, labels in batches:
        optimizer.zero_grad()
        loss = script.loss_of(model(inputs), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    dist.barrier()
    seconds = time.perf_counter() - begin
    mean = torch.stack(losses)
    dist.all_reduce(mean)
    return seconds, (mean / dist.get_world_size()).tolist()


def ddp(script, arguments):
    options = {"bucket_view": "--bucket-view" in arguments,
               "broadcast_buffers": "--broadcast-buffers" in arguments}
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    bind_to_core()
    for _ in range(script.WARMUP):
        train_once(script, options)
    runs = [train_once(script, options) for _ in range(script.REPEAT)]
    if dist.get_rank() == 0:
        print(json.dumps({"seconds": [seconds for seconds, _ in runs], "loss": runs[0][1]}), flush=True)
    dist.destroy_process_group()


def pipelining(script, arguments):
    """The script's own main, which creates the group; this process is bound to a core after that."""
    create = dist.init_process_group

    def create_and_bind(*given, **named):
        create(*given, **named)
        bind_to_core()

    dist.init_process_group = create_and_bind
    sys.argv = [script.__file__, *arguments]
    script.main()


def main():
    kind, path, *arguments = sys.argv[1:]
    {"ddp": ddp, "pipelining": pipelining}[kind](load(path), arguments)


if __name__ == "__main__":
    main()
