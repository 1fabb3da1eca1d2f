#include "ui/session/document/plan_edits.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "engine/base/find.h"
#include "engine/plan/rows.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/split_sizes.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

bool isPlaced(const plan::StrategyRow& row) { return !row.oneDevice && !row.replicates; }

/// Which strategies have a member of a variant.
struct MemberRule {
  std::string_view key;
  bool (*belongs)(const plan::StrategyRow& row);
  /// It means something else where replicas have the whole model, so a change of that removes it.
  bool followsKind = false;
};

constexpr std::string_view kReplicas = "replicas";
constexpr std::array<std::string_view, 4> kReduceMembers{"bucket_mb", "first_bucket_mb",
                                                         "gradient_as_bucket_view", "find_unused"};
const std::array kMemberRules{
    MemberRule{"device", [](const plan::StrategyRow& row) { return row.oneDevice; }},
    MemberRule{"placement", isPlaced},
    MemberRule{"stages", isPlaced},
    MemberRule{"schedule", [](const plan::StrategyRow& row) { return row.pipelined; }},
    MemberRule{"chunks", [](const plan::StrategyRow& row) { return row.pipelined; }},
    MemberRule{kReplicas, [](const plan::StrategyRow& row) { return row.pipelined; }},
    MemberRule{"split_size",
               [](const plan::StrategyRow& row) { return row.pipelined || row.replicates; }, true},
    MemberRule{"processes", [](const plan::StrategyRow& row) { return row.asynchronous; }},
    MemberRule{"threads", [](const plan::StrategyRow& row) { return row.asynchronous; }},
    MemberRule{"updates", [](const plan::StrategyRow& row) { return row.asynchronous; }},
};

void eraseForeign(Json& variant, const plan::StrategyRow& before, const plan::StrategyRow& after) {
  const bool sameKind = before.replicates == after.replicates;
  for (const MemberRule& rule : kMemberRules) {
    const bool keeps = rule.belongs(after) && (sameKind || !rule.followsKind);
    if (!keeps) variant.erase(std::string(rule.key));
  }
  // The schedule of a strategy that has only one is not a choice to keep.
  if (!before.pipelined) variant.erase("schedule");
  const bool reduces =
      (before.replicates && after.replicates) || (before.pipelined && after.pipelined);
  for (const std::string_view key : kReduceMembers) {
    if (!reduces) variant.erase(std::string(key));
  }
}

/// The group of a device; the device alone if it has none.
plan::DeviceGroup groupOf(const std::vector<plan::DeviceGroup>& groups, const DeviceId& first) {
  const auto* found =
      findIf(groups, [&](const plan::DeviceGroup& group) { return group.first() == first; });
  return found == nullptr ? plan::DeviceGroup(first) : *found;
}

bool usesOneDevice(const PlanShape& shape) {
  return std::all_of(shape.deviceOfBlock.begin(), shape.deviceOfBlock.end(),
                     [&](const DeviceId& device) { return device == shape.deviceOfBlock.front(); });
}

/// True if a cut separates two blocks of one device, which only `stages` can express.
bool hasCutsInsideADevice(const PlanShape& shape) {
  for (std::size_t block = 1; block < shape.deviceOfBlock.size(); ++block) {
    if (shape.stageBegins[block] && shape.deviceOfBlock[block] == shape.deviceOfBlock[block - 1]) {
      return true;
    }
  }
  return false;
}

void setPlacement(Json& variant, const model::Model& model, const PlanShape& shape) {
  variant.erase("device");
  variant.erase("placement");
  variant.erase("stages");
  // With `replicas`, the reader finds the devices of the other replicas.
  const bool lists = !shape.groups.empty() && strategyOf(variant).pipelined &&
                     !variant.contains(std::string(kReplicas));
  if (lists || hasCutsInsideADevice(shape)) {
    std::vector<plan::Stage> stages = stagesOf(shape);
    for (plan::Stage& stage : stages) {
      if (lists) stage.group = groupOf(shape.groups, stage.group.first());
    }
    variant["stages"] = plan::stagesToJson(model, stages);
  } else {
    variant["placement"] = plan::placementOf(model, shape.deviceOfBlock);
  }
}

/// Leaves the device of the first replica where stages list one for each.
void withoutReplicas(Json& variant) {
  variant.erase(std::string(kReplicas));
  const auto stages = variant.find("stages");
  if (stages == variant.end() || !stages->is_array()) return;
  for (Json& stage : *stages) {
    const bool lists = stage.is_object() && stage.contains("device") &&
                       stage["device"].is_array() && !stage["device"].empty();
    if (lists) stage["device"] = Json(stage["device"].front());
  }
}

bool isAuto(const Json& device) { return device.is_object() && device.contains("auto"); }

/// Whether the document leaves the choice of devices to the machine.
bool hasAutoDevices(const Json& document) {
  const auto devices = document.find("devices");
  if (devices == document.end()) return false;
  return isAuto(*devices) ||
         (devices->is_array() && std::any_of(devices->begin(), devices->end(), isAuto));
}

std::int64_t defaultSplit(const Json& document) {
  std::int64_t batch = 1;
  if (document.contains("data") && document["data"].is_object()) {
    const Json size = document["data"].value("batch_size", Json(1));
    batch = size.is_number_integer() ? size.get<std::int64_t>() : 1;
  }
  return firstSplitSize(batch);
}

std::string nameOf(const Json& variant) { return textMember(variant, "name"); }

bool nameTaken(const Json& variants, const std::string& name) {
  return std::any_of(variants.begin(), variants.end(),
                     [&](const Json& variant) { return nameOf(variant) == name; });
}

/// `stem`, with a number appended if a variant has that name.
std::string freeName(const Json& variants, const std::string& stem) {
  std::string name = stem;
  for (int number = 2; nameTaken(variants, name); ++number) {
    name = stem + " " + std::to_string(number);
  }
  return name;
}

/// Calls `act` on each variant whose placement is a reference to `meant`.
template <class Act>
void forReferencesTo(Json& variants, const Json& meant, Act act) {
  for (Json& variant : variants) {
    const auto reference = referenceIn(textMember(variant, "placement"));
    const bool toIt = reference && !reference->empty() &&
                      (*reference == nameOf(meant) || *reference == textMember(meant, "id"));
    if (toIt) act(variant);
  }
}

}  // namespace

std::size_t nearestBoundary(const PlanShape& shape, std::size_t block) {
  std::size_t nearest = 0;
  const auto distance = [&](std::size_t at) { return at > block ? at - block : block - at; };
  for (std::size_t at = 1; at < shape.stageBegins.size(); ++at) {
    if (shape.stageBegins[at] && (nearest == 0 || distance(at) < distance(nearest))) nearest = at;
  }
  return nearest;
}

plan::DeviceGroup replicasOfBlock(const PlanShape& shape, std::size_t block) {
  return groupOf(shape.groups, shape.deviceOfBlock[block]);
}

const DeviceId& firstReplicaOf(const PlanShape& shape, const DeviceId& device) {
  const auto* found =
      findIf(shape.groups, [&](const plan::DeviceGroup& group) { return group.contains(device); });
  return found == nullptr ? device : found->first();
}

PlanShape shapeOf(const std::vector<plan::Stage>& stages, std::size_t blockCount) {
  PlanShape shape;
  shape.deviceOfBlock = plan::deviceOfEachBlock(stages, blockCount);
  shape.stageBegins.assign(blockCount, false);
  for (const plan::Stage& stage : stages) {
    if (stage.firstBlock < blockCount) shape.stageBegins[stage.firstBlock] = true;
    if (stage.group.size() > 1 && !contains(shape.groups, stage.group)) {
      shape.groups.push_back(stage.group);
    }
  }
  return shape;
}

std::vector<plan::Stage> stagesOf(const PlanShape& shape) {
  std::vector<plan::Stage> stages;
  for (std::size_t block = 0; block < shape.deviceOfBlock.size(); ++block) {
    if (block == 0 || shape.stageBegins[block]) {
      stages.push_back({block, block, shape.deviceOfBlock[block]});
    }
    stages.back().lastBlock = block;
  }
  return stages;
}

PlanShape moved(const PlanShape& shape, const std::vector<std::size_t>& blocks,
                const DeviceId& device) {
  PlanShape after = shape;
  for (const std::size_t block : blocks) after.deviceOfBlock[block] = device;
  for (std::size_t block = 1; block < after.deviceOfBlock.size(); ++block) {
    const bool changes = after.deviceOfBlock[block] != after.deviceOfBlock[block - 1];
    const bool changed = shape.deviceOfBlock[block] != shape.deviceOfBlock[block - 1];
    const bool explicitCut = shape.stageBegins[block] && !changed;
    after.stageBegins[block] = changes || explicitCut;
  }
  return after;
}

namespace {

/// The next device after `from`, cyclically, that has no block.
std::optional<DeviceId> nextUnused(const PlanShape& shape, const DeviceId& from,
                                   const std::vector<DeviceId>& devices) {
  std::vector<DeviceId> order = devices;
  if (const auto here = std::find(order.begin(), order.end(), from); here != order.end()) {
    std::rotate(order.begin(), here, order.end());
  }
  const auto& used = shape.deviceOfBlock;
  const auto* found =
      findIf(order, [&](const DeviceId& device) { return !contains(used, device); });
  return found == nullptr ? std::nullopt : std::optional(*found);
}

}  // namespace

PlanShape cutBefore(const PlanShape& shape, std::size_t block,
                    const std::vector<DeviceId>& devices) {
  PlanShape after = shape;
  if (shape.stageBegins[block]) return after;
  after.stageBegins[block] = true;
  if (const auto unused = nextUnused(shape, shape.deviceOfBlock[block], devices)) {
    for (std::size_t at = block; at < shape.stageBegins.size() && !shape.stageBegins[at]; ++at) {
      after.deviceOfBlock[at] = *unused;
    }
    return after;
  }
  const std::size_t nearest = nearestBoundary(shape, block);
  if (nearest == 0) return shape;
  const DeviceId before = shape.deviceOfBlock[nearest - 1];
  const DeviceId behind = shape.deviceOfBlock[nearest];
  for (std::size_t at = nearest; at < block; ++at) after.deviceOfBlock[at] = before;
  for (std::size_t at = block; at < nearest; ++at) after.deviceOfBlock[at] = behind;
  after.stageBegins[nearest] = false;
  return after;
}

PlanShape evenlyCut(const std::vector<double>& weights, const std::vector<DeviceId>& devices) {
  PlanShape shape;
  double total = 0.0;
  for (const double weight : weights) total += weight;
  double sum = 0.0;
  for (const double weight : weights) {
    const double middle = sum + weight / 2.0;
    sum += weight;
    const double share = total > 0.0 ? middle / total : 0.0;
    const auto part = static_cast<std::size_t>(share * static_cast<double>(devices.size()));
    const DeviceId device =
        devices.empty() ? DeviceId{} : devices[std::min(part, devices.size() - 1)];
    shape.stageBegins.push_back(shape.deviceOfBlock.empty() ||
                                shape.deviceOfBlock.back() != device);
    shape.deviceOfBlock.push_back(device);
  }
  return shape;
}

Json withShape(Json document, std::size_t index, const model::Model& model,
               const PlanShape& shape) {
  Json& variant = document["variants"][index];
  if (strategyOf(variant).replicates) return document;
  if (strategyOf(variant).oneDevice) {
    if (usesOneDevice(shape)) {
      variant.erase("placement");
      variant.erase("stages");
      variant["device"] = shape.deviceOfBlock.front().value;
      return document;
    }
    return withStrategy(std::move(document), index, plan::wholeBatchStrategy(), model, shape);
  }
  setPlacement(variant, model, shape);
  return document;
}

Json withStages(Json document, std::size_t index, const model::Model& model,
                const std::vector<plan::Stage>& stages) {
  Json& variant = document["variants"][index];
  for (const char* key : {"device", "placement", "stages", "chunks"}) variant.erase(key);
  const bool replicated = !plan::stageRowsOf(stages).areSingle();
  // The stages list the devices of their replicas.
  if (replicated) variant.erase(std::string(kReplicas));
  if (replicated || plan::rowsOf(stages).size() < stages.size()) {
    variant["stages"] = plan::stagesToJson(model, stages);
  } else {
    variant["placement"] =
        plan::placementOf(model, plan::deviceOfEachBlock(stages, model.blocks.size()));
  }
  return document;
}

Json withStrategy(Json document, std::size_t index, const plan::StrategyRow& strategy,
                  const model::Model& model, const PlanShape& shape) {
  const std::int64_t split = defaultSplit(document);
  Json& variant = document["variants"][index];
  const plan::StrategyRow& before = strategyOf(variant);
  const bool placed =
      isPlaced(before) && (variant.contains("placement") || variant.contains("stages"));
  variant["strategy"] = strategy.name;
  eraseForeign(variant, before, strategy);
  if (strategy.oneDevice) {
    variant["device"] = shape.deviceOfBlock.empty() ? "" : shape.deviceOfBlock.front().value;
    return document;
  }
  if (strategy.replicates) return document;
  if (!placed) setPlacement(variant, model, shape);
  if (!strategy.pipelined) {
    withoutReplicas(variant);
    return document;
  }
  if (!variant.contains("schedule")) variant["schedule"] = strategy.schedule;
  if (!variant.contains("split_size")) variant["split_size"] = split;
  return document;
}

std::optional<QString> placementRefusal(const plan::StrategyRow& strategy, const PlanShape& shape) {
  if (strategy.replicates) {
    return QObject::tr("%1 has the whole model on every device")
        .arg(QObject::tr(strategy.title.data()));
  }
  if (strategy.asynchronous && !usesOneDevice(shape)) {
    return QObject::tr("%1 has the whole model in every process, on one device")
        .arg(QObject::tr(strategy.title.data()));
  }
  return std::nullopt;
}

PlanShape shapeForReplicas(const PlanShape& shape, const std::vector<double>& weights,
                           const std::vector<DeviceId>& devices, std::size_t replicas) {
  PlanShape after = shape;
  after.groups.clear();
  if (replicas < 1 || plan::rowsOf(stagesOf(after)).size() * replicas <= devices.size()) {
    return after;
  }
  const std::size_t each = devices.size() / replicas;
  const std::vector<DeviceId> first(devices.begin(),
                                    devices.begin() + static_cast<std::ptrdiff_t>(each));
  return evenlyCut(weights, first);
}

Json withReplicas(Json document, std::size_t index, std::int64_t replicas,
                  const model::Model& model, const std::optional<PlanShape>& shape) {
  Json& variant = document["variants"][index];
  withoutReplicas(variant);
  if (replicas > 1) {
    variant[std::string(kReplicas)] = replicas;
  } else {
    for (const std::string_view key : kReduceMembers) variant.erase(std::string(key));
  }
  if (shape) setPlacement(variant, model, *shape);
  return document;
}

Json withDeviceNumbers(Json document, std::size_t index, const std::vector<DeviceId>& devices) {
  if (!hasAutoDevices(document)) return document;
  forEachDevice(document["variants"][index], [&devices](Json& name) {
    for (std::size_t at = 0; at < devices.size(); ++at) {
      if (name == devices[at].value) {
        name = "#" + std::to_string(at);
        return;
      }
    }
  });
  return document;
}

Json withVariantMember(Json document, std::size_t index, const std::string& key, Json value) {
  document["variants"][index][key] = std::move(value);
  return document;
}

Json withMember(Json document, const std::vector<std::string>& path, Json value) {
  Json* place = &document;
  for (const std::string& key : path) {
    if (!place->is_object()) {
      *place = Json::object();  // what is here could not be read anyway
    }
    place = &(*place)[key];
  }
  *place = std::move(value);
  return document;
}

Json withRenamedVariant(Json document, std::size_t index, const QString& name) {
  Json& variants = document["variants"];
  const Json before = variants[index];
  variants[index]["name"] = utf8(name);
  forReferencesTo(variants, before,
                  [&](Json& variant) { variant["placement"] = sameAs(utf8(name)); });
  return document;
}

Json withVariantNamed(Json document, std::size_t index, const QString& name) {
  Json& variants = document["variants"];
  variants[index]["name"] = "";
  variants[index]["name"] = freeName(variants, utf8(name));
  return document;
}

Json withDuplicatedVariant(Json document, std::size_t index) {
  Json& variants = document["variants"];
  Json copy = variants[index];
  copy.erase("id");
  copy["name"] = freeName(variants, nameOf(copy) + " copy");
  variants.insert(variants.begin() + static_cast<std::ptrdiff_t>(index) + 1, std::move(copy));
  return document;
}

Json withoutVariant(Json document, std::size_t index) {
  Json& variants = document["variants"];
  const Json gone = variants[index];
  variants.erase(index);
  forReferencesTo(variants, gone, [&](Json& variant) {
    variant.erase("placement");
    for (const char* key : {"placement", "stages"}) {
      if (gone.contains(key)) variant[key] = gone[key];
    }
  });
  return document;
}

QString blocksText(const model::Model& model, const std::vector<std::size_t>& blocks) {
  QStringList parts;
  for (std::size_t at = 0; at < blocks.size();) {
    std::size_t end = at;
    while (end + 1 < blocks.size() && blocks[end + 1] == blocks[end] + 1) ++end;
    parts.append(
        rangeText(qstring(model.blocks[blocks[at]].name), qstring(model.blocks[blocks[end]].name)));
    at = end + 1;
  }
  return parts.size() <= 3 ? parts.join(u", "_s)
                           : countedText(static_cast<std::int64_t>(blocks.size()),
                                         QObject::tr("block"), QObject::tr("blocks"));
}

}  // namespace stagelane::ui
