#pragma once

/// Clips gradients by their norm over all stages and devices, bit-equal to
/// `torch.nn.utils.clip_grad_norm_` on one device: the 2-norm of the tensors' 2-norms in the
/// model's parameter order, and one factor for all gradients. Every row posts the norms of its
/// complete gradients on the board, waits for the others, and computes the same factor.

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
  at::Tensor norm;
};

/// Norms of the existing gradients of a stage's parameters, on their device. Does not wait for it.
[[nodiscard]] std::vector<NamedNorm> gradientNorms(const StageTensors& tensors);
/// Copies in the host's memory. Waits for the device, without a way to stop it.
[[nodiscard]] std::vector<NamedNorm> onHost(std::vector<NamedNorm> norms);

/// The common factor of all gradients: maxNorm / (norm of all + 1e-6), at most 1. A parameter
/// shared by several stages counts once. @shape []
[[nodiscard]] at::Tensor clipFactor(const std::vector<std::vector<NamedNorm>>& byStage,
                                    double maxNorm);

/// Multiplies the gradients of a stage's parameters.
void scaleGradients(const StageTensors& tensors, const at::Tensor& factor);

/// Collects the norms of an executor's rows. Cleared before each step.
class NormBoard {
 public:
  explicit NormBoard(int stages) : m_stages(static_cast<std::size_t>(stages)) {}

  void clear();
  /// Norms in the host's memory. Never blocks. @thread any
  void post(int stage, std::vector<NamedNorm> norms);

  /// Waits until every stage has posted; false if `control` stopped. The caller of the step must
  /// stop `control` after a stall. @thread any; blocks
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
