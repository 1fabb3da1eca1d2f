#!/usr/bin/env python3
"""Scripts of `stagelane export`, run with PyTorch: their losses are those of `stagelane run`."""

import json

from _exported_code import ExportedCodeTest, main, mlp, pipeline

RESNET = {
    "stagelane": 1, "name": "small resnet", "model": {"zoo": "resnet18", "num_classes": 10},
    # In float32 this network makes roundings large (docs/reference/models.md).
    "input": {"shape": [3, 32, 32], "dtype": "float64"}, "data": {"labels": "one_hot", "batch_size": 5, "batches": 2, "seed": 1},
    "loss": "mse", "optimizer": {"kind": "sgd", "lr": 0.01, "momentum": 0.9},
    "devices": ["cpu:0", "cpu:1"], "repeat": 1, "warmup": 0, "verify_gradients": False,
    "variants": [pipeline("pipe", "tutorial", 3, recompute="always", placement={
        "conv1": "cpu:0", "bn1": "cpu:0", "": "cpu:1"})]}


class TutorialFormTest(ExportedCodeTest):
    def test_a_pipeline_with_an_uneven_tail_trains_as_stagelane_does(self):
        expected = self.measured(mlp(variants=[pipeline("t", "tutorial", 5, placement="balanced")]))
        self.agree(self.losses(self.exported("t", "tutorial")), expected["t"])

    def test_a_resnet_cut_before_a_relu_in_place_trains_as_stagelane_does(self):
        expected = self.measured(RESNET)
        script = self.exported("pipe", "tutorial")
        self.agree(self.losses(script), expected["pipe"])
        self.assertNotIn("import torchvision", script.read_text())

    def test_another_order_than_the_tutorial_s_is_said_at_the_top_and_as_a_warning(self):
        document = self.write(mlp(variants=[pipeline("p", "1f1b", 4, placement="balanced")]))
        done = self.stagelane("export", document, "--as", "tutorial")
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in (done.stdout, done.stderr):
            self.assertIn("schedule is 1f1b", text)


class PipeliningFormTest(ExportedCodeTest):
    def test_a_class_of_pytorch_s_and_an_order_that_it_loads_train_as_stagelane_does(self):
        expected = self.measured(mlp(variants=[
            pipeline("a", ["zb-h1"], 4, placement="balanced"), pipeline("v", ["zbv"], 4)]))
        for variant, says in (("a-zb-h1", "_load_csv"), ("v-zbv", "ScheduleZBVZeroBubble")):
            with self.subTest(variant):
                script = self.exported(variant, "pipelining")
                self.assertIn(says, script.read_text())
                self.agree(self.losses(script, processes=2), expected[variant])

    def test_fewer_micro_batches_than_stages_train_as_stagelane_does(self):
        expected = self.measured(mlp(variants=[pipeline("p", "1f1b", 16, placement="balanced")]))
        self.agree(self.losses(self.exported("p", "pipelining"), processes=2), expected["p"])

    def test_what_it_cannot_do_is_refused_with_the_reason(self):
        uneven = mlp(variants=[pipeline("p", "1f1b", 5, placement="balanced")])
        self.refused(uneven, "p", "pipelining", "leaves a remainder of 1")
        again = mlp(variants=[pipeline("p", "1f1b", 4, placement="balanced", recompute="always")])
        self.refused(again, "p", "pipelining", "recomputes")
        self.refused(mlp(precision="bf16"), "mp", "pipelining", "autocast")
        self.refused(mlp(memory_format="channels_last"), "mp", "pipelining", "contiguous")


class DeviceMapTest(ExportedCodeTest):
    def placed(self, placement):
        devices = sorted({*placement.values()})
        path = self.write(mlp(devices=devices, variants=[
            {"name": "mp", "strategy": "model_parallel", "placement": placement}]))
        return self.stagelane("export", path, "--as", "device-map")

    def test_gpus_are_numbers(self):
        done = self.placed({"fc1": "cuda:0", "relu1": "cuda:0", "fc2": "cuda:0", "": "cuda:1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual({answer[key] for key in ("fc1", "fc2")}, {0})
        self.assertEqual(answer["fc8"], 1)

    def test_cpu_workers_are_the_one_cpu_and_that_is_said(self):
        done = self.placed({"fc1": "cpu:0", "": "cpu:1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(json.loads(done.stdout).values()), {"cpu"})
        self.assertIn("one CPU", done.stderr)


class CommandTest(ExportedCodeTest):
    def test_a_variant_has_to_be_chosen_where_there_are_several(self):
        several = mlp(variants=[pipeline("p", ["gpipe", "1f1b"], 4, placement="balanced")])
        done = self.stagelane("export", self.write(several), "--as", "tutorial")
        self.assertEqual(done.returncode, 3)
        self.assertIn("p-gpipe, p-1f1b", done.stderr)
        self.refused(several, "p-gpip", "tutorial", "Did you mean p-gpipe?")

    def test_an_unknown_form_and_a_file_that_cannot_be_written_are_said(self):
        path = self.write(mlp())
        self.refused(mlp(), "mp", "notebook", "tutorial, pipelining or device-map")
        done = self.stagelane("export", path, "--as", "tutorial", "-o", self.root / "none" / "x.py")
        self.assertEqual(done.returncode, 8, done.stderr)


if __name__ == "__main__":
    main()
