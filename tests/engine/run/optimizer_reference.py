"""What torch.optim computes, for the C++ tests to compare with.

    optimizer_reference.py FOLDER SPECS

SPECS is a JSON list of {"kind", "dtype", "arguments": {...of the optimizer}, "clip": largest norm, if any}. For each, two
parameters are stepped five times with foreach=False; the second has no gradient in the second step.
Writes every tensor as raw values (NUMBER.bin) and index.json: a list of
{"start": [a, b], "steps": [{"gradients": [a or null, b or null], "after": [a, b]}]}.
Exits with 77 where torch cannot be imported.
"""
import json
import os
import sys

try:
    import torch

    from tensor_store import Store
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

KINDS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}


def play(spec, store):
    generator = torch.Generator().manual_seed(7)
    dtype = getattr(torch, spec["dtype"])
    shapes = [(37, 19), (5,)]
    draw = lambda shape: torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)
    parameters = [torch.nn.Parameter(draw(shape)) for shape in shapes]
    optimizer = KINDS[spec["kind"]](parameters, foreach=False, **spec["arguments"])
    answer = {"start": [store(p) for p in parameters], "steps": []}
    for step in range(5):
        gradients = [draw(shape) for shape in shapes]
        if step == 1:
            gradients[1] = None
        for parameter, gradient in zip(parameters, gradients):
            parameter.grad = gradient
        stored = [None if g is None else store(g) for g in gradients]
        if "clip" in spec:
            torch.nn.utils.clip_grad_norm_(parameters, spec["clip"])
        optimizer.step()
        answer["steps"].append({
            "gradients": stored,
            "after": [store(p) for p in parameters]})
    return answer


def main():
    folder, specs = sys.argv[1:3]
    torch.set_num_threads(1)
    store = Store(folder)
    answers = [play(spec, store) for spec in json.loads(specs)]
    with open(os.path.join(folder, "index.json"), "w") as file:
        json.dump(answers, file)


main()
