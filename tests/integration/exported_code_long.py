#!/usr/bin/env python3
"""Every schedule, every model of the zoo and the training options as scripts of `stagelane export`, run with
PyTorch: their losses are those of `stagelane run`."""

from _exported_code import ExportedCodeTest, main, mlp, pipeline

GPT = {"zoo": "gpt", "layers": 3, "heads": 2, "width": 16, "vocab": 50, "context": 12}


class LongTest(ExportedCodeTest):
    def test_every_schedule_as_a_pipelining_script(self):
        expected = self.measured(mlp(variants=[
            pipeline("a", ["tutorial", "gpipe", "1f1b", "zb-h1", "zb-h2"], 4, placement="balanced"),
            pipeline("v", ["zbv", "v-half", "v-min", "dualpipev", "interleaved-1f1b", "looped-bfs",
                           "interleaved-zero-bubble", "auto"], 4)]))
        for variant in expected:
            if variant.startswith(("a-", "v-")):
                with self.subTest(variant):
                    self.agree(self.losses(self.exported(variant, "pipelining"), 2), expected[variant])

    def test_every_model_of_the_zoo_as_a_tutorial_script(self):
        # In float32 residual networks make roundings large (docs/reference/models.md).
        image = {"shape": [3, 32, 32], "dtype": "float64"}
        models = [
            ({"zoo": "toy"}, {"shape": [10]}), ({"zoo": "toy-wide"}, {"shape": [10000]}),
            ({"zoo": "net"}, {"shape": [10]}),
            *(({"zoo": f"resnet{depth}", "num_classes": 7}, image) for depth in (18, 34, 50, 101, 152)),
            ({"zoo": "vgg16", "num_classes": 7, "dropout": 0.0}, image),
            (GPT, {"shape": [8]}), ({**GPT, "tie": True}, {"shape": [12]})]
        for model, shape in models:
            with self.subTest(model["zoo"]):
                labels = "class" if model["zoo"] == "gpt" else "normal"
                loss = "cross_entropy" if model["zoo"] == "gpt" else "mse"
                expected = self.measured(mlp(
                    model=model, input=shape, loss=loss, verify_gradients=False,
                    data={"labels": labels, "batch_size": 4, "batches": 1, "seed": 2},
                    variants=[pipeline("p", "tutorial", 2, placement="optimal")]))
                self.agree(self.losses(self.exported("p", "tutorial")), expected["p"])

    def test_shared_parameters_on_two_processes_are_summed(self):
        document = mlp(model={**GPT, "tie": True}, input={"shape": [8]},
                       optimizer={"kind": "adamw", "lr": 0.01},
                       data={"labels": "class", "batch_size": 4, "batches": 3, "seed": 2},
                       variants=[pipeline("p", ["1f1b"], 2, placement="optimal"), pipeline("v", ["zbv"], 2)])
        del document["clip_grad_norm"]
        expected = self.measured(document)
        for variant in ("p-1f1b", "v-zbv"):
            with self.subTest(variant):
                self.agree(self.losses(self.exported(variant, "pipelining"), 2), expected[variant])

    def test_training_options_as_tutorial_scripts(self):
        layers = {"layers": [
            {"kind": "Linear", "in_features": 32, "out_features": 16},
            {"name": "part", "kind": "Residual", "layers": [
                {"kind": "LayerNorm", "normalized_shape": 16}, {"kind": "Linear", "in_features": 16,
                                                                "out_features": 16}, {"kind": "Tanh"}]},
            {"kind": "Linear", "in_features": 16, "out_features": 16, "shares": "part.1"},
            {"kind": "GELU", "approximate": "tanh"},
            {"kind": "Linear", "in_features": 16, "out_features": 10}]}
        changes = [
            {"model": layers}, {"precision": "bf16"}, {"input": {"shape": [32], "dtype": "float64"}},
            {"timing": "tutorial"}, {"optimizer": {"kind": "sgd", "lr": 0.1, "momentum": 0.9,
                                                   "weight_decay": 0.01}},
            {"optimizer": {"kind": "adamw", "lr": 0.01, "betas": [0.8, 0.99], "eps": 1e-6}}]
        for change in changes:
            for recompute in ("never", "except_last"):
                with self.subTest(change=str(change), recompute=recompute):
                    expected = self.measured(mlp(verify_gradients=False, **change, variants=[
                        pipeline("p", "tutorial", 4, placement="balanced", recompute=recompute)]))
                    self.agree(self.losses(self.exported("p", "tutorial")), expected["p"])

    def test_channels_last_as_a_tutorial_script(self):
        document = mlp(model={"zoo": "resnet18", "num_classes": 7}, input={"shape": [3, 32, 32], "dtype": "float64"},
                       loss="mse", memory_format="channels_last", verify_gradients=False,
                       data={"labels": "one_hot", "batch_size": 4, "batches": 2, "seed": 2},
                       variants=[pipeline("p", ["1f1b"], 2, placement="balanced")])
        expected = self.measured(document)
        self.agree(self.losses(self.exported("p-1f1b", "tutorial")), expected["p-1f1b"])


if __name__ == "__main__":
    main()
