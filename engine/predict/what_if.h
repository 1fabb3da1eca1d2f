#pragma once

/// Hypothetical changes to a prediction: "what if the links were free, this device twice as fast,
/// that part of the model cheaper?" A factor always multiplies TIMES: x0.5 takes half as long.
/// Stages, schedule and order stay unchanged.

#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::predict {

struct WhatIf {
  double links = 1.0;       ///< factor on every transfer and reduction; 0: free
  double host = 1.0;        ///< factor on the host time between actions
  double contention = 1.0;  ///< factor on the loss by contention; 0: none
  std::vector<std::pair<DeviceId, double>> devices;    ///< factor on all computation on the device
  std::vector<std::pair<std::size_t, double>> blocks;  ///< factor on all actions of the block

  [[nodiscard]] double ofDevice(const DeviceId& device) const;
  [[nodiscard]] double ofBlock(std::size_t block) const;
};

/// The forms that parseWhatIf accepts, one per line.
[[nodiscard]] std::string_view whatIfForms();

/// Adds one change: `links=free`, `contention=free`, `host=free`, `links x2`, `cuda:1 x0.5`,
/// `layer3 x0.8`. Changes to the same target multiply.
/// @errors Invalid, with the supported forms
[[nodiscard]] Status addWhatIf(std::string_view text, const plan::Experiment& experiment,
                               WhatIf& whatIf);

}  // namespace stagelane::predict
