#include "engine/run/calibrate/rank_calibration.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/base/find.h"
#include "engine/base/text_member.h"
#include "engine/run/calibrate/process_link.h"
#include "engine/run/calibrate/rank_plan.h"
#include "engine/run/calibrate/sum_calibration.h"
#include "engine/run/ranks/rank_team.h"
#include "engine/run/ranks/sum_probe.h"

namespace stagelane::run {
namespace {

// Of four ranks. Among more, the number of pairs grows faster than what they tell.
constexpr std::size_t kMostLinks = 12;

std::string text(const std::vector<MessageTime>& times) {
  Json list = Json::array();
  for (const MessageTime& time : times) list.push_back({time.bytes, time.ns});
  return list.dump();
}

/// None for an empty text: that rank had no part in it.
Result<std::vector<MessageTime>> timesFrom(const std::string& text) {
  std::vector<MessageTime> times;
  if (text.empty()) return times;
  STAGELANE_TRY(list, parseJson(text, "answer of a rank"));
  for (const Json& one : *list) times.push_back({one.at(0).get<Bytes>(), one.at(1).get<TimeNs>()});
  return times;
}

Result<std::string> messages(RankTeam& team, int from, int to) {
  const StopCheck stopped = [&team] { return team.lost().has_value(); };
  if (team.rank() == to) STAGELANE_CHECK(returnMessages(team.mail(), from, stopped));
  if (team.rank() != from) return std::string();
  STAGELANE_TRY(times, timeMessages(team.mail(), to, stopped));
  return text(*times);
}

Result<std::string> sums(RankTeam& team, const Json& task) {
  const auto ranks = task.at("ranks").get<std::vector<int>>();
  if (!contains(ranks, team.rank())) return std::string();
  STAGELANE_TRY(group, team.group("calibrate/" + textMember(task, "group"), ranks));
  std::vector<MessageTime> times;
  for (const Json& bytes : task.at("bytes")) {
    STAGELANE_TRY(ns, timeSums(**group, bytes.get<Bytes>()));
    times.push_back({bytes.get<Bytes>(), *ns});
  }
  return text(times);
}

/// Bytes of all gradients of the model.
Result<Bytes> gradientsOf(const plan::Experiment& experiment) {
  STAGELANE_TRY(shapes, experiment.shapesAt(experiment.data.batchSize));
  Bytes bytes = 0;
  for (const model::BlockCost& block : (*shapes)->blocks) bytes += block.parameterBytes;
  return bytes;
}

class Leader {
 public:
  explicit Leader(const RankCalibrationPorts& ports) : m_team(*ports.team), m_ports(ports) {}

  [[nodiscard]] bool stopped() const { return m_ports.stop != nullptr && m_ports.stop->load(); }

  /// `alike`: links between the same two hosts are measured once.
  Status addLink(const RankLinkPlan& plan, bool alike, BetweenRanks& measured) {
    const std::pair hosts{hostOf(plan.from), hostOf(plan.to)};
    const auto known = m_links.find(hosts);
    predict::ProcessLink link;
    if (alike && known != m_links.end()) {
      link = known->second;
    } else {
      STAGELANE_TRY(answers, ask({{"do", "messages"}, {"from", plan.from}, {"to", plan.to}}));
      STAGELANE_TRY(times, timesFrom((*answers)[static_cast<std::size_t>(plan.from)]));
      if (times->empty()) return fail(ErrorCode::EngineFailure, "a rank has measured nothing");
      link = linkThrough(*times);
      m_links.emplace(hosts, link);
    }
    for (const auto& [from, to] : plan.devices) {
      link.from = from;
      link.to = to;
      measured.links.push_back(link);
    }
    return {};
  }

  /// By the slowest rank of each size.
  Status addSums(const std::vector<int>& ranks, Bytes gradients, BetweenRanks& measured) {
    Json task{{"do", "sums"},
              {"group", std::to_string(measured.summing)},
              {"ranks", ranks},
              {"bytes", sumSizes(gradients)}};
    STAGELANE_TRY(answers, ask(task));
    measured.sums.clear();
    for (const std::string& answer : *answers) {
      STAGELANE_TRY(times, timesFrom(answer));
      for (std::size_t i = 0; i < times->size(); ++i) {
        if (i == measured.sums.size()) measured.sums.push_back({(*times)[i].bytes, 0});
        measured.sums[i].ns = std::max(measured.sums[i].ns, (*times)[i].ns);
      }
    }
    measured.summing = static_cast<int>(ranks.size());
    return {};
  }

  [[nodiscard]] bool onSeveralHosts(const std::vector<int>& ranks) const {
    std::set<std::string> hosts;
    for (const int rank : ranks) hosts.insert(hostOf(rank));
    return hosts.size() > 1;
  }

 private:
  [[nodiscard]] const std::string& hostOf(int rank) const {
    return m_team.members()[static_cast<std::size_t>(rank)].host;
  }
  /// The answers by rank.
  Result<std::vector<std::string>> ask(const Json& task) {
    m_team.say(task);
    STAGELANE_CHECK(m_team.ask(task));
    STAGELANE_TRY(own, takePart(m_team, task));
    STAGELANE_TRY(others, m_team.answers({}));
    others->insert(others->begin(), std::move(*own));
    return std::move(*others);
  }

  RankTeam& m_team;
  const RankCalibrationPorts& m_ports;
  std::map<std::pair<std::string, std::string>, predict::ProcessLink> m_links;  ///< by hosts
};

}  // namespace

Result<std::string> takePart(RankTeam& team, const Json& task) {
  if (textMember(task, "do") == "sums") return sums(team, task);
  return messages(team, task.value("from", -1), task.value("to", -1));
}

Result<std::optional<BetweenRanks>> measureBetweenRanks(const plan::Experiment& experiment,
                                                        const RankCalibrationPorts& ports) {
  Leader leader(ports);
  BetweenRanks measured;
  STAGELANE_TRY(plan, planBetweenRanks(experiment, ports.team->size(), ports.dealt));
  const bool alike = plan->links.size() > kMostLinks;
  for (const RankLinkPlan& link : plan->links) {
    if (leader.stopped()) return std::nullopt;
    STAGELANE_CHECK(leader.addLink(link, alike, measured));
  }
  for (const std::vector<int>& ranks : plan->summing) {
    // The largest group: sums of others follow from its rounds.
    const bool larger = static_cast<int>(ranks.size()) > measured.summing;
    if (!larger || !leader.onSeveralHosts(ranks)) continue;
    if (leader.stopped()) return std::nullopt;
    STAGELANE_TRY(gradients, gradientsOf(experiment));
    STAGELANE_CHECK(leader.addSums(ranks, *gradients, measured));
  }
  if (leader.stopped()) return std::nullopt;
  return measured;
}

}  // namespace stagelane::run
