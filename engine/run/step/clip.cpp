#include "engine/run/step/clip.h"

#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <c10/core/GradMode.h>

#include <chrono>
#include <set>
#include <stdexcept>

namespace stagelane::run {

std::vector<NamedNorm> gradientNorms(const StageTensors& tensors) {
  const c10::AutoGradMode noGrad(false);
  std::vector<NamedNorm> norms;
  for (const auto& [name, parameter] : tensors.parameters()) {
    if (parameter.grad().defined()) {
      norms.push_back({name, at::linalg_vector_norm(parameter.grad(), 2)});
    }
  }
  return norms;
}

std::vector<NamedNorm> onHost(std::vector<NamedNorm> norms) {
  for (NamedNorm& each : norms) each.norm = each.norm.to(at::kCPU);
  return norms;
}

at::Tensor clipFactor(const std::vector<std::vector<NamedNorm>>& byStage, double maxNorm) {
  // As in clip_grad_norm_.
  constexpr double kEpsilon = 1e-6;
  const c10::AutoGradMode noGrad(false);
  std::set<std::string> seen;
  std::vector<at::Tensor> norms;
  for (const std::vector<NamedNorm>& stage : byStage) {
    for (const NamedNorm& each : stage) {
      if (seen.insert(each.name).second) norms.push_back(each.norm);
    }
  }
  if (norms.empty()) return {};
  const at::Tensor total = at::linalg_vector_norm(at::stack(norms), 2);
  return total.add(kEpsilon).reciprocal().mul(maxNorm).clamp_max(1.0);
}

void scaleGradients(const StageTensors& tensors, const at::Tensor& factor) {
  const c10::AutoGradMode noGrad(false);
  for (const auto& [name, parameter] : tensors.parameters()) {
    if (parameter.grad().defined()) parameter.grad().mul_(factor.to(parameter.grad().device()));
  }
}

void NormBoard::clear() {
  const std::lock_guard lock(m_mutex);
  m_posted.clear();
}

void NormBoard::post(int stage, std::vector<NamedNorm> norms) {
  {
    const std::lock_guard lock(m_mutex);
    if (!m_posted.emplace(stage, std::move(norms)).second) {
      throw std::logic_error("a stage's gradients were measured twice in a step");
    }
  }
  m_changed.notify_all();
}

bool NormBoard::wait(const RunControl& control) {
  // Polling interval for a stop request from a signal handler, which cannot notify.
  constexpr auto kSlice = std::chrono::milliseconds(10);
  std::unique_lock lock(m_mutex);
  while (!m_changed.wait_for(lock, kSlice, [&] { return m_posted.size() == m_stages; })) {
    if (control.stopped()) return false;
  }
  return true;
}

std::vector<std::vector<NamedNorm>> NormBoard::norms() const {
  const std::lock_guard lock(m_mutex);
  std::vector<std::vector<NamedNorm>> byStage;
  for (const auto& named : m_posted) byStage.push_back(named.second);
  return byStage;
}

}  // namespace stagelane::run
