#pragma once

/// Gradient clipping by the norm of all gradients together, over all stages and devices, to the
/// last bit as `torch.nn.utils.clip_grad_norm_` does it on one device: the 2-norm of the tensors'
/// 2-norms, in the model's order of parameters, and one factor for every gradient. Every row leaves
/// the norms of its own gradients on the board once they are complete, waits for those of the
/// others, and computes the factor for itself: all compute the same one.

#include <ATen/core/Tensor.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/run/step/run_control.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {

/// A parameter's name and its gradient's norm. @shape norm: []
struct NamedNorm {
  std::string name;
  at::Tensor norm;  ///< in the host's memory
};

/// Norms of the gradients that a stage's parameters have. Waits for the device.
[[nodiscard]] std::vector<NamedNorm> gradientNorms(const StageTensors& tensors);

/// What to multiply every gradient with: maxNorm / (norm of all + 1e-6), 1 at most. A parameter
/// that several stages share counts once. @shape []
[[nodiscard]] at::Tensor clipFactor(const std::vector<std::vector<NamedNorm>>& byStage,
                                    double maxNorm);

/// Multiplies the gradients of a stage's parameters.
void scaleGradients(const StageTensors& tensors, const at::Tensor& factor);

/// Where the rows of one executor leave their norms. Emptied before each step.
class NormBoard {
 public:
  explicit NormBoard(int stages) : m_stages(static_cast<std::size_t>(stages)) {}

  void clear();
  /// Never blocks. @thread any
  void post(int stage, std::vector<NamedNorm> norms);

  /// Waits until every stage has posted; false when `control` stopped. Whoever started the step
  /// sees to it that it does when nothing happens for too long. @thread any; blocks
  [[nodiscard]] bool wait(const RunControl& control);
  /// By stage. @pre complete
  [[nodiscard]] std::vector<std::vector<NamedNorm>> norms() const;

 private:
  std::size_t m_stages;
  mutable std::mutex m_mutex;  ///< guards m_posted
  std::condition_variable m_changed;
  std::map<int, std::vector<NamedNorm>> m_posted;
};

}  // namespace stagelane::run
