"""One process of PyTorch itself, as bench_ranks.py measures it: torchrun starts two of them.

    peer_script.py ddp SCRIPT ORDERS [--bucket-view] [--broadcast-buffers]
        DistributedDataParallel around the blocks of SCRIPT
    peer_script.py pipelining SCRIPT ORDERS
        torch.distributed.pipelining, as SCRIPT uses it

SCRIPT is what `stagelane export` writes: the same modules, initial values, data, and optimizer as in
Stagelane. Each process computes with one thread on a core of its own, as Stagelane's workers do; the
threads of Gloo are not bound to a core in either. Rank 0 reads numbers of repeats from ORDERS, a
named pipe, and prints the seconds of each repeat and the losses of the first one. Between two orders
both processes wait, so that Stagelane can take its turn.
"""

import contextlib
import datetime
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


def ddp(script, options):
    blocks = nn.Sequential(*script.build_blocks().values())
    model = DistributedDataParallel(blocks, gradient_as_bucket_view="--bucket-view" in options,
                                    broadcast_buffers="--broadcast-buffers" in options)
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


def pipelining(script, options):
    del options
    return script.train(dist.get_rank(), torch.device("cpu"))


def serve(once, orders):
    """For each line of `orders`, a number, trains so often and prints the answer."""
    with open(orders, encoding="utf-8") if dist.get_rank() == 0 else contextlib.nullcontext() as lines:
        while True:
            order = torch.zeros(1, dtype=torch.long)
            if dist.get_rank() == 0:
                order[0] = int(lines.readline() or 0)
            dist.broadcast(order, 0)
            if order.item() == 0:
                return
            once()  # to warm up, as Stagelane does
            runs = [once() for _ in range(order.item())]
            answers = [None] * dist.get_world_size()
            dist.all_gather_object(answers, runs[0][1])
            if dist.get_rank() == 0:
                losses = next(answer for answer in answers if answer)
                print(json.dumps({"seconds": [run[0] for run in runs], "loss": losses}), flush=True)


def main():
    kind, path, orders, *options = sys.argv[1:]
    script = load(path)
    torch.set_num_threads(1)
    # A turn of Stagelane may take long.
    dist.init_process_group("gloo", timeout=datetime.timedelta(hours=1))
    bind_to_core()
    train = {"ddp": ddp, "pipelining": pipelining}[kind]
    serve(lambda: train(script, options), orders)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
