#include "engine/run/step/ranked_rows.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "engine/run/step/clip.h"
#include "engine/run/step/fixed_marker.h"
#include "engine/run/step/run_control.h"

namespace stagelane::run {
namespace {

/// Of the norms of a stage; no parcel has it.
std::int64_t normsTag(int stage) { return -1000 - stage; }

}  // namespace

RankedRows::RankedRows(RankTeam& team, std::vector<int> ranks, std::vector<Worker*> workers,
                       const schedule::LoweredSchedule& lowered)
    : m_team(team),
      m_ranks(std::move(ranks)),
      m_workers(std::move(workers)),
      m_rows(lowered.source.rows),
      m_microBatches(lowered.source.microBatches) {}

Json RankedRows::place() const {
  for (int stage = 0; stage < m_rows.stages(); ++stage) {
    for (int replica = 0; replica < m_rows.replicas(stage); ++replica) {
      const int row = m_rows.row(stage, replica);
      if (isRemote(row)) continue;
      return {{"device", m_workers[static_cast<std::size_t>(row)]->name()}, {"stage", stage}};
    }
  }
  return Json::object();
}

bool RankedRows::isRemote(int row) const { return rankOf(row) != m_team.rank(); }

/// Unique among the parcels of a step; those of the next step arrive after them.
std::int64_t RankedRows::tagOf(const ParcelKey& key, int taker) const {
  const auto direction = static_cast<std::int64_t>(key.direction);
  if (key.direction == Direction::Forward || key.direction == Direction::Backward) {
    return (key.stage.value * 2 + direction) * m_microBatches + key.microBatch.value;
  }
  const std::int64_t before = 2LL * m_rows.stages() * m_microBatches;
  return before + (direction * m_rows.copies() + key.copy) * m_rows.rows() + taker;
}

/// First the number of parcels and which of them have a tensor, then these.
void RankedRows::send(int row, const ParcelKey& key, Parcels parcels) {
  const std::int64_t tag = tagOf(key, row);
  at::Tensor head = at::full({static_cast<std::int64_t>(parcels.size())}, 0, at::kLong);
  auto* const flags = head.mutable_data_ptr<std::int64_t>();
  for (std::size_t i = 0; i < parcels.size(); ++i) flags[i] = parcels[i].tensor.defined() ? 1 : 0;
  throwIfFailed(m_team.mail().post(rankOf(row), tag, head, 0));
  for (Parcel& parcel : parcels) {
    if (!parcel.tensor.defined()) continue;
    // A device may still copy to the host.
    const auto stopped = [this] { return m_control != nullptr && m_control->stopped(); };
    if (!parcel.arrived->wait(stopped)) return;
    const TimeNs readyNs = parcel.sendStart->timeNs();
    throwIfFailed(m_team.mail().post(rankOf(row), tag, unpacked(parcel), readyNs));
  }
}

std::optional<Parcels> RankedRows::receive(int row, const ParcelKey& key,
                                           const RunControl& control) {
  const bool boundary = key.direction == Direction::Forward || key.direction == Direction::Backward;
  const int taker = boundary ? m_rows.of(key.stage.value, key.microBatch.value) : key.row;
  const std::int64_t tag = tagOf(key, taker);
  const StopCheck stopped = [&control] { return control.stopped(); };
  const auto take = [&] { return m_team.mail().take(rankOf(row), tag, stopped); };
  const auto head = take();
  if (control.stopped()) return std::nullopt;
  throwIfFailed(head ? Status{} : tl::make_unexpected(head.error()));
  Parcels parcels(static_cast<std::size_t>(head->tensor.numel()));
  const auto* const flags = head->tensor.const_data_ptr<std::int64_t>();
  for (std::size_t i = 0; i < parcels.size(); ++i) {
    if (flags[i] == 0) continue;
    const auto mail = take();
    if (control.stopped()) return std::nullopt;
    throwIfFailed(mail ? Status{} : tl::make_unexpected(mail.error()));
    Backend& standIn = m_workers[static_cast<std::size_t>(row)]->backend();
    Backend& own = m_workers[static_cast<std::size_t>(taker)]->backend();
    parcels[i] = standIn.send(mail->tensor, own);
    parcels[i].sendStart =
        std::make_shared<FixedMarker>(m_team.onOwnClock(rankOf(row), mail->readyNs));
    if (own.torchDevice().is_cpu()) {
      parcels[i].arrived = std::make_shared<FixedMarker>(mail->arrivedNs);
    }
  }
  return parcels;
}

/// The names, one a line, and the norms, all of one type.
void RankedRows::sendNorms(int stage, const std::vector<NamedNorm>& norms) {
  std::string names;
  std::vector<at::Tensor> values;
  for (const NamedNorm& each : norms) {
    names += each.name + '\n';
    values.push_back(each.norm);
  }
  const at::Tensor letters = at::empty({static_cast<std::int64_t>(names.size())}, at::kByte);
  std::copy(names.begin(), names.end(), letters.mutable_data_ptr<std::uint8_t>());
  const at::Tensor all = values.empty() ? at::empty({0}) : at::stack(values);
  for (const int rank : std::set<int>(m_ranks.begin(), m_ranks.end())) {
    if (rank == m_team.rank()) continue;
    throwIfFailed(m_team.mail().post(rank, normsTag(stage), letters, 0));
    throwIfFailed(m_team.mail().post(rank, normsTag(stage), all, 0));
  }
}

bool RankedRows::receiveNorms(NormBoard& board, const RunControl& control) {
  const StopCheck stopped = [&control] { return control.stopped(); };
  for (int stage = 0; stage < m_rows.stages(); ++stage) {
    const int row = m_rows.row(stage);
    if (!isRemote(row)) continue;
    const auto names = m_team.mail().take(rankOf(row), normsTag(stage), stopped);
    if (control.stopped()) return false;
    throwIfFailed(names ? Status{} : tl::make_unexpected(names.error()));
    const auto norms = m_team.mail().take(rankOf(row), normsTag(stage), stopped);
    if (control.stopped()) return false;
    throwIfFailed(norms ? Status{} : tl::make_unexpected(norms.error()));
    std::istringstream lines(
        std::string(names->tensor.const_data_ptr<std::uint8_t>(),
                    names->tensor.const_data_ptr<std::uint8_t>() + names->tensor.numel()));
    std::vector<NamedNorm> named;
    for (std::string name; std::getline(lines, name);) {
      named.push_back({name, norms->tensor[static_cast<std::int64_t>(named.size())]});
    }
    board.post(stage, std::move(named));
  }
  return true;
}

void RankedRows::stepBegins(RunControl& control, std::function<Json()> doing) {
  m_control = &control;
  m_team.onLoss([&control](const Error& error) { control.fail(error); });
  m_team.describeBy(std::move(doing));
}

void RankedRows::stepEnds() {
  m_team.describeBy(nullptr);
  if (!m_control->stopped()) {
    // What could not be sent is reported by the rank that does not get it.
    static_cast<void>(m_team.mail().flush([this] { return m_control->stopped(); }));
  }
  m_team.onLoss(nullptr);
  m_control = nullptr;
}

std::unique_ptr<GradientReducer> RankedRows::reducerOf(int stage, const plan::Variant& variant,
                                                       std::vector<at::Tensor> parameters,
                                                       std::vector<at::Tensor> buffers) {
  std::shared_ptr<RankGroup>& group = m_groups[stage];
  if (!group) {
    std::vector<int> members;
    for (int replica = 0; replica < m_rows.replicas(stage); ++replica) {
      members.push_back(rankOf(m_rows.row(stage, replica)));
    }
    const std::string name = "reduce/" + variant.id + "/" + std::to_string(stage);
    auto created = m_team.group(name, std::move(members));
    throwIfFailed(created ? Status{} : tl::make_unexpected(created.error()));
    group = std::move(*created);
  }
  constexpr double kMebibyte = 1 << 20;
  GradientReducerOptions options;
  options.firstBucketBytes = static_cast<Bytes>(variant.reduce.firstBucketMb * kMebibyte);
  options.bucketBytes = static_cast<Bytes>(variant.reduce.bucketMb * kMebibyte);
  options.gradientAsBucketView = variant.reduce.gradientAsBucketView;
  options.findUnused = variant.reduce.findUnused;
  auto reducer = GradientReducer::create(group, std::move(parameters), std::move(buffers), options);
  throwIfFailed(reducer ? Status{} : tl::make_unexpected(reducer.error()));
  return std::move(*reducer);
}

Status RankedRows::meet(const RunControl& control) {
  return m_team.meet([&control] { return control.stopped(); });
}

Status RankedRows::ask(Json task, const RunControl& control) {
  if (!m_team.leads()) return {};
  if (const std::optional<Error> error = m_team.lost()) return tl::make_unexpected(*error);
  if (control.stopped()) return {};
  m_team.say(task, place());
  return m_team.ask(task);
}

Result<std::vector<std::string>> RankedRows::answers(const RunControl& control) {
  if (!m_team.leads()) return std::vector<std::string>{};
  return m_team.answers([&control] { return control.failed(); });
}

}  // namespace stagelane::run
