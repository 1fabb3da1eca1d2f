"""./dev gpu-check: what it says without a GPU, and what it writes with one, of which everything else is played here."""

import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["STAGELANE_SOURCE_DIR"])
NO_GPU = 4
SIGNS_OF_A_GPU = ("/proc/driver/nvidia/version", "/dev/nvidiactl", "/dev/dxg")

# The engine, and the programs that would build and test it.
ENGINE = """#!/bin/bash
[[ $1 != devices ]] || cat "$DEVICES"
"""
CMAKE = """#!/bin/bash
echo "cmake $*" >>"$CALLS"
[[ $1 != --build ]] || { mkdir -p "$2/bin" && cp "$ENGINE" "$2/bin/stagelane-engine"; }
"""
NINJA = """#!/bin/bash
printf '%s: phony\\n' test_engine_run test_engine_run_gpu integration_engine_gpu_test stagelane-engine
"""
CTEST = """#!/bin/bash
echo "ctest $*" >>"$CALLS"
while [[ $1 != --output-junit ]]; do [[ $1 != --test-dir ]] || folder=$2; shift; done
cp "$RESULTS" "$2"
mkdir -p "$folder/Testing/Temporary"
echo "all that the tests printed" >"$folder/Testing/Temporary/LastTest.log"
"""
DEVICES = """{"devices": [
  {"id": "cuda:0", "kind": "gpu", "name": "NVIDIA H100", "usable": %s, "reason": "%s",
   "details": {"driver": "580.65.06"}},
  {"id": "cpu:0", "kind": "cpu", "name": "CPU", "usable": true, "reason": "", "details": {}}]}"""
PASSED = '<testcase name="%s" status="run"><system-out>largest error 1e-15</system-out></testcase>'
FAILED = '<testcase name="%s" status="fail"><failure message=""/><system-out/></testcase>'
SKIPPED = """<testcase name="%s" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>a_test.cpp:12: Skipped
needs 2 GPUs, this machine has 1

[  SKIPPED ] a
</system-out></testcase>"""
NOT_STARTED = '<testcase name="%s" status="notrun"><skipped message="Unable to find executable"/></testcase>'

ON_PARTITIONS = "engine/run/Gpu/SchedulesOnGpus.AllPass/TwoPartitions"
ON_TWO_GPUS = "engine/run/Gpu/SchedulesOnGpus.AllPass/TwoGpus"
OF_BACKEND = "engine/run/Gpu.MarkersFollowTheHostsClock"


def looks_like_a_gpu_machine():
    vendors = pathlib.Path("/sys/bus/pci/devices").glob("*/vendor")
    return (any(os.path.exists(sign) for sign in SIGNS_OF_A_GPU) or shutil.which("nvidia-smi") is not None
            or any(vendor.read_text().strip() == "0x10de" for vendor in vendors))


class WithoutGpu(unittest.TestCase):
    @unittest.skipIf(looks_like_a_gpu_machine(), "this machine has a GPU")
    def test_it_says_so_with_an_exit_code_of_its_own_and_builds_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            script = shutil.copy(SOURCE / "dev", folder)
            done = subprocess.run([script, "gpu-check"], capture_output=True, text=True)
            self.assertEqual(done.returncode, NO_GPU, done.stderr)
            self.assertIn("no GPU to check", done.stderr)
            self.assertEqual(os.listdir(folder), ["dev"])

    def test_a_build_without_cuda_is_refused_as_wrong_usage(self):
        for option in ("--cpu", "--viewer"):
            done = subprocess.run([SOURCE / "dev", "gpu-check", option], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)


class WithGpu(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stagelane-gpu-check-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        shutil.copy(SOURCE / "dev", self.folder)
        for part in ("tests/support", ".deps/usr", "torch/lib", "programs"):
            (self.folder / part).mkdir(parents=True)
        shutil.copy(SOURCE / "tests/support/gpu_report.py", self.folder / "tests/support")
        (self.folder / "torch/lib/libtorch_cpu.so").touch()
        (self.folder / "torch/version.py").write_text("__version__ = '2.11.0'\n")
        for name, text in {"cmake": CMAKE, "ninja": NINJA, "ctest": CTEST, "nvidia-smi": "#!/bin/bash\n"}.items():
            self.program(f"programs/{name}", text)
        self.program("engine", ENGINE)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def check(self, *cases, usable="true", reason=""):
        (self.folder / "devices.json").write_text(DEVICES % (usable, reason))
        (self.folder / "results.xml").write_text("<testsuite>" + "".join(cases) + "</testsuite>")
        environment = dict(
            os.environ, PATH=f"{self.folder}/programs:{os.environ['PATH']}", ENGINE=str(self.folder / "engine"),
            DEVICES=str(self.folder / "devices.json"), RESULTS=str(self.folder / "results.xml"),
            CALLS=str(self.folder / "calls"), CUDA_VISIBLE_DEVICES="0", SECRET_OF_SOMEONE="hidden",
            GIT_CEILING_DIRECTORIES=str(self.folder.parent))
        return subprocess.run([self.folder / "dev", "gpu-check", "--torch-dir", self.folder / "torch"],
                              capture_output=True, text=True, env=environment)

    def bundled(self):
        name = "stagelane-gpu-check-unknown"  # the commit of a folder without git
        with tarfile.open(self.folder / f"build/gpu-check/{name}.tar.gz") as bundle:
            return {pathlib.PurePath(member.name).name: bundle.extractfile(member).read().decode()
                    for member in bundle if member.isfile()}

    def test_a_machine_where_all_passes_has_its_rows_and_its_bundle(self):
        done = self.check(PASSED % ON_PARTITIONS, SKIPPED % ON_TWO_GPUS, PASSED % OF_BACKEND)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = ["| unknown | NVIDIA H100, driver 580.65.06 | `SchedulesOnGpus`, 2 tests | "
                "1 passed; 1 skipped (needs 2 GPUs, this machine has 1) |",
                "| unknown | NVIDIA H100, driver 580.65.06 | `Gpu`, 1 test | 1 passed |"]
        for row in rows:
            self.assertIn(row, done.stdout)
        bundled = self.bundled()
        self.assertEqual(set(bundled), {"table.md", "ctest.log", "ctest.xml", "devices.json", "environment.txt"})
        for row in rows:
            self.assertIn(row, bundled["table.md"])
        self.assertIn("580.65.06", bundled["devices.json"])
        self.assertIn("all that the tests printed", bundled["ctest.log"])
        self.assertIn("CUDA_VISIBLE_DEVICES=0", bundled["environment.txt"])
        self.assertNotIn("hidden", bundled["environment.txt"])

    def test_it_builds_without_qt_and_only_what_the_tests_need(self):
        self.check(PASSED % OF_BACKEND)
        calls = (self.folder / "calls").read_text()
        self.assertIn("cmake --preset engine-only", calls)
        self.assertIn("--target programs test_engine_run_gpu integration_engine_gpu_test\n", calls)
        self.assertIn("--label-regex ^gpu$", calls)

    def test_a_failure_is_named_and_is_the_exit_code(self):
        for case in (FAILED, NOT_STARTED):
            done = self.check(PASSED % OF_BACKEND, case % ON_PARTITIONS)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("**1 failed**: `AllPass/TwoPartitions`", done.stdout)
            self.assertIn("**1 failed**", self.bundled()["table.md"])

    def test_that_all_was_skipped_is_no_success(self):
        self.assertEqual(self.check(SKIPPED % ON_PARTITIONS).returncode, 1)

    def test_a_gpu_that_the_engine_cannot_use_is_none_and_says_why(self):
        done = self.check(PASSED % OF_BACKEND, usable="false", reason="the driver is too old")
        self.assertEqual(done.returncode, NO_GPU, done.stderr)
        self.assertIn("the driver is too old", done.stderr)
        self.assertNotIn("ctest", (self.folder / "calls").read_text())


if __name__ == "__main__":
    unittest.main()
