#pragma once

/// Changes to try on a prediction: "what if the links were free, this device twice as fast, that
/// part of the model cheaper?" A factor always multiplies TIMES: x0.5 takes half as long. Stages,
/// schedule and order stay as they are.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::predict {

struct WhatIf {
  double links = 1.0;       ///< on every transfer and reduction; 0: free
  double host = 1.0;        ///< on the host time between actions
  double contention = 1.0;  ///< on what workers lose to each other; 0: none
  std::vector<std::pair<DeviceId, double>> devices;    ///< on all that the device computes
  std::vector<std::pair<std::size_t, double>> blocks;  ///< on all actions of the block

  [[nodiscard]] double ofDevice(const DeviceId& device) const;
  [[nodiscard]] double ofBlock(std::size_t block) const;
};

/// The forms that parseWhatIf understands, one a line.
[[nodiscard]] std::string_view whatIfForms();

/// Adds one change: `links=free`, `contention=free`, `host=free`, `links x2`, `cuda:1 x0.5`,
/// `layer3 x0.8`. Several changes of one thing multiply.
/// @errors Invalid, with the forms that are understood
[[nodiscard]] Status addWhatIf(std::string_view text, const plan::Experiment& experiment,
                               WhatIf& whatIf);

}  // namespace stagelane::predict
