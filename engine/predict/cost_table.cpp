#include "engine/predict/cost_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <tuple>

#include "engine/plan/device.h"

namespace stagelane::predict {
namespace {

// Larger times (11 days), sizes (1 PB) and factors are mistakes, and sums could overflow.
constexpr double kLargest = 1e15;
constexpr double kLargestFactor = 100.0;
constexpr std::int64_t kMostSamples = 1'000'000'000;
constexpr std::string_view kBusy = " busy";

/// Reads one document and stops at the first problem.
class Reader {
 public:
  Result<CostTable> read(const Json& document);

 private:
  void readBlocks(const Json& list);
  BlockCosts readBlock(const Json& json, const std::string& pointer);
  std::vector<CostPoint> readPoints(const Json& list, const std::string& pointer, bool isLoss);
  CostPoint readPoint(const Json& json, const std::string& pointer, bool isLoss);
  void readLinks(const Json& list);
  void readProcessLinks(const Json& list);
  static double readRate(ObjectReader& reader);
  NetworkLink readNetworkLink(const Json* json, const std::string& pointer);
  void readNetwork(const Json& json);
  void eachNumber(
      const Json& object, const std::string& pointer,
      const std::function<void(const std::string& pointer, const std::string& key, double)>& take);
  void readOptimizer(const Json& object);
  void readContention(const Json& object);
  std::optional<DeviceId> device(ObjectReader& reader, const std::string& key);
  void problem(const std::string& pointer, std::string message, std::string hint = {}) {
    if (!m_error) m_error = Error{ErrorCode::Invalid, std::move(message), pointer, std::move(hint)};
  }
  void finish(ObjectReader& reader) {
    if (auto status = reader.finish(); !status && !m_error) m_error = status.error();
  }
  /// Reads a required list.
  const Json* list(ObjectReader& reader, const std::string& key);

  CostTable m_table;
  std::optional<Error> m_error;
};

/// Nanoseconds or bytes: not negative, rounded to integers.
std::int64_t amount(ObjectReader& reader, const std::string& key,
                    std::optional<double> fallback = {}) {
  const double value = reader.number(key, fallback);
  if (reader.has(key) && (value < 0.0 || value > kLargest)) {
    reader.problem(key, "must be from 0 to 1e15");
    return 0;
  }
  return static_cast<std::int64_t>(std::llround(value));
}

Bytes knownBytes(ObjectReader& reader, const std::string& key) {
  return reader.has(key) ? amount(reader, key) : kUnknownBytes;
}

std::optional<BlockMemory> memoryOf(ObjectReader& point, const std::string& pointer,
                                    std::optional<Error>& error) {
  const Json* json = point.raw("memory");
  if (json == nullptr) return std::nullopt;
  ObjectReader reader(*json, childPointer(pointer, "memory"));
  BlockMemory memory;
  for (const MemoryFigure& figure : kMemoryFigures) {
    memory.*figure.member = amount(reader, figure.key);
  }
  if (auto status = reader.finish(); !status && !error) error = status.error();
  return memory;
}

const Json* Reader::list(ObjectReader& reader, const std::string& key) {
  const Json* value = reader.raw(key);
  if (value != nullptr && value->is_array()) return value;
  reader.problem(key, value == nullptr ? "\"" + key + "\" is missing" : "expected a list");
  return nullptr;
}

std::optional<DeviceId> Reader::device(ObjectReader& reader, const std::string& key) {
  if (!reader.has(key)) return std::nullopt;
  const DeviceId id{reader.text(key)};
  if (const auto parsed = plan::parseDevice(id); !parsed) {
    reader.problem(key, parsed.error().message, parsed.error().hint);
  }
  return id;
}

CostPoint Reader::readPoint(const Json& json, const std::string& pointer, bool isLoss) {
  ObjectReader reader(json, pointer);
  CostPoint point;
  point.samples = reader.integer("samples");
  if (reader.has("samples") && (point.samples < 1 || point.samples > kMostSamples)) {
    reader.problem("samples", "must be from 1 to 1e9");
  }
  point.forward = amount(reader, "F_ns");
  const bool hasB = reader.has("B_ns");
  const bool hasHalves = reader.has("I_ns") && reader.has("W_ns");
  point.backward = amount(reader, "B_ns", 0.0);
  point.backwardInput = amount(reader, "I_ns", 0.0);
  point.backwardWeight = amount(reader, "W_ns", 0.0);
  if (!hasB && !hasHalves && !isLoss) {
    reader.problem("", "a point needs B_ns, or both I_ns and W_ns",
                   "Add B_ns for the whole backward, or both halves");
  }
  if (!hasB) point.backward = point.backwardInput + point.backwardWeight;
  if (!hasHalves) {
    point.backwardInput = reader.has("I_ns") ? std::min(point.backwardInput, point.backward)
                          : reader.has("W_ns")
                              ? std::max<TimeNs>(0, point.backward - point.backwardWeight)
                              : point.backward / 2;
    if (!reader.has("W_ns")) point.backwardWeight = point.backward - point.backwardInput;
  }
  point.savedBytes = knownBytes(reader, "saved_bytes");
  point.temporaryBytes = knownBytes(reader, "temp_bytes");
  point.outputBytes = knownBytes(reader, "output_bytes");
  point.memory = memoryOf(reader, pointer, m_error);
  point.noise = reader.number("noise", 0.0);
  finish(reader);
  return point;
}

std::vector<CostPoint> Reader::readPoints(const Json& list, const std::string& pointer,
                                          bool isLoss) {
  std::vector<CostPoint> points;
  for (std::size_t i = 0; i < list.size(); ++i) {
    points.push_back(readPoint(list[i], childPointer(pointer, i), isLoss));
  }
  const auto less = [](const CostPoint& a, const CostPoint& b) { return a.samples < b.samples; };
  std::stable_sort(points.begin(), points.end(), less);
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].samples != points[i - 1].samples) continue;
    problem(pointer, "two points for " + std::to_string(points[i].samples) + " samples",
            "Keep one of them");
  }
  return points;
}

BlockCosts Reader::readBlock(const Json& json, const std::string& pointer) {
  ObjectReader reader(json, pointer);
  BlockCosts block;
  block.name = reader.text("name");
  block.device = device(reader, "device");
  block.threads = static_cast<int>(std::min<std::int64_t>(amount(reader, "threads", 0.0), 1 << 20));
  block.accumulateNs = amount(reader, "accumulate_ns", 0.0);
  if (reader.has("optimizer_ns")) block.optimizerNs = amount(reader, "optimizer_ns");
  const Json* points = list(reader, "points");
  finish(reader);
  if (points == nullptr || m_error) return block;
  block.points = readPoints(*points, childPointer(pointer, "points"), false);
  if (block.points.empty())
    problem(childPointer(pointer, "points"), "at least one point is needed");
  return block;
}

void Reader::readBlocks(const Json& list) {
  std::set<std::tuple<std::string, std::string, int>> seen;
  for (std::size_t i = 0; i < list.size() && !m_error; ++i) {
    const std::string pointer = childPointer("/blocks", i);
    BlockCosts block = readBlock(list[i], pointer);
    const std::string device = block.device ? block.device->value : "";
    const bool twice = !seen.emplace(block.name, device, block.threads).second;
    if (twice) problem(pointer, "block \"" + block.name + "\" is listed twice", "Keep one of them");
    m_table.blocks.push_back(std::move(block));
  }
}

void Reader::readLinks(const Json& list) {
  for (std::size_t i = 0; i < list.size() && !m_error; ++i) {
    ObjectReader reader(list[i], childPointer("/links", i));
    LinkCost link;
    for (const char* key : {"from", "to"}) {
      if (!reader.has(key)) reader.problem(key, std::string("\"") + key + "\" is missing");
    }
    link.from = device(reader, "from").value_or(DeviceId{});
    link.to = device(reader, "to").value_or(DeviceId{});
    link.latencyNs = amount(reader, "latency_ns", 0.0);
    link.bytesPerSecond = readRate(reader);
    finish(reader);
    m_table.links.push_back(std::move(link));
  }
}

void Reader::readProcessLinks(const Json& list) {
  for (std::size_t i = 0; i < list.size() && !m_error; ++i) {
    ObjectReader reader(list[i], childPointer("/process_links", i));
    ProcessLink link;
    link.from = device(reader, "from");
    link.to = device(reader, "to");
    if (link.from.has_value() != link.to.has_value()) {
      reader.problem("", "a link needs both devices, or none",
                     R"(Give "from" and "to", or leave out both for all CPU workers of one host)");
    }
    link.latencyNs = amount(reader, "latency_ns", 0.0);
    link.bytesPerSecond = readRate(reader);
    finish(reader);
    m_table.processLinks.push_back(std::move(link));
  }
}

/// Bytes per second of a link; 0: bytes are free.
double Reader::readRate(ObjectReader& reader) {
  const double rate = reader.number("bytes_per_s", 0.0);
  if (rate < 0.0) reader.problem("bytes_per_s", "must be 0 or more");
  return rate;
}

/// Calls `take` with each key of an object that may have very many, and with its number. Not by an
/// ObjectReader, which searches the whole object for a key.
void Reader::eachNumber(
    const Json& object, const std::string& pointer,
    const std::function<void(const std::string& pointer, const std::string& key, double)>& take) {
  if (!object.is_object()) return problem(pointer, "expected an object");
  for (const auto& member : object.items()) {
    const std::string place = childPointer(pointer, member.key());
    if (!member.value().is_number()) return problem(place, "expected a number");
    take(place, member.key(), member.value().get<double>());
  }
}

NetworkLink Reader::readNetworkLink(const Json* json, const std::string& pointer) {
  NetworkLink link;
  if (json == nullptr) {
    problem(pointer, "is missing", "Use {\"latency_ns\": 5000, \"bytes_per_s\": 25e9}");
    return link;
  }
  ObjectReader reader(*json, pointer);
  link.latencyNs = amount(reader, "latency_ns", 0.0);
  link.bytesPerSecond = readRate(reader);
  finish(reader);
  return link;
}

void Reader::readNetwork(const Json& json) {
  ObjectReader reader(json, "/network");
  Network network;
  network.devicesPerNode = reader.integer("devices_per_node");
  if (reader.has("devices_per_node") &&
      (network.devicesPerNode < 1 || network.devicesPerNode > kMostSamples)) {
    reader.problem("devices_per_node", "must be from 1 to 1e9");
  }
  const Json* within = reader.raw("within");
  const Json* between = reader.raw("between");
  finish(reader);
  network.within = readNetworkLink(within, "/network/within");
  network.between = readNetworkLink(between, "/network/between");
  m_table.network = network;
}

void Reader::readOptimizer(const Json& object) {
  eachNumber(object, "/optimizer_ns",
             [this](const std::string& pointer, const std::string& key, double ns) {
               if (!(ns >= 0.0 && ns <= kLargest))
                 return problem(pointer, "must be from 0 to 1e15");
               m_table.optimizerNs[key] = static_cast<TimeNs>(std::llround(ns));
             });
}

/// "2 busy" → 2, else 0.
int busyWorkers(std::string_view key) {
  if (key.size() <= kBusy.size() || key.substr(key.size() - kBusy.size()) != kBusy) return 0;
  const std::string_view digits = key.substr(0, key.size() - kBusy.size());
  int count = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() ? count : 0;
}

void Reader::readContention(const Json& object) {
  eachNumber(object, "/contention",
             [this](const std::string& pointer, const std::string& key, double factor) {
               const int count = busyWorkers(key);
               if (count < 1) problem(pointer, "is not a number of workers", "Use \"2 busy\"");
               if (!(factor > 0.0) || factor > kLargestFactor) {
                 problem(pointer, "a factor must be above 0 and at most 100",
                         "1.05 means 5 % slower");
               }
               m_table.contention[count] = factor;
             });
}

Result<CostTable> Reader::read(const Json& document) {
  ObjectReader reader(document, "");
  const std::int64_t version = reader.integer("stagelane_costs");
  if (reader.has("stagelane_costs") && version != 1) {
    reader.problem("stagelane_costs", "version " + std::to_string(version) + " is not supported",
                   "Use 1");
  }
  const Json* blocks = list(reader, "blocks");
  const Json* links = reader.has("links") ? list(reader, "links") : nullptr;
  const Json* loss = reader.has("loss") ? list(reader, "loss") : nullptr;
  const Json* optimizer = reader.raw("optimizer_ns");
  const Json* contention = reader.raw("contention");
  const Json* network = reader.raw("network");
  const Json* sums = reader.raw("process_sums");
  const Json* processLinks = reader.has("process_links") ? list(reader, "process_links") : nullptr;
  m_table.actionOverheadNs = amount(reader, "action_overhead_ns", 0.0);
  if (const Json* origin = reader.raw("origin")) m_table.origin = *origin;
  // `calibrate --json` adds the path of the table, which is not a cost.
  (void)reader.raw("file");
  finish(reader);
  if (!m_error) readBlocks(*blocks);
  if (!m_error && links != nullptr) readLinks(*links);
  if (!m_error && network != nullptr) readNetwork(*network);
  if (!m_error && processLinks != nullptr) readProcessLinks(*processLinks);
  if (!m_error && optimizer != nullptr) readOptimizer(*optimizer);
  if (!m_error && contention != nullptr) readContention(*contention);
  if (!m_error && sums != nullptr) {
    STAGELANE_TRY(read, processSumsFromJson(*sums, "/process_sums"));
    m_table.processSums = std::move(*read);
  }
  if (!m_error && loss != nullptr) m_table.loss = readPoints(*loss, "/loss", true);
  if (m_error) return tl::make_unexpected(*m_error);
  return std::move(m_table);
}

void addBytes(Json& json, const char* key, Bytes bytes) {
  if (bytes != kUnknownBytes) json[key] = bytes;
}

Json toJson(const CostPoint& point) {
  Json json{{"samples", point.samples},
            {"F_ns", point.forward},
            {"I_ns", point.backwardInput},
            {"W_ns", point.backwardWeight},
            {"B_ns", point.backward}};
  addBytes(json, "saved_bytes", point.savedBytes);
  addBytes(json, "temp_bytes", point.temporaryBytes);
  addBytes(json, "output_bytes", point.outputBytes);
  if (point.memory) {
    for (const MemoryFigure& figure : kMemoryFigures) {
      json["memory"][figure.key] = (*point.memory).*figure.member;
    }
  }
  if (point.noise > 0.0) json["noise"] = point.noise;
  return json;
}

Json toJson(const std::vector<CostPoint>& points) {
  Json list = Json::array();
  for (const CostPoint& point : points) list.push_back(toJson(point));
  return list;
}

Json toJson(const BlockCosts& block) {
  Json json{{"name", block.name}};
  if (block.device) json["device"] = block.device->value;
  if (block.threads > 0) json["threads"] = block.threads;
  if (block.accumulateNs > 0) json["accumulate_ns"] = block.accumulateNs;
  if (block.optimizerNs) json["optimizer_ns"] = *block.optimizerNs;
  json["points"] = toJson(block.points);
  return json;
}

Json toJson(const NetworkLink& link) {
  return {{"latency_ns", link.latencyNs}, {"bytes_per_s", link.bytesPerSecond}};
}

Json toJson(const ProcessLink& link) {
  Json json = Json::object();
  if (link.from) json["from"] = link.from->value;
  if (link.to) json["to"] = link.to->value;
  json["latency_ns"] = link.latencyNs;
  json["bytes_per_s"] = link.bytesPerSecond;
  return json;
}

Json toJson(const Network& network) {
  return {{"devices_per_node", network.devicesPerNode},
          {"within", toJson(network.within)},
          {"between", toJson(network.between)}};
}

}  // namespace

std::string_view word(Basis basis) {
  switch (basis) {
    case Basis::Estimate: return "estimate";
    case Basis::Calibrated: return "calibrated";
    case Basis::Stale: return "stale";
    case Basis::File: return "file";
    case Basis::Measured: break;
  }
  return "measured";
}

double leastFactor(const std::map<int, double>& contention) {
  double least = 1.0;
  for (const auto& [busy, factor] : contention) least = std::min(least, factor);
  return least;
}

Result<CostTable> costTableFromJson(const Json& document, const std::string& source) {
  auto table = Reader().read(document);
  if (table || source.empty()) return table;
  Error error = table.error();
  error.context = source + ", " + error.context;
  return tl::make_unexpected(std::move(error));
}

Result<CostTable> readCostTable(const std::string& path) {
  STAGELANE_TRY(document, readJsonFile(path));
  return costTableFromJson(*document, path);
}

Json toJson(const CostTable& table) {
  Json json{{"stagelane_costs", 1}, {"blocks", Json::array()}, {"links", Json::array()}};
  for (const BlockCosts& block : table.blocks) json["blocks"].push_back(toJson(block));
  for (const LinkCost& link : table.links) {
    json["links"].push_back({{"from", link.from.value},
                             {"to", link.to.value},
                             {"latency_ns", link.latencyNs},
                             {"bytes_per_s", link.bytesPerSecond}});
  }
  if (table.network) json["network"] = toJson(*table.network);
  for (const ProcessLink& link : table.processLinks) json["process_links"].push_back(toJson(link));
  json["optimizer_ns"] = Json::object();
  for (const auto& [block, time] : table.optimizerNs) json["optimizer_ns"][block] = time;
  json["contention"] = Json::object();
  for (const auto& [busy, factor] : table.contention) {
    json["contention"][std::to_string(busy) + std::string(kBusy)] = factor;
  }
  if (!table.loss.empty()) json["loss"] = toJson(table.loss);
  if (table.processSums) json["process_sums"] = toJson(*table.processSums);
  if (table.actionOverheadNs > 0) json["action_overhead_ns"] = table.actionOverheadNs;
  if (!table.origin.is_null()) json["origin"] = table.origin;
  return json;
}

}  // namespace stagelane::predict
