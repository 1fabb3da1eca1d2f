#include "engine/run/measure/rank_answers.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace stagelane::run {
namespace {

static_assert(std::is_trivially_copyable_v<trace::ActionRecord>);

Json copiesJson(const std::vector<BatchCopy>& copies) {
  Json list = Json::array();
  for (const BatchCopy& copy : copies) {
    list.push_back({copy.name, copy.row, copy.startNs, copy.endNs, copy.bytes});
  }
  return list;
}

std::vector<BatchCopy> copiesOf(const Json& list) {
  std::vector<BatchCopy> copies;
  for (const Json& copy : list) {
    copies.push_back({copy.at(0).get<std::string>(), copy.at(1).get<int>(),
                      copy.at(2).get<TimeNs>(), copy.at(3).get<TimeNs>(), copy.at(4).get<Bytes>()});
  }
  return copies;
}

/// Null: another rank has it. JSON has no infinities; a loss that is not finite is a text.
Json lossJson(const std::optional<double>& loss) {
  if (!loss) return nullptr;
  return std::isfinite(*loss) ? Json(*loss) : Json("nan");
}

std::optional<double> lossOf(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.is_string() ? std::nan("") : json.get<double>();
}

Json lossesJson(const std::vector<std::vector<std::optional<double>>>& batches) {
  Json list = Json::array();
  for (const auto& parts : batches) {
    Json batch = Json::array();
    for (const std::optional<double>& loss : parts) batch.push_back(lossJson(loss));
    list.push_back(std::move(batch));
  }
  return list;
}

}  // namespace

std::string packed(const RankTurn& turn) {
  Json losses = lossesJson(turn.measured.lossParts);
  const Json head{{"stopped", turn.stopped},
                  {"records", turn.measured.records.size()},
                  {"copies", copiesJson(turn.measured.copies)},
                  {"losses", std::move(losses)},
                  {"peaks", turn.peakBytes}};
  std::string text = head.dump() + '\n';
  const std::size_t start = text.size();
  text.resize(start + turn.measured.records.size() * sizeof(trace::ActionRecord));
  if (!turn.measured.records.empty()) {
    std::memcpy(text.data() + start, turn.measured.records.data(), text.size() - start);
  }
  return text;
}

Result<RankTurn> unpackedTurn(const std::string& text) {
  RankTurn turn;
  try {
    const std::size_t end = text.find('\n');
    const Json head = Json::parse(text.substr(0, end));
    turn.stopped = head.at("stopped").get<bool>();
    turn.measured.copies = copiesOf(head.at("copies"));
    for (const Json& batch : head.at("losses")) {
      auto& parts = turn.measured.lossParts.emplace_back();
      for (const Json& loss : batch) parts.push_back(lossOf(loss));
    }
    addLosses(turn.measured);
    turn.peakBytes = head.at("peaks").get<std::vector<Bytes>>();
    turn.measured.records.resize(head.at("records").get<std::size_t>());
    const std::size_t bytes = turn.measured.records.size() * sizeof(trace::ActionRecord);
    if (text.size() != end + 1 + bytes) throw std::invalid_argument("wrong size");
    if (bytes > 0) std::memcpy(turn.measured.records.data(), text.data() + end + 1, bytes);
  } catch (const std::exception& error) {
    return fail(ErrorCode::EngineFailure,
                std::string("a rank answered with something unreadable: ") + error.what());
  }
  return turn;
}

void addLosses(RepeatMeasurement& measured) {
  measured.losses.clear();
  for (const auto& parts : measured.lossParts) {
    double total = 0.0;
    for (const std::optional<double>& loss : parts) total += loss.value_or(0.0);
    measured.losses.push_back(total);
  }
}

void addPart(RepeatMeasurement part, RepeatMeasurement& whole) {
  whole.records.insert(whole.records.end(), part.records.begin(), part.records.end());
  whole.copies.insert(whole.copies.end(), part.copies.begin(), part.copies.end());
  auto& batches = whole.lossParts;
  batches.resize(std::max(batches.size(), part.lossParts.size()));
  for (std::size_t i = 0; i < part.lossParts.size(); ++i) {
    const auto& losses = part.lossParts[i];
    batches[i].resize(std::max(batches[i].size(), losses.size()));
    for (std::size_t k = 0; k < losses.size(); ++k) {
      if (losses[k]) batches[i][k] = losses[k];
    }
  }
  addLosses(whole);
}

}  // namespace stagelane::run
