#include "engine/plan/experiment_keys.h"

#include <algorithm>

#include "engine/base/text.h"

namespace stagelane::plan {

const std::vector<std::string>& knownKeys(KeysOf object) {
  static const std::vector<std::string> experiment{"stagelane",
                                                   "name",
                                                   "model",
                                                   "input",
                                                   "data",
                                                   "loss",
                                                   "optimizer",
                                                   "devices",
                                                   "threads_per_cpu_worker",
                                                   "repeat",
                                                   "warmup",
                                                   "timing",
                                                   "precision",
                                                   "memory_format",
                                                   "task",
                                                   "verify_gradients",
                                                   "trace",
                                                   "allocator",
                                                   "batch_norm",
                                                   "clip_grad_norm",
                                                   "stall_timeout_s",
                                                   "baseline_sweep",
                                                   "early_stop",
                                                   "skip_out_of_memory",
                                                   "print_sizes",
                                                   "variants"};
  static const std::vector<std::string> input{"shape", "dtype"};
  static const std::vector<std::string> data{"kind",    "labels",  "batch_size",
                                             "batches", "samples", "seed"};
  static const std::vector<std::string> optimizer{"kind",         "lr",    "momentum",
                                                  "weight_decay", "betas", "eps"};
  static const std::vector<std::string> device{"id",   "max_memory", "auto",
                                               "like", "speed",      "count"};
  static const std::vector<std::string> variant{
      "id",          "name",      "include",   "strategy",        "device",
      "placement",   "stages",    "schedule",  "split_size",      "chunks",
      "recompute",   "replicas",  "bucket_mb", "first_bucket_mb", "gradient_as_bucket_view",
      "find_unused", "processes", "threads",   "updates"};
  switch (object) {
    case KeysOf::Experiment: return experiment;
    case KeysOf::Input: return input;
    case KeysOf::Data: return data;
    case KeysOf::Optimizer: return optimizer;
    case KeysOf::Device: return device;
    case KeysOf::Variant: break;
  }
  return variant;
}

Status checkKeys(const Json& value, KeysOf object, const std::string& pointer) {
  if (!value.is_object()) {
    return fail(ErrorCode::Invalid, "expected an object, found " + value.dump().substr(0, 60),
                pointer.empty() ? "/" : pointer);
  }
  const std::vector<std::string>& known = knownKeys(object);
  for (const auto& member : value.items()) {
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) continue;
    const std::string similar = nearest(member.key(), known);
    std::string hint = similar.empty() ? "" : "Did you mean \"" + similar + "\"? ";
    hint += "Known keys:";
    for (const std::string& key : known) hint += " " + key;
    return fail(ErrorCode::Invalid, "unknown key \"" + member.key() + "\"",
                childPointer(pointer, member.key()), std::move(hint));
  }
  return {};
}

}  // namespace stagelane::plan
