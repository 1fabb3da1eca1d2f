#include "engine/predict/what_if.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace stagelane::predict {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// `layer3` covers `layer3` and `layer3.0`, not `layer30`.
bool covers(std::string_view prefix, std::string_view block) {
  return block.substr(0, prefix.size()) == prefix &&
         (block.size() == prefix.size() || block[prefix.size()] == '.');
}

struct Change {
  std::string target;
  double factor = 1.0;
};

std::optional<double> factorOf(std::string_view text) {
  if (text.empty() || (text.front() != 'x' && text.front() != 'X')) return std::nullopt;
  double factor = 0.0;
  const auto parsed = std::from_chars(text.data() + 1, text.data() + text.size(), factor);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  if (!whole || !std::isfinite(factor) || factor < 0.0 || factor > 1e6) return std::nullopt;
  return factor;
}

/// `TARGET=free` or `TARGET xFACTOR`.
std::optional<Change> parse(std::string_view text) {
  text = trimmed(text);
  if (const auto equals = text.find('='); equals != std::string_view::npos) {
    if (trimmed(text.substr(equals + 1)) != "free") return std::nullopt;
    return Change{std::string(trimmed(text.substr(0, equals))), 0.0};
  }
  const auto blank = text.find_last_of(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const auto factor = factorOf(text.substr(blank + 1));
  if (!factor) return std::nullopt;
  return Change{std::string(trimmed(text.substr(0, blank))), *factor};
}

double* namedFactor(const std::string& target, WhatIf& whatIf) {
  if (target == "links") return &whatIf.links;
  if (target == "host") return &whatIf.host;
  return target == "contention" ? &whatIf.contention : nullptr;
}

bool changeDevice(const Change& change, const plan::Experiment& experiment, WhatIf& whatIf) {
  const auto& devices = experiment.devices;
  const bool known = std::any_of(devices.begin(), devices.end(), [&](const auto& device) {
    return device.id.value == change.target;
  });
  if (known) whatIf.devices.emplace_back(DeviceId{change.target}, change.factor);
  return known;
}

bool changeBlocks(const Change& change, const plan::Experiment& experiment, WhatIf& whatIf) {
  bool found = false;
  for (std::size_t i = 0; i < experiment.model->blocks.size(); ++i) {
    if (change.target.empty() || !covers(change.target, experiment.model->blocks[i].name)) continue;
    whatIf.blocks.emplace_back(i, change.factor);
    found = true;
  }
  return found;
}

tl::unexpected<Error> notUnderstood(std::string_view text, std::string message) {
  return fail(ErrorCode::Invalid, "--what-if: " + std::move(message), std::string(text),
              "Supported forms:\n" + std::string(whatIfForms()));
}

}  // namespace

double WhatIf::ofDevice(const DeviceId& device) const {
  double factor = 1.0;
  for (const auto& [id, change] : devices) factor *= id == device ? change : 1.0;
  return factor;
}

double WhatIf::ofBlock(std::size_t block) const {
  double factor = 1.0;
  for (const auto& [index, change] : blocks) factor *= index == block ? change : 1.0;
  return factor;
}

std::string_view whatIfForms() {
  return "  links=free      transfers take no time; 'links x2' makes them take twice as long\n"
         "  contention=free CPU workers do not slow each other down\n"
         "  host=free       no time between actions\n"
         "  cuda:1 x0.5     all computation on the device takes half the time (twice as fast)\n"
         "  layer3 x0.8     all actions of these blocks take 0.8 of their time\n"
         "The factor always multiplies times.";
}

Status addWhatIf(std::string_view text, const plan::Experiment& experiment, WhatIf& whatIf) {
  const auto change = parse(text);
  if (!change) return notUnderstood(text, "unknown form");
  if (double* factor = namedFactor(change->target, whatIf)) {
    *factor *= change->factor;
    return {};
  }
  if (changeDevice(*change, experiment, whatIf)) return {};
  if (changeBlocks(*change, experiment, whatIf)) return {};
  return notUnderstood(text,
                       "the experiment has no device or block named \"" + change->target + "\"");
}

}  // namespace stagelane::predict
