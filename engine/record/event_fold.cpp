// Folds event lines into results. Lines come from a file that may be truncated or edited, so the
// type of every member is checked; a damaged event has no effect.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/base/find.h"
#include "engine/base/text_member.h"
#include "engine/record/failure_json.h"
#include "engine/record/older_versions.h"
#include "engine/record/run_record.h"

namespace stagelane::record {
namespace {

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

// The reason why a variant in progress at the end of the run has no further repeats.
std::string endedReason(RunStatus status, const std::string& reason, std::size_t measured) {
  const std::string kept = measured == 0   ? "before the first repeat"
                           : measured == 1 ? "after 1 repeat"
                                           : "after " + std::to_string(measured) + " repeats";
  if (status == RunStatus::Canceled) return "canceled " + kept;
  return reason.empty() ? "the run ended " + kept : "ended " + kept + ": " + reason;
}

/// Updating statistics costs time proportional to the repeats; with many repeats they are updated
/// only occasionally during a run, and at its end.
constexpr std::size_t kAlwaysUpToDate = 256;
constexpr std::size_t kNowAndThen = 64;

void endVariants(RunResult& run) {
  for (VariantResult& variant : run.variants) {
    if (variant.seconds.size() > kAlwaysUpToDate) fillStatistics(variant);
    if (variant.status == RunStatus::Running) {
      variant.status = run.status == RunStatus::Canceled ? RunStatus::Canceled : RunStatus::Failed;
      variant.reason = endedReason(run.status, run.reason, variant.seconds.size());
      variant.failure = run.failure;
    }
  }
}

/// Derives the kind from the code if the code has only one kind.
Failure failureOfOlder(const Error& error) {
  Failure failure = failureInSentence(describe(error));
  if (error.code != ErrorCode::EngineFailure && error.code != ErrorCode::CannotWrite) {
    failure.kind = FailureKind::Unknown;
  }
  return failure;
}

}  // namespace

void fillStatistics(VariantResult& result) {
  result.meanS = result.stdS = result.medianS = 0.0;
  if (result.seconds.empty()) return;
  const auto count = static_cast<double>(result.seconds.size());
  double sum = 0.0;
  for (const double value : result.seconds) sum += value;
  result.meanS = sum / count;
  double squares = 0.0;
  for (const double value : result.seconds) {
    squares += (value - result.meanS) * (value - result.meanS);
  }
  result.stdS = std::sqrt(squares / count);
  result.medianS = medianOf(result.seconds);
}

Json startedMembers(const RunResult& plan) {
  Json variants = Json::array();
  for (const VariantResult& variant : plan.variants) variants.push_back(toJson(variant));
  Json run{{"name", plan.name}, {"timing", plan.timing}};
  if (plan.ranks > 0) run["ranks"] = plan.ranks;
  return {{"run", std::move(run)}, {"variants", std::move(variants)}, {"devices", plan.devices}};
}

Json variantDoneMembers(const VariantResult& result) {
  return {{"variant", result.id}, {"status", word(result.status)}, {"result", toJson(result)}};
}

Json errorMembers(const Error& error) {
  const Failure failure = failureOf(error);
  Json members{{"code", static_cast<int>(error.code)},
               {"message", error.message},
               {"context", error.context},
               {"hint", error.hint},
               {"failure", failureToJson(failure)}};
  if (failure.rank >= 0) {
    for (const char* key : {"rank", "host", "device", "stage", "action"}) {
      if (members["failure"].contains(key)) members[key] = members["failure"][key];
    }
    members["reason"] = error.message;
  }
  return members;
}

Error errorFromEvent(const Json& event) {
  Error error;
  if (!event.is_object()) return error;
  const auto code = event.find("code");
  if (code != event.end() && code->is_number_integer()) {
    const auto value = code->get<std::int64_t>();
    if (value >= static_cast<int>(ErrorCode::Usage) &&
        value <= static_cast<int>(ErrorCode::CannotWrite)) {
      error.code = static_cast<ErrorCode>(value);
    }
  }
  error.message = textMember(event, "message");
  error.context = textMember(event, "context");
  error.hint = textMember(event, "hint");
  if (const auto failure = event.find("failure"); failure != event.end()) {
    error.failure = failureFromJson(*failure).value_or(Failure{});
  } else {
    error.failure = failureOfOlder(error);
  }
  return error;
}

VariantResult& EventFold::variant(const std::string& id) {
  if (auto* known = findBy(m_result.variants, &VariantResult::id, id)) return *known;
  VariantResult& added = m_result.variants.emplace_back();
  added.id = id;
  added.name = id;
  added.placement = Json::object();
  return added;
}

namespace {

/// The processes that were asked for; 0 without the member, or if it is damaged.
int ranksIn(const Json& run) {
  const auto ranks = run.find("ranks");
  return ranks != run.end() && ranks->is_number_integer() ? std::max(0, ranks->get<int>()) : 0;
}

}  // namespace

void EventFold::applyStarted(const Json& event) {
  m_madeIn = textMember(event, "folder");
  const auto run = event.find("run");
  if (run != event.end() && run->is_object()) {
    m_result.name = textMember(*run, "name");
    m_result.timing = textMember(*run, "timing");
    m_result.ranks = ranksIn(*run);
  }
  if (const auto devices = event.find("devices"); devices != event.end() && devices->is_array()) {
    for (const Json& device : *devices) m_result.devices.push_back(device.get<std::string>());
  }
  if (const auto variants = event.find("variants"); variants != event.end()) {
    for (const Json& json : *variants) {
      if (auto read = variantResultFromJson(json)) variant(read->id) = *read;
    }
  }
}

void EventFold::applyMeasurement(const Json& event) {
  VariantResult& measured = variant(event.at("variant").get<std::string>());
  measured.seconds.push_back(event.at("seconds").get<double>());
  const std::size_t count = measured.seconds.size();
  if (count <= kAlwaysUpToDate || count % kNowAndThen == 0) fillStatistics(measured);
}

void EventFold::applyVariantDone(const Json& event) {
  VariantResult& known = variant(event.at("variant").get<std::string>());
  std::vector<double> seconds = known.seconds;
  if (const auto result = event.find("result"); result != event.end()) {
    if (auto read = variantResultFromJson(*result); read && read->id == known.id) known = *read;
  }
  if (known.seconds.size() < seconds.size()) {
    known.seconds = std::move(seconds);
    fillStatistics(known);
  }
  if (const auto status = runStatusFromWord(textMember(event, "status"))) known.status = *status;
}

void EventFold::applyFinished(const Json& event) {
  if (m_final) {
    return;  // later events do not undo an error
  }
  const std::string folder = m_result.folder;
  if (const auto result = event.find("result"); result != event.end()) {
    if (auto read = runResultFromJson(*result); read && read->status != RunStatus::Running) {
      m_result = *read;
      m_result.folder = folder;
      m_final = true;
      return;
    }
  }
  end(RunStatus::Done);
}

void EventFold::applyResumed(const Json& event) {
  m_madeIn = textMember(event, "folder");
  m_final = false;
  m_canceling = false;
  m_result.status = RunStatus::Running;
  m_result.reason.clear();
  m_result.failure.reset();
  for (VariantResult& variant : m_result.variants) {
    if (variant.status == RunStatus::Canceled || variant.status == RunStatus::Failed) {
      variant.status = RunStatus::Running;
      variant.reason.clear();
      variant.failure.reset();
      variant.earlyStop.reset();
    }
  }
}

void EventFold::end(RunStatus status) {
  m_result.status = status;
  m_result.reason.clear();
  m_result.failure.reset();
  endVariants(m_result);
  m_final = true;
}

void EventFold::endFailed(const Error& error) {
  m_result.status = RunStatus::Failed;
  m_result.reason = describe(error);
  m_result.failure = failureOf(error);
  if (m_result.failure->kind == FailureKind::Killed && m_result.failure->variant.empty()) {
    // The process that kills an engine cannot tell which variant is running.
    m_result.failure->variant = m_turnOf;
  }
  endVariants(m_result);
  m_final = true;
}

void EventFold::apply(const Json& event) {
  if (!event.is_object()) return;
  const std::string name = textMember(event, "event");
  try {
    if (name == "started") {
      applyStarted(event);
    } else if (name == "progress") {
      m_turnOf = textMember(event, "variant");
    } else if (name == "measurement") {
      applyMeasurement(event);
    } else if (name == "variant_done") {
      applyVariantDone(event);
    } else if (name == "finished") {
      applyFinished(event);
    } else if (name == "error") {
      endFailed(errorFromEvent(event));
    } else if (name == "canceled") {
      end(RunStatus::Canceled);
    } else if (name == "resumed") {
      applyResumed(event);
    } else if (name == "warning") {
      m_canceling = m_canceling || textMember(event, "code") == "canceling";
    }
  } catch (const nlohmann::json::exception&) {
    return;  // ignore a damaged event
  }
}

bool isResumable(const RunResult& run) {
  return run.status == RunStatus::Canceled || run.status == RunStatus::Failed;
}

RunResult EventFold::closed() const {
  if (m_final) return m_result;
  EventFold ended = *this;
  if (m_canceling) {
    ended.end(RunStatus::Canceled);
  } else {
    ended.endFailed(
        {ErrorCode::EngineFailure,
         "the run ended without a final event: the engine was killed, or the machine stopped",
         "",
         "",
         {FailureKind::Killed}});
  }
  return std::move(ended.m_result);
}

}  // namespace stagelane::record
