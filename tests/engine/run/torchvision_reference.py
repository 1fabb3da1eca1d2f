"""What PyTorch and torchvision compute, for the C++ tests to compare with.

    torchvision_reference.py FOLDER MODEL SIZE BATCH SEED LOSS DTYPE

Builds MODEL after torch.manual_seed(SEED), runs one forward and backward in training mode, and
writes to FOLDER every tensor as raw little-endian values (NUMBER.bin) and index.json:
{"initial": {NAME: [file, dtype, shape]}, "after": {...buffers after the step}, "gradients": {...},
 "input": [...], "target": [...], "output": [...], "loss": [...]}.
Exits with 77 where torch or torchvision cannot be imported.
"""
import json
import os
import sys

try:
    import torch
    import torchvision
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


def build(name):
    if name == "toy":
        return Toy(), (10,), 5
    if name == "net":
        return Net(), (10,), 1
    return getattr(torchvision.models, name)(weights=None), None, 1000


class Store:
    def __init__(self, folder):
        self.folder = folder
        self.count = 0

    def __call__(self, tensor):
        name = f"{self.count}.bin"
        self.count += 1
        values = tensor.detach().contiguous()
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(values.numpy().tobytes())
        return [name, str(values.dtype).removeprefix("torch."), list(values.shape)]


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
    index = {"initial": {key: store(value) for key, value in model.state_dict().items()}}

    generator = torch.Generator().manual_seed(seed + 1)
    shape = shape or (3, size, size)
    if loss_kind == "mse":
        indices = torch.empty(batch, dtype=torch.int64).random_(0, classes, generator=generator)
        data = torch.randn(batch, *shape, generator=generator)
        target = torch.zeros(batch, classes).scatter_(1, indices.view(batch, 1), 1)
        loss_function = torch.nn.MSELoss()
    else:
        indices = torch.empty(batch, dtype=torch.int64).random_(0, classes, generator=generator)
        data = torch.randn(batch, *shape, generator=generator)
        target = indices
        loss_function = torch.nn.CrossEntropyLoss()

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
