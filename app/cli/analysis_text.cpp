#include "app/cli/analysis_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/terminal/console.h"
#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/base/visible_text.h"
#include "engine/trace/middle_steps.h"
#include "profiler/analysis/analyzer.h"
#include "profiler/analysis/idle.h"
#include "profiler/analysis/launches.h"
#include "profiler/analysis/layers.h"

namespace stagelane::app {
namespace {

using Table = std::vector<std::vector<std::string>>;

constexpr double kPercent = 100.0;

std::string percent(TimeNs part, TimeNs whole) {
  return humanPercent(whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0);
}

/// "-" for a figure that HTA does not have.
std::string cell(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_number_float()) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value.get<double>());
    return text.data();
  }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

using Columns = std::initializer_list<std::pair<const char*, const char*>>;

std::string rowsTable(const Json& rows, Columns columns) {
  Table table(1);
  for (const auto& [key, title] : columns) table.front().emplace_back(title);
  for (const Json& row : rows) {
    table.emplace_back();
    for (const auto& [key, title] : columns) table.back().push_back(cell(row.at(key)));
  }
  return formatTable(table);
}

/// One part, or why it is missing.
template <class Write>
std::string section(const std::string& title, const Json& part, Write write) {
  std::string text = title + "\n";
  if (part.is_null()) return text + "Not available: HTA returns nothing for this file.\n\n";
  if (part.contains("exception")) {
    return text + "HTA raises " + part.at("exception").get<std::string>() + ": " +
           visible(part.at("message").get<std::string>()) + "\n\n";
  }
  return text + write(part) + "\n";
}

std::string htaParts(const Json& parts) {
  std::string text = section("Temporal breakdown", parts.at("temporal"), [](const Json& part) {
    return formatTable({{"", "idle", "compute", "non-compute", "kernel time"},
                        {"us", cell(part.at("idle_time_us")), cell(part.at("compute_time_us")),
                         cell(part.at("non_compute_time_us")), cell(part.at("kernel_time_us"))},
                        {"%", cell(part.at("idle_time_pctg")), cell(part.at("compute_time_pctg")),
                         cell(part.at("non_compute_time_pctg")), "100"}});
  });
  text +=
      section("Communication hidden behind computation", parts.at("overlap"), [](const Json& part) {
        const Json& share = part.at("comp_comm_overlap_pctg");
        return share.is_null() ? std::string("no communication\n") : cell(share) + " %\n";
      });
  text += section("Idle time by stream", parts.at("idle"), [](const Json& part) {
    return rowsTable(part.at("rows"), {{"stream", "stream"},
                                       {"category", "category"},
                                       {"idle_time_us", "us"},
                                       {"idle_time_ratio", "ratio"}});
  });
  return text + section("Queue length by stream", parts.at("queue"), [](const Json& part) {
           return rowsTable(part.at("rows"), {{"stream", "stream"},
                                              {"count", "changes"},
                                              {"mean", "mean"},
                                              {"std", "std"},
                                              {"min", "min"},
                                              {"25%", "25 %"},
                                              {"50%", "50 %"},
                                              {"75%", "75 %"},
                                              {"max", "max"}});
         });
}

/// "62 % cuda:0, 38 % cuda:1", largest first, without shares below half a percent.
std::string sharesText(const std::map<std::string, TimeNs>& parts) {
  std::vector<std::pair<std::string, TimeNs>> sorted(parts.begin(), parts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& left, const auto& right) { return left.second > right.second; });
  std::vector<TimeNs> times;
  for (const auto& [name, timeNs] : sorted) times.push_back(timeNs);
  const std::vector<double> shares = roundedPercentages(times, 0);
  std::string text;
  for (std::size_t index = 0; index < sorted.size(); ++index) {
    if (shares[index] > 0.0) {
      text += (text.empty() ? "" : ", ") + std::to_string(std::lround(shares[index])) + " % " +
              sorted[index].first;
    }
  }
  return text.empty() ? "nothing" : text;
}

std::string pathText(const trace::Trace& trace, const std::vector<analysis::PathPiece>& path) {
  std::map<std::string, TimeNs> devices;
  std::map<std::string, TimeNs> causes;
  for (const analysis::PathPiece& piece : path) {
    devices[trace.devices().at(static_cast<std::size_t>(piece.device))] +=
        piece.endNs - piece.startNs;
    causes[std::string(analysis::word(piece.cause))] += piece.endNs - piece.startNs;
  }
  return visible("Critical path: " + sharesText(devices) + "; " + sharesText(causes)) + "\n";
}

std::string transferText(const trace::Trace& trace, const analysis::Analyzer& analyzer,
                         const analysis::StepBreakdown& step) {
  std::string text;
  for (std::size_t device = 0; device < step.devices.size(); ++device) {
    const analysis::TransferOverlap overlap = analyzer.transferOverlap(step, device);
    if (overlap.totalNs() > 0) {
      text += visible(trace.devices()[device]) + " transfers data for " +
              humanTime(static_cast<double>(overlap.totalNs())) + ", " +
              percent(overlap.hiddenNs, overlap.totalNs()) + " of it overlapped with compute\n";
    }
  }
  return text;
}

std::string launchText(const trace::Trace& trace, const analysis::StepBreakdown& step) {
  const analysis::LaunchTable table(trace);
  std::string text;
  for (std::size_t device = 0; device < step.devices.size(); ++device) {
    const analysis::Launches launches = table.of(step.step, device);
    if (launches.count > 0) {
      text += visible(trace.devices()[device]) + ": " + std::to_string(launches.count) +
              " launches, median delay " + humanTime(static_cast<double>(launches.medianDelayNs)) +
              ", longest " + humanTime(static_cast<double>(launches.mostDelayNs)) + "; up to " +
              std::to_string(launches.longestQueue) + " waiting in a stream\n";
    }
  }
  return text;
}

/// The twelve slowest layers, if layers were recorded.
std::string layersText(const trace::Trace& trace, const analysis::Analyzer& analyzer) {
  constexpr std::size_t kMost = 12;
  const std::optional<analysis::LayerTimes> times = analysis::layerTimes(trace, analyzer);
  if (!times) return "";
  std::vector<analysis::LayerTime> rows = times->rows;
  std::stable_sort(rows.begin(), rows.end(), [](const auto& left, const auto& right) {
    return left.totalNs() > right.totalNs();
  });
  Table table{{"layer", "device", "forward", "backward", "share", "on the critical path"}};
  for (std::size_t row = 0; row < std::min(kMost, rows.size()); ++row) {
    const analysis::LayerTime& layer = rows[row];
    table.push_back(
        {std::string(layer.name), trace.devices().at(static_cast<std::size_t>(layer.device)),
         humanTime(static_cast<double>(layer.forwardNs)),
         humanTime(static_cast<double>(layer.backwardNs)), percent(layer.totalNs(), times->busyNs),
         percent(layer.criticalNs, times->criticalBusyNs)});
  }
  const std::string more = rows.size() > kMost ? "and " + std::to_string(rows.size() - kMost) +
                                                     " more layers (use --json for all)\n"
                                               : "";
  return "\nLayers of a step recorded in depth" +
         std::string(times->step.extra ? " (in an extra repeat)" : "") + "\n" + formatTable(table) +
         more;
}

std::string stragglerText(const trace::Trace& trace, const analysis::StepBreakdown& step) {
  const analysis::Straggler straggler = analysis::stragglerOf(step);
  return straggler.device < 0
             ? ""
             : "Other devices wait most for " +
                   visible(trace.devices().at(static_cast<std::size_t>(straggler.device))) + ": " +
                   humanTime(static_cast<double>(straggler.waitedNs)) + "\n";
}

/// Names the step shown: the median, or the faster of the two middle steps.
std::string shownStepText(const trace::Trace& trace, const std::vector<trace::Step>& steps,
                          TimeNs shownNs) {
  const TimeNs statedNs = trace::statedMedianNs(trace);
  const std::string takes = humanTime(static_cast<double>(shownNs));
  if (statedNs == 0 && trace::middleSteps(steps).size() < 2) return "the median takes " + takes;
  const TimeNs medianNs = statedNs > 0 ? statedNs : trace::medianDurationNs(steps);
  return "the median is " + humanTime(static_cast<double>(medianNs)) +
         ", between two steps; shown is the faster one, " + takes;
}

}  // namespace

std::string breakdownText(const trace::Trace& trace) {
  const std::vector<trace::Step> steps = analysis::stepsOf(trace);
  if (steps.empty()) return "The trace has no steps: it contains no compute.\n";
  const analysis::Analyzer analyzer(trace);
  const analysis::StepBreakdown step = analyzer.breakDown(steps[analysis::medianStep(steps)]);
  Table rows{{"device"}};
  for (std::size_t cause = 0; cause < analysis::kCauseCount; ++cause) {
    const auto kind = static_cast<analysis::Cause>(cause);
    const bool present =
        std::any_of(step.devices.begin(), step.devices.end(),
                    [cause, &analyzer](const analysis::DeviceStep& device) {
                      return device.causeNs[cause] > 0 &&
                             !analyzer.isHost(static_cast<std::size_t>(device.device));
                    });
    if (present) rows.front().emplace_back(analysis::word(kind));
  }
  std::string sentences;
  for (std::size_t i = 0; i < step.devices.size(); ++i) {
    const analysis::DeviceStep& device = step.devices[i];
    if (analyzer.isHost(i)) continue;
    rows.push_back({trace.devices().at(static_cast<std::size_t>(device.device))});
    const std::vector<double> shares =
        roundedPercentages({device.causeNs.begin(), device.causeNs.end()}, 1);
    for (std::size_t cause = 0; cause < analysis::kCauseCount; ++cause) {
      const std::string_view title = analysis::word(static_cast<analysis::Cause>(cause));
      if (contains(rows.front(), title)) {
        rows.back().push_back(humanPercent(shares[cause] / kPercent));
      }
    }
    sentences += visible(analysis::idleSentence(trace, step, i)) + "\n";
  }
  return std::to_string(steps.size()) + (steps.size() == 1 ? " step" : " steps") + "; " +
         shownStepText(trace, steps, step.wallNs()) + "\n\n" + formatTable(rows) + "\n" +
         sentences + pathText(trace, analyzer.criticalPath(step)) + stragglerText(trace, step) +
         transferText(trace, analyzer, step) + launchText(trace, step) +
         layersText(trace, analyzer);
}

std::string htaText(const Json& answer) {
  if (answer.contains("load")) {
    return "HTA cannot load this file: it raises " +
           answer.at("load").at("exception").get<std::string>() + " (" +
           visible(answer.at("load").at("message").get<std::string>()) + ")\n";
  }
  std::string text = htaParts(answer);
  if (answer.contains("per_device")) {
    for (const auto& [device, parts] : answer.at("per_device").items()) {
      text += "\nDevice " + visible(device) + " only\n\n" + htaParts(parts);
    }
  }
  return text;
}

}  // namespace stagelane::app
