#pragma once

/// Experiments, costs and patience that the tests of plans share.

#include <QCoreApplication>
#include <QElapsedTimer>
#include <memory>
#include <string>

#include "engine/base/json.h"
#include "engine/predict/cost_table.h"
#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui::sample {

/// The toy model (net1, relu, net2) as a pipeline `p` on two workers, a batch of 8 in pieces of 2.
inline Json toyPipeline(int repeat) {
  Json json = Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8, "batches": 1},
    "devices": ["cpu:0", "cpu:1"],
    "variants": [{"name": "p", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2,
      "stages": [{"first": "net1", "device": "cpu:0"}, {"first": "net2", "device": "cpu:1"}]}]})");
  json["repeat"] = repeat;
  return json;
}

inline constexpr TimeNs kForwardNs = 7'000'000;

/// kForwardNs a forward of each block of the toy at any size; of all blocks but `without`.
inline std::shared_ptr<predict::CostTable> toyCosts(predict::Basis basis,
                                                    const std::string& without = {}) {
  auto table = std::make_shared<predict::CostTable>();
  table->basis = basis;
  for (const char* name : {"net1", "relu", "net2"}) {
    if (name == without) continue;
    predict::BlockCosts block;
    block.name = name;
    predict::CostPoint point;
    point.samples = 2;
    point.forward = point.backwardInput = point.backwardWeight = kForwardNs;
    point.backward = 2 * kForwardNs;
    block.points = {point};
    table->blocks.push_back(std::move(block));
  }
  return table;
}

/// A resnet18 as a pipeline `pipe` cut before layer3, and as `single`, on two workers.
inline Json resnetOnTwo() {
  return Json::parse(R"({
    "stagelane": 1, "name": "resnet", "model": {"zoo": "resnet18", "num_classes": 10},
    "input": {"shape": [3, 64, 64]}, "data": {"batch_size": 16, "labels": "one_hot"},
    "devices": ["cpu:0", "cpu:1"], "repeat": 1,
    "variants": [
      {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 4,
       "placement": {"conv1": "cpu:0", "bn1": "cpu:0", "relu": "cpu:0", "maxpool": "cpu:0",
                     "layer1": "cpu:0", "layer2": "cpu:0", "layer3": "cpu:1", "layer4": "cpu:1",
                     "avgpool": "cpu:1", "fc": "cpu:1"}},
      {"name": "single", "strategy": "single", "device": "cpu:0"}]})");
}

/// Lets answers from other threads arrive.
inline void settle(const PlanModel& plan) {
  QElapsedTimer timer;
  timer.start();
  while (plan.busy() && timer.elapsed() < 300000) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  }
}

}  // namespace stagelane::ui::sample
