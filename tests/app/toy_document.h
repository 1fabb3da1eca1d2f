#pragma once

/// A small experiment of two CPU workers, for tests that need one that can be calibrated.

#include "engine/base/json.h"

namespace stagelane::app {

inline Json toy() {
  return Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8, "batches": 1}, "repeat": 1,
    "devices": ["cpu:0", "cpu:1"],
    "variants": [{"name": "p", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2,
      "stages": [{"first": "net1", "device": "cpu:0"}, {"first": "net2", "device": "cpu:1"}]}]})");
}

}  // namespace stagelane::app
