#include "engine/search/advice.h"

namespace stagelane::search {
namespace {

constexpr Advice kWholeBatch{
    "Model parallel is for models that are too large for one device",
    "PyTorch tutorial, Single-Machine Model Parallel Best Practices",
    "https://docs.pytorch.org/tutorials/intermediate/model_parallel_tutorial.html"};
constexpr Advice kPipeline{"Micro-batches let all devices of a divided model work at the same time",
                           "Huang et al., GPipe, NeurIPS 2019", "https://arxiv.org/abs/1811.06965"};
constexpr Advice kReplicatedPipeline{
    "Pipelines divide a model that is too large, and replicas of them scale it to more devices",
    "Narayanan et al., Efficient Large-Scale Language Model Training, SC'21",
    "https://arxiv.org/abs/2104.04473"};
constexpr Advice kOneProcess{
    "PyTorch recommends DistributedDataParallel instead, also on one host",
    "PyTorch documentation, torch.nn.DataParallel",
    "https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html"};
constexpr Advice kOwnProcesses{
    "Buckets of gradients are summed while the backward computes the others",
    "Li et al., PyTorch Distributed, VLDB 2020", "https://arxiv.org/abs/2006.15704"};

}  // namespace

const Advice* adviceOn(const plan::StrategyRow& strategy, int replicas) {
  if (strategy.oneDevice || strategy.schedule.empty()) return nullptr;
  if (strategy.replicates) return strategy.ownProcesses ? &kOwnProcesses : &kOneProcess;
  if (!strategy.pipelined) return &kWholeBatch;
  return replicas > 1 ? &kReplicatedPipeline : &kPipeline;
}

}  // namespace stagelane::search
