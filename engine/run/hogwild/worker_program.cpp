#include "engine/run/hogwild/worker_program.h"

#include <unistd.h>

#include <algorithm>

#include "engine/run/hogwild/worker.h"
#include "engine/run/step/precision.h"

namespace stagelane::run {
namespace {

const std::string kPointer = "/variants/0";

const plan::Variant* variantOf(const plan::Experiment& experiment) {
  const auto found =
      std::find_if(experiment.variants.begin(), experiment.variants.end(),
                   [](const plan::Variant& variant) { return variant.pointer == kPointer; });
  return found == experiment.variants.end() ? nullptr : &*found;
}

Status work(SharedState& shared, const HogwildWorkerArguments& arguments) {
  STAGELANE_TRY(experiment, readWorkerDocument(shared.document()));
  const plan::Variant* const variant = variantOf(*experiment);
  if (variant == nullptr) {
    return fail(ErrorCode::EngineFailure, "the experiment for the processes has no variant");
  }
  installAllocator(experiment->allocator);
  setProcessPrecision(experiment->precision);
  constexpr int kOwner = 1;
  HogwildWorker(*experiment, *variant, shared, arguments.process, [parent = arguments.parent] {
    return ::getppid() != parent;
  }).serve(kOwner);
  return {};
}

}  // namespace

std::string workerDocument(const plan::Experiment& experiment, const plan::Variant& variant) {
  Json document = experiment.source;
  Json own = document.at(Json::json_pointer(variant.pointer));
  own["include"] = true;
  document["variants"] = Json::array({std::move(own)});
  return document.dump();
}

Result<plan::Experiment> readWorkerDocument(const std::string& document) {
  STAGELANE_TRY(json, parseJson(document, "shared memory"));
  return plan::readExperiment(*json, ".", {});
}

int hogwildWorker(const HogwildWorkerArguments& arguments) {
  auto shared = SharedState::open(arguments.memory);
  if (!shared || arguments.process < 0 || arguments.process >= (*shared)->header().processes) {
    return static_cast<int>(ErrorCode::Usage);
  }
  const Status status = guarded("process " + std::to_string(arguments.process),
                                [&] { return work(**shared, arguments); });
  if (status) return 0;
  report((*shared)->slot(arguments.process), status.error());
  return static_cast<int>(status.error().code);
}

}  // namespace stagelane::run
