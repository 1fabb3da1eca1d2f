#pragma once

/// What fills a device's memory at the schedule's peak: parameters, gradients, optimizer state, and
/// activations with temporary tensors.

#include <QString>
#include <array>

#include "engine/plan/experiment.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/block_table.h"
#include "ui/session/document/plan_edits.h"

namespace stagelane::ui {

struct MemoryParts {
  Bytes parameters = 0;  ///< and buffers
  Bytes gradients = 0;
  Bytes optimizer = 0;
  Bytes activations = 0;  ///< and temporary tensors
  [[nodiscard]] std::array<Bytes, 4> all() const {
    return {parameters, gradients, optimizer, activations};
  }
};

/// The parts add up to `peak`, which comes from the schedule's simulation.
[[nodiscard]] MemoryParts memoryParts(const plan::Experiment& experiment, const BlockTable& table,
                                      const PlanShape& shape, const DeviceId& device, Bytes peak);

/// Colors of the four parts, in their order.
[[nodiscard]] std::array<QColor, 4> memoryColors(const Theme& theme);
/// "parameters 97 MiB, gradients 97 MiB, activations 1.1 GiB"; empty parts are left out.
[[nodiscard]] QString memoryText(const MemoryParts& parts);
/// The four names, in their order.
[[nodiscard]] std::array<QString, 4> memoryNames();

}  // namespace stagelane::ui
