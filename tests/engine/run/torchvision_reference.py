"""What PyTorch and torchvision compute, for the C++ tests to compare with.

    torchvision_reference.py FOLDER MODEL SIZE BATCH SEED LOSS DTYPE

MODEL is toy, net, gpt, gpt-tied-dropout or a model of torchvision.

Builds MODEL after torch.manual_seed(SEED), runs one forward and backward in training mode, and
writes to FOLDER every tensor as raw little-endian values (NUMBER.bin) and index.json:
{"initial": {NAME: [file, dtype, shape]}, "after": {...buffers after the step}, "gradients": {...},
 "input": [...], "target": [...], "output": [...], "loss": [...]}.
A parameter that is tied to another has no entry. Dropout draws as docs/reference/models.md says, for seed 0 and
step 0. Exits with 77 where torch or torchvision cannot be imported.
"""
import itertools
import json
import os
import sys

try:
    import torch
    import torchvision

    import gpt_module
    from tensor_store import Store
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


class Toy(torch.nn.Module):
    """The model of PyTorch's model-parallel tutorial, on one device."""

    def __init__(self):
        super().__init__()
        self.net1 = torch.nn.Linear(10, 10)
        self.relu = torch.nn.ReLU()
        self.net2 = torch.nn.Linear(10, 5)

    def forward(self, x):
        return self.net2(self.relu(self.net1(x)))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = torch.nn.Linear(10, 100)
        self.fc2 = torch.nn.Linear(100, 1)

    def forward(self, x):
        return self.fc2(self.fc1(x))


def mixed(state, value):
    """One round of splitmix64."""
    mask = (1 << 64) - 1
    mix = (state + value + 0x9E3779B97F4A7C15) & mask
    mix = ((mix ^ (mix >> 30)) * 0xBF58476D1CE4E5B9) & mask
    mix = ((mix ^ (mix >> 27)) * 0x94D049BB133111EB) & mask
    return mix ^ (mix >> 31)


class SeededDropout(torch.nn.Module):
    """Drops what Stagelane drops at CALL of BLOCK."""

    def __init__(self, p, block, call):
        super().__init__()
        self.p = p
        self.seed = 0
        for part in (0, 0, block, call):
            self.seed = mixed(self.seed, part)

    def forward(self, x):
        factors = torch.empty_like(x)
        for sample in range(len(x)):
            generator = torch.Generator().manual_seed(mixed(self.seed, sample))
            factors[sample].bernoulli_(1 - self.p, generator=generator)
        return x * factors.div_(1 - self.p)


def gpt(dropout, tie):
    model = gpt_module.GPT(2, 2, 32, 64, 16, dropout, tie)
    if dropout > 0:
        model.embedding.dropout = SeededDropout(dropout, 0, 2)
        for index, block in enumerate(model.h):
            block.attn.dropout = SeededDropout(dropout, 1 + index, 4)
            block.mlp.dropout = SeededDropout(dropout, 1 + index, 10)
    return model


def vgg16():
    model = torchvision.models.vgg16(weights=None)
    model.classifier[2] = SeededDropout(0.5, 34, 0)
    model.classifier[5] = SeededDropout(0.5, 37, 0)
    return model


def build(name):
    if name == "gpt":
        return gpt(0.0, False), None, 64
    if name == "gpt-tied-dropout":
        return gpt(0.1, True), None, 64
    if name == "vgg16":
        return vgg16(), None, 1000
    if name == "toy":
        return Toy(), (10,), 5
    if name == "net":
        return Net(), (10,), 1
    return getattr(torchvision.models, name)(weights=None), None, 1000


def main():
    folder, name = sys.argv[1:3]
    size, batch, seed = (int(argument) for argument in sys.argv[3:6])
    loss_kind = sys.argv[6]
    dtype = getattr(torch, sys.argv[7])
    torch.set_num_threads(1)
    store = Store(folder)

    torch.manual_seed(seed)
    model, shape, classes = build(name)
    model.train().to(dtype)
    values = itertools.chain(model.named_parameters(), model.named_buffers())
    index = {"initial": {key: store(value) for key, value in values}}

    generator = torch.Generator().manual_seed(seed + 1)
    shape = shape or (3, size, size)
    if name.startswith("gpt"):
        target = torch.empty(batch, size, dtype=torch.int64).random_(
            0, classes, generator=generator
        )
        data = torch.empty(batch, size, dtype=torch.int64).random_(0, 64, generator=generator)

        def loss_function(output, target):
            return torch.nn.functional.cross_entropy(output.flatten(0, 1), target.flatten())

    elif loss_kind == "mse":
        indices = torch.empty(batch, dtype=torch.int64).random_(0, classes, generator=generator)
        data = torch.randn(batch, *shape, generator=generator)
        target = torch.zeros(batch, classes).scatter_(1, indices.view(batch, 1), 1)
        loss_function = torch.nn.MSELoss()
    else:
        indices = torch.empty(batch, dtype=torch.int64).random_(0, classes, generator=generator)
        data = torch.randn(batch, *shape, generator=generator)
        target = indices
        loss_function = torch.nn.CrossEntropyLoss()

    if data.is_floating_point():
        data = data.to(dtype)
    if target.is_floating_point():
        target = target.to(dtype)
    output = model(data)
    loss = loss_function(output, target)
    loss.backward()
    index["input"] = store(data)
    index["target"] = store(target)
    index["output"] = store(output)
    index["loss"] = store(loss)
    index["gradients"] = {key: store(value.grad) for key, value in model.named_parameters()}
    index["after"] = {key: store(value) for key, value in model.named_buffers()}
    with open(os.path.join(folder, "index.json"), "w") as file:
        json.dump(index, file)


main()
