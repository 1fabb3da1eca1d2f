"""The zoo's `gpt` as a PyTorch module, with the names that Stagelane gives its parameters.

A decoder as in GPT-2: pre-norm blocks, learned positions, tanh-approximated GELU. Parameters are
what PyTorch's constructors draw, in the order below.
"""
import torch
import torch.nn.functional as F
from torch import nn


class PositionEmbedding(nn.Module):
    """Adds a learned vector to each position."""

    def __init__(self, num_positions, embedding_dim):
        super().__init__()
        self.num_positions = num_positions
        self.embedding_dim = embedding_dim
        self.weight = nn.Parameter(torch.empty(num_positions, embedding_dim))
        nn.init.normal_(self.weight)

    def forward(self, x):
        return x + self.weight[: x.size(1)]

    def extra_repr(self):
        return f"{self.num_positions}, {self.embedding_dim}"


class CausalSelfAttention(nn.Module):
    """Attention of each position to itself and those before; takes queries, keys and values."""

    def __init__(self, heads):
        super().__init__()
        self.heads = heads

    def forward(self, qkv):
        batch, length, width = qkv.shape
        q, k, v = (
            part.view(batch, length, self.heads, width // 3 // self.heads).transpose(1, 2)
            for part in qkv.chunk(3, dim=-1)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return y.transpose(1, 2).reshape(batch, length, width // 3)

    def extra_repr(self):
        return f"heads={self.heads}"


def with_dropout(modules, dropout):
    if dropout > 0:
        modules["dropout"] = nn.Dropout(dropout)
    return modules


class Chain(nn.Module):
    """Children one after the other, like nn.Sequential, under a class name of its own."""

    def __init__(self, children):
        super().__init__()
        for name, child in children.items():
            self.add_module(name, child)

    def forward(self, x):
        for child in self.children():
            x = child(x)
        return x


class Embedding(Chain):
    def __init__(self, vocab, context, width, dropout):
        super().__init__(
            with_dropout(
                {"wte": nn.Embedding(vocab, width), "wpe": PositionEmbedding(context, width)},
                dropout,
            )
        )


class Attention(Chain):
    def __init__(self, heads, width, dropout):
        super().__init__(
            with_dropout(
                {
                    "c_attn": nn.Linear(width, 3 * width),
                    "core": CausalSelfAttention(heads),
                    "c_proj": nn.Linear(width, width),
                },
                dropout,
            )
        )


class MLP(Chain):
    def __init__(self, width, dropout):
        super().__init__(
            with_dropout(
                {
                    "c_fc": nn.Linear(width, 4 * width),
                    "gelu": nn.GELU(approximate="tanh"),
                    "c_proj": nn.Linear(4 * width, width),
                },
                dropout,
            )
        )


class Block(nn.Module):
    def __init__(self, heads, width, dropout):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = Attention(heads, width, dropout)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = MLP(width, dropout)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Head(Chain):
    def __init__(self, vocab, width):
        super().__init__(
            {"ln_f": nn.LayerNorm(width), "lm_head": nn.Linear(width, vocab, bias=False)}
        )


class GPT(nn.Module):
    def __init__(self, layers=12, heads=12, width=768, vocab=50257, context=1024, dropout=0.0,
                 tie=False):
        super().__init__()
        self.embedding = Embedding(vocab, context, width, dropout)
        self.h = nn.Sequential(*(Block(heads, width, dropout) for _ in range(layers)))
        self.head = Head(vocab, width)
        if tie:
            self.head.lm_head.weight = self.embedding.wte.weight

    def forward(self, tokens):
        return self.head(self.h(self.embedding(tokens)))
