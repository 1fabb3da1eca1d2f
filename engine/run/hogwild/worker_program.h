#pragma once

/// A process of a Hogwild variant, from its arguments to its end. engine/run/engine.h has the
/// arguments.

#include "engine/run/engine.h"

namespace stagelane::run {

/// The document for the processes of a variant: the experiment with this variant alone.
[[nodiscard]] std::string workerDocument(const plan::Experiment& experiment,
                                         const plan::Variant& variant);

/// The experiment of that document; its variant is the one with the pointer `/variants/0`.
/// @errors as plan::readExperiment
[[nodiscard]] Result<plan::Experiment> readWorkerDocument(const std::string& document);

}  // namespace stagelane::run
