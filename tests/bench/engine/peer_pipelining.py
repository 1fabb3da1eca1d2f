"""One process of torch.distributed.pipelining training ResNet-50, as bench_engine.py measures it.

Run under torchrun with two processes on one machine (Gloo). Each process is one worker with one
thread, pinned to a core of its own, as Stagelane's workers are. The step is what ours is: all
micro-batches forward and backward, then the optimizer. Gradients are scaled in the loss, which is
cheaper than the library's own scale_grads pass. Rank 0 prints a JSON line for each configuration.
"""

import argparse
import datetime
import json
import os
import statistics
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed import pipelining


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.conv1 = nn.Conv2d(inputs, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, outputs, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                            nn.BatchNorm2d(outputs))

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += identity
        return self.relu(out)


def resnet50_blocks(classes):
    """The chain of 22 blocks that Stagelane cuts: (name, module)."""
    blocks = [("conv1", nn.Conv2d(3, 64, 7, 2, 3, bias=False)), ("bn1", nn.BatchNorm2d(64)),
              ("relu", nn.ReLU()), ("maxpool", nn.MaxPool2d(3, 2, 1))]
    inputs = 64
    for layer, (width, count) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3)), start=1):
        for index in range(count):
            stride = 2 if layer > 1 and index == 0 else 1
            blocks.append((f"layer{layer}.{index}", Bottleneck(inputs, width, stride)))
            inputs = 4 * width
    blocks.append(("avgpool", nn.AdaptiveAvgPool2d(1)))
    blocks.append(("fc", nn.Sequential(nn.Flatten(), nn.Linear(inputs, classes))))
    return blocks


class Identity(torch.autograd.Function):
    """Returns a contiguous gradient: Gloo accepts no other."""

    @staticmethod
    def forward(context, x):
        return x.view_as(x)

    @staticmethod
    def backward(context, gradient):
        return gradient.contiguous()


class Part(nn.Module):
    """Blocks of one stage. A channels_last boundary travels as the contiguous NHWC tensor it is."""

    def __init__(self, blocks, first, last, channels_last):
        super().__init__()
        self.blocks = nn.Sequential(*blocks)
        self.takes_nhwc = channels_last and not first
        self.gives_nhwc = channels_last and not last
        self.first = first

    def forward(self, x):
        if not self.first:
            x = Identity.apply(x)
        if self.takes_nhwc:
            x = x.permute(0, 3, 1, 2)
        x = self.blocks(x)
        if self.gives_nhwc:
            x = x.permute(0, 2, 3, 1)
        return x.contiguous()


# Class, stages a process, whether the stages lie in a V.
SCHEDULES = {
    "gpipe": (pipelining.ScheduleGPipe, 1, False),
    "1f1b": (pipelining.Schedule1F1B, 1, False),
    "interleaved-1f1b": (pipelining.ScheduleInterleaved1F1B, 2, False),
    "looped-bfs": (pipelining.ScheduleLoopedBFS, 2, False),
    "interleaved-zero-bubble": (pipelining.ScheduleInterleavedZeroBubble, 2, False),
    "zbv": (pipelining.ScheduleZBVZeroBubble, 2, True),
    "dualpipev": (pipelining.schedules.ScheduleDualPipeV, 2, True),
}


def stages_of(rank, world, per_rank, is_v):
    if per_rank == 1:
        return [rank]
    return [rank, 2 * world - 1 - rank] if is_v else [rank, rank + world]


def build(arguments, cuts, per_rank, is_v):
    """The process's stages and their parameters. `cuts` are the first blocks of stages 1, 2, …"""
    torch.manual_seed(0)
    blocks = resnet50_blocks(arguments.classes)
    names = [name for name, _ in blocks]
    starts = [0] + [names.index(cut) for cut in cuts] + [len(blocks)]
    count = len(starts) - 1
    stages, parameters = [], []
    for index in stages_of(dist.get_rank(), dist.get_world_size(), per_rank, is_v):
        part = Part([module for _, module in blocks[starts[index]:starts[index + 1]]], index == 0,
                    index + 1 == count, arguments.channels_last)
        if arguments.channels_last:
            part = part.to(memory_format=torch.channels_last)
        parameters += list(part.parameters())
        stages.append(pipelining.PipelineStage(part, index, count, torch.device("cpu")))
    return stages, parameters


def measure(arguments, name, chunks, cuts):
    kind, per_rank, is_v = SCHEDULES[name]
    stages, parameters = build(arguments, cuts, per_rank, is_v)

    def loss(output, target):
        return nn.functional.mse_loss(output, target) / chunks

    schedule = kind(stages[0] if per_rank == 1 else stages, n_microbatches=chunks, loss_fn=loss,
                    scale_grads=False)
    optimizer = torch.optim.SGD(parameters, lr=0.001)
    data = torch.Generator().manual_seed(1)
    inputs = torch.randn(arguments.batch, 3, arguments.size, arguments.size, generator=data)
    if arguments.channels_last:
        inputs = inputs.contiguous(memory_format=torch.channels_last)
    classes = torch.randint(0, arguments.classes, (arguments.batch,), generator=data)
    target = nn.functional.one_hot(classes, arguments.classes).float()
    holds = {stage.stage_index for stage in stages}
    last = stages[0].num_stages - 1

    seconds, losses = [], []
    for step in range(arguments.warmup + arguments.repeats):
        dist.barrier()
        begin = time.perf_counter()
        batch = (inputs,) if 0 in holds else ()
        extra = {"target": target, "losses": losses} if last in holds else {}
        schedule.step(*batch, **extra)
        optimizer.step()
        optimizer.zero_grad()
        dist.barrier()
        if step >= arguments.warmup:
            seconds.append(time.perf_counter() - begin)
    return seconds


def main():
    parser = argparse.ArgumentParser()
    # Each configuration: SCHEDULE:CHUNKS:CUT[,CUT…], a cut being the first block of a stage.
    parser.add_argument("configurations", nargs="+")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--channels-last", action="store_true")
    parser.add_argument("--warmup", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=120))
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[dist.get_rank() % len(cores)]})
    for text in arguments.configurations:
        name, chunks, cuts = text.split(":")
        seconds = measure(arguments, name, int(chunks), cuts.split(","))
        if dist.get_rank() == 0:
            print(json.dumps({"configuration": text, "seconds": seconds,
                              "median_s": statistics.median(seconds)}), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
