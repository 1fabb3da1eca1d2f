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

/// JSON has no infinities; losses that are not finite stay so.
Json lossesJson(const std::vector<double>& losses) {
  Json list = Json::array();
  for (const double loss : losses) list.push_back(std::isfinite(loss) ? Json(loss) : Json());
  return list;
}

}  // namespace

std::string packed(const RankTurn& turn) {
  Json losses = lossesJson(turn.measured.losses);
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
    for (const Json& loss : head.at("losses")) {
      turn.measured.losses.push_back(loss.is_null() ? std::nan("") : loss.get<double>());
    }
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

void addPart(RepeatMeasurement part, RepeatMeasurement& whole) {
  whole.records.insert(whole.records.end(), part.records.begin(), part.records.end());
  whole.copies.insert(whole.copies.end(), part.copies.begin(), part.copies.end());
  whole.losses.resize(std::max(whole.losses.size(), part.losses.size()), 0.0);
  for (std::size_t i = 0; i < part.losses.size(); ++i) whole.losses[i] += part.losses[i];
}

}  // namespace stagelane::run
