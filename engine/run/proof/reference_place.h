#pragma once

/// Where the reference of a variant's gradient check runs: on one worker with the variant's thread
/// count, or, if the model does not fit one device, cut at devices like the model-parallel variant.
/// Includes a description.

#include <string>
#include <vector>

#include "engine/run/measure/variant_run.h"
#include "engine/run/proof/reference.h"

namespace stagelane::run {

struct ReferencePlace {
  std::vector<ReferencePart> parts;
  std::string name;
};

/// @errors Invalid, DeviceMissing
[[nodiscard]] Result<ReferencePlace> placeReference(const plan::Experiment& experiment,
                                                    const VariantRun& run,
                                                    const std::vector<VariantRun>& runs,
                                                    WorkerPool& pool);

}  // namespace stagelane::run
