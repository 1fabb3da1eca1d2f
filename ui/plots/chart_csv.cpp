/// The tables behind the charts.

#include <array>
#include <sstream>

#include "engine/base/csv.h"
#include "ui/plots/chart_parts.h"

namespace stagelane::ui {
namespace {

void timeRows(std::ostream& out, const record::RunResult& run, bool withSplit) {
  for (const auto& variant : run.variants) {
    if (withSplit && variant.strategy != "pipeline") continue;
    for (std::size_t i = 0; i < variant.seconds.size(); ++i) {
      out << csvField(variant.id) << ',' << i + 1 << ",,";
      if (withSplit) out << variant.splitSize << ',' << csvField(variant.schedule) << ',';
      out << variant.seconds[i] << '\n';
    }
  }
}

void speedupRows(std::ostream& out, const record::RunResult& run) {
  for (const auto& variant : run.variants) {
    if (!variant.speedup) continue;
    out << csvField(variant.id) << ",,," << *variant.speedup << ',' << csvField(variant.speedupBase)
        << ',';
    if (variant.bound) out << variant.bound->speedup;
    out << ',';
    if (variant.speedupAllCores) out << *variant.speedupAllCores;
    out << '\n';
  }
}

void predictionRows(std::ostream& out, const record::RunResult& run) {
  for (const auto& variant : run.variants) {
    if (!detail::comparesPrediction(variant)) continue;
    out << csvField(variant.id) << ",median,," << variant.predicted->stepNs << ',' << variant.stepNs
        << ',' << variant.predicted->error << ',' << csvField(variant.predicted->basis) << '\n';
  }
}

constexpr std::array kWork{"forward", "backward", "backward_input", "backward_weight", "optimizer"};
constexpr std::array kCauses{"warmup",   "drain", "tail",        "starved",
                             "transfer", "host",  "unattributed"};

void idleRows(std::ostream& out, const record::RunResult& run) {
  for (const auto& variant : run.variants) {
    for (const auto& device : variant.devices) {
      out << csvField(variant.id) << ",median," << csvField(device.id) << ',' << device.busyNs;
      for (const char* kind : kWork) {
        const auto found = device.busy.find(kind);
        out << ',';
        if (found != device.busy.end()) out << found->second;
      }
      for (const char* cause : kCauses) {
        const auto found = device.idle.find(cause);
        out << ',' << (found == device.idle.end() ? 0 : found->second);
      }
      out << '\n';
    }
  }
}

}  // namespace

std::string chartCsv(ChartKind kind, const record::RunResult& run) {
  std::ostringstream out;
  out.precision(9);
  switch (kind) {
    case ChartKind::Time:
      out << "variant,repeat,device,time_s\n";
      timeRows(out, run, false);
      break;
    case ChartKind::Split:
      out << "variant,repeat,device,split_size_samples,schedule,time_s\n";
      timeRows(out, run, true);
      break;
    case ChartKind::Speedup:
      out << "variant,repeat,device,speedup_x,base,bound_x,speedup_all_cores_x\n";
      speedupRows(out, run);
      break;
    case ChartKind::Idle:
      out << "variant,repeat,device,busy_ns";
      for (const char* work : kWork) out << ',' << work << "_ns";
      for (const char* cause : kCauses) out << ',' << cause << "_ns";
      out << '\n';
      idleRows(out, run);
      break;
    case ChartKind::Prediction:
      out << "variant,repeat,device,predicted_step_ns,measured_step_ns,error_fraction,basis\n";
      predictionRows(out, run);
      break;
    case ChartKind::Memory:
      out << "variant,repeat,device,peak_bytes\n";
      for (const auto& variant : run.variants) {
        for (const auto& device : variant.devices) {
          out << csvField(variant.id) << ",," << csvField(device.id) << ',' << device.peakBytes
              << '\n';
        }
      }
      break;
  }
  return std::move(out).str();
}

}  // namespace stagelane::ui
