#include "ui/session/run/run_ranks.h"

#include <QObject>
#include <algorithm>
#include <limits>

#include "engine/base/text_member.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr std::int64_t kMostRepeats = std::numeric_limits<int>::max();

/// Nothing unless the member is an integer from 0.
std::optional<std::int64_t> countAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number_integer()) return std::nullopt;
  const auto value = found->get<std::int64_t>();
  return value < 0 ? std::nullopt : std::optional(value);
}

/// The engine writes them as text; a list is read, too.
QStringList devicesAt(const Json& json) {
  QStringList devices;
  const auto found = json.find("devices");
  if (found == json.end()) return devices;
  if (found->is_string()) {
    return qstring(found->get<std::string>()).split(u", "_s, Qt::SkipEmptyParts);
  }
  if (!found->is_array()) return devices;
  for (const Json& device : *found) {
    if (device.is_string()) devices.append(qstring(device.get<std::string>()));
  }
  return devices;
}

/// The action that has run longest.
QString doingAt(const Json& json) {
  const auto doing = json.find("doing");
  if (doing == json.end() || !doing->is_object()) return {};
  const QString action = qstring(textMember(*doing, "action"));
  const auto stage = countAt(*doing, "stage");
  const auto microBatch = countAt(*doing, "micro_batch");
  if (action.isEmpty() || !stage) return action;
  return microBatch ? QObject::tr("%1 of stage %2, micro-batch %3")
                          .arg(action)
                          .arg(*stage)
                          .arg(*microBatch)
                    : QObject::tr("%1 of stage %2").arg(action).arg(*stage);
}

std::optional<RunRank> rankFrom(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto number = countAt(json, "rank");
  if (!number || *number > std::numeric_limits<int>::max()) return std::nullopt;
  RunRank rank;
  rank.rank = static_cast<int>(*number);
  rank.host = qstring(textMember(json, "host"));
  rank.pid = countAt(json, "pid").value_or(0);
  rank.state = qstring(textMember(json, "state"));
  rank.lastSeenMs = countAt(json, "last_seen_ms");
  rank.clockErrorNs = countAt(json, "clock_error_ns");
  rank.variantId = qstring(textMember(json, "variant"));
  if (const auto repeat = countAt(json, "repeat"); repeat && *repeat < kMostRepeats) {
    rank.repeat = static_cast<int>(*repeat);
  }
  rank.doing = doingAt(json);
  rank.devices = devicesAt(json);
  return rank;
}

std::vector<RunRank> sorted(std::vector<RunRank> ranks) {
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const RunRank& a, const RunRank& b) { return a.rank < b.rank; });
  return ranks;
}

}  // namespace

std::vector<RunRank> ranksFromEvent(const Json& event) {
  std::vector<RunRank> ranks;
  const auto listed = event.is_object() ? event.find("ranks") : event.end();
  if (listed == event.end() || !listed->is_array()) return ranks;
  for (const Json& json : *listed) {
    if (auto rank = rankFrom(json)) ranks.push_back(std::move(*rank));
  }
  return sorted(std::move(ranks));
}

std::vector<RunRank> ranksOf(const record::RunResult& run) {
  const auto found = std::find_if(run.variants.rbegin(), run.variants.rend(),
                                  [](const auto& variant) { return variant.ranks.size() > 1; });
  std::vector<RunRank> ranks;
  if (found == run.variants.rend()) return ranks;
  for (const record::RankResult& result : found->ranks) {
    RunRank rank;
    rank.rank = result.rank;
    rank.host = qstring(result.host);
    rank.pid = result.pid;
    rank.state = qstring(result.status);
    for (const std::string& device : result.devices) rank.devices.append(qstring(device));
    if (result.clock) rank.clockErrorNs = result.clock->errorNs;
    ranks.push_back(std::move(rank));
  }
  return sorted(std::move(ranks));
}

QString clockText(const RunRank& rank) {
  if (rank.rank == 0) return QObject::tr("reference");
  return rank.clockErrorNs ? u"± "_s + timeText(*rank.clockErrorNs) : QString();
}

QString turnText(const RunRank& rank, const RunTurn& turn) {
  if (rank.state != u"running"_s || !rank.repeat) return {};
  if (rank.variantId != turn.variantId) return QObject::tr("waiting");
  if (*rank.repeat == 0) return QObject::tr("warm-up");
  return turn.of > 0 ? QObject::tr("%1 of %2").arg(*rank.repeat).arg(turn.of)
                     : QString::number(*rank.repeat);
}

QString rankStateText(const RunRank& rank) {
  if (rank.state == u"running"_s) return QObject::tr("running");
  if (rank.state == u"ended"_s) return QObject::tr("ended");
  if (rank.state == u"done"_s) return QObject::tr("done");
  if (rank.state == u"failed"_s) return QObject::tr("failed");
  if (rank.state == u"canceled"_s) return QObject::tr("canceled");
  return rank.state;  // a word of a later version
}

}  // namespace stagelane::ui
