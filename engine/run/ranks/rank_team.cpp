#include "engine/run/ranks/rank_team.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <numeric>
#include <utility>

#include "engine/base/text.h"
#include "engine/record/run_record.h"
#include "engine/run/ranks/rank_words.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

// Tags of the mail that this file sends; those of boundaries are not negative.
constexpr std::int64_t kHere = -1;
constexpr std::int64_t kGoOn = -2;
constexpr std::int64_t kOffsets = -3;

constexpr TimeNs kWithoutLimitNs = 1'000'000'000LL * 3600 * 24 * 365;
constexpr auto kSlice = std::chrono::milliseconds(20);

std::vector<int> everyone(int size) {
  std::vector<int> members(static_cast<std::size_t>(size));
  std::iota(members.begin(), members.end(), 0);
  return members;
}

std::string text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string taskKey(std::int64_t task) { return "task/" + std::to_string(task); }
std::string answerKey(std::int64_t task, int rank, std::size_t part) {
  return "answer/" + std::to_string(task) + "/" + std::to_string(rank) + "/" + std::to_string(part);
}

}  // namespace

RankTeam::RankTeam(std::unique_ptr<RankStore> store, TeamOptions options,
                   std::unique_ptr<RankProcesses> processes)
    : m_options(std::move(options)),
      m_store(std::move(store)),
      m_processes(std::move(processes)),
      m_clocks(static_cast<std::size_t>(m_store->size())) {}

Result<std::unique_ptr<RankTeam>> RankTeam::join(std::unique_ptr<RankStore> store,
                                                 TeamOptions options,
                                                 std::unique_ptr<RankProcesses> processes) {
  std::unique_ptr<RankTeam> team(
      new RankTeam(std::move(store), std::move(options), std::move(processes)));
  STAGELANE_CHECK(team->begin());
  return team;
}

/// Waits for all ranks. A process of this host that has ended will not come.
Status RankTeam::meetAll() {
  STAGELANE_CHECK(announce(*m_store, ownHello(rank(), m_options.devices)));
  std::optional<RankEnd> ended;
  const StopCheck stopped = [this, &ended] {
    if (m_processes && !ended) {
      const std::vector<RankEnd> ends = m_processes->ended();
      if (!ends.empty()) ended = ends.front();
    }
    return ended || (m_options.stopped && m_options.stopped());
  };
  auto members = run::meet(*m_store, m_options.meetLimitNs, stopped);
  if (ended) {
    m_members.assign(static_cast<std::size_t>(size()), RankHello{});
    return tl::make_unexpected(lossOf(*ended));
  }
  STAGELANE_CHECK(members);
  m_members = std::move(*members);
  return {};
}

Status RankTeam::begin() {
  STAGELANE_CHECK(meetAll());
  STAGELANE_TRY(heartbeats,
                Heartbeats::start(*m_store, m_options.heartbeats,
                                  [this](const RankLoss& loss) { lose(lossOf(loss)); }));
  m_heartbeats = std::move(*heartbeats);
  m_monitor = std::thread([this] { monitor(); });
  STAGELANE_TRY(letters, makeGroup("mail", everyone(size())));
  m_mail = std::make_unique<RankMail>(std::move(*letters));
  STAGELANE_TRY(clockGroup, makeGroup("clocks", everyone(size())));
  m_clockGroup = std::move(*clockGroup);
  return compare();
}

RankTeam::~RankTeam() { endThreads(); }

void RankTeam::endThreads() {
  m_leaving = true;
  if (m_monitor.joinable()) m_monitor.join();
}

Result<std::shared_ptr<RankGroup>> RankTeam::makeGroup(const std::string& name,
                                                       std::vector<int> members) {
  RankGroupOptions options;
  options.limitNs = m_options.operationLimitNs;
  return RankGroup::create(*m_store, name, std::move(members), options,
                           [this] { return lost().has_value(); });
}

Result<std::shared_ptr<RankGroup>> RankTeam::group(const std::string& name,
                                                   std::vector<int> members) {
  STAGELANE_TRY(made, makeGroup(name, std::move(members)));
  std::unique_lock lock(m_mutex);
  m_groups.push_back(*made);
  if (m_lost) {
    const Error cause = *m_lost;
    lock.unlock();
    (*made)->abort();
    return tl::make_unexpected(cause);
  }
  return std::move(*made);
}

bool RankTeam::gaveUp(const StopCheck& stopped) const {
  return lost().has_value() || (stopped && stopped());
}

Status RankTeam::ask(const Json& task) {
  ++m_task;
  return m_store->set(taskKey(m_task), text(task));
}

Result<Json> RankTeam::nextTask(const StopCheck& stopped) {
  ++m_task;
  auto task =
      m_store->get(taskKey(m_task), kWithoutLimitNs, [this, &stopped] { return gaveUp(stopped); });
  if (const std::optional<Error> error = lost()) return tl::make_unexpected(*error);
  STAGELANE_CHECK(task);
  return parseJson(*task, "task of rank 0");
}

Status RankTeam::answer(const std::string& words) {
  constexpr std::size_t kPart = RankStore::kLargestValue / 2;
  const std::size_t parts = (words.size() + kPart - 1) / kPart;
  for (std::size_t part = 0; part < parts; ++part) {
    STAGELANE_CHECK(
        m_store->set(answerKey(m_task, rank(), part + 1), words.substr(part * kPart, kPart)));
  }
  return m_store->set(answerKey(m_task, rank(), 0), std::to_string(parts));
}

Result<std::vector<std::string>> RankTeam::answers(const StopCheck& stopped) {
  const StopCheck givesUp = [this, &stopped] { return gaveUp(stopped); };
  std::vector<std::string> all;
  for (int other = 1; other < size(); ++other) {
    const std::string first = answerKey(m_task, other, 0);
    auto parts = m_store->get(first, kWithoutLimitNs, givesUp);
    if (const std::optional<Error> error = lost()) return tl::make_unexpected(*error);
    STAGELANE_CHECK(parts);
    std::string words;
    const std::size_t count = std::stoul(*parts);
    for (std::size_t part = 1; part <= count; ++part) {
      const std::string key = answerKey(m_task, other, part);
      STAGELANE_TRY(piece, m_store->get(key, m_options.operationLimitNs, givesUp));
      words += *piece;
      STAGELANE_CHECK(m_store->remove(key));
    }
    STAGELANE_CHECK(m_store->remove(first));
    all.push_back(std::move(words));
  }
  STAGELANE_CHECK(m_store->remove(taskKey(m_task)));
  return all;
}

Status RankTeam::meet(const StopCheck& stopped) {
  const StopCheck givesUp = [this, &stopped] { return gaveUp(stopped); };
  const auto check = [this](const auto& done) -> Status {
    if (const std::optional<Error> error = lost()) return tl::make_unexpected(*error);
    return done ? Status{} : Status(tl::make_unexpected(done.error()));
  };
  const at::Tensor sign = at::zeros({1});
  if (!leads()) {
    STAGELANE_CHECK(check(m_mail->post(0, kHere, sign, 0)));
    return check(m_mail->take(0, kGoOn, givesUp));
  }
  for (int other = 1; other < size(); ++other) {
    STAGELANE_CHECK(check(m_mail->take(other, kHere, givesUp)));
  }
  for (int other = 1; other < size(); ++other) {
    STAGELANE_CHECK(check(m_mail->post(other, kGoOn, sign, 0)));
  }
  return {};
}

std::optional<Error> RankTeam::lost() const {
  const std::lock_guard lock(m_mutex);
  return m_lost;
}

Error RankTeam::causeOf(Error error) const {
  // A closed connection is noticed at once, a silent rank after the limit.
  if (error.code != ErrorCode::EngineFailure) return error;
  const TimeNs patienceNs = m_options.heartbeats.limitNs + 1'000'000'000;
  const TimeNs startNs = trace::monotonicNs();
  while (trace::monotonicNs() - startNs < patienceNs) {
    if (std::optional<Error> cause = lost()) return *cause;
    std::this_thread::sleep_for(kSlice);
  }
  return error;
}

void RankTeam::onLoss(std::function<void(const Error&)> told) {
  const std::lock_guard lock(m_mutex);
  m_told = std::move(told);
  if (m_told && m_lost) std::exchange(m_told, nullptr)(*m_lost);
}

void RankTeam::lose(Error error) {
  std::vector<std::weak_ptr<RankGroup>> groups;
  {
    const std::lock_guard lock(m_mutex);
    if (m_lost || m_leaving) return;
    m_lost = std::move(error);
    if (m_told) std::exchange(m_told, nullptr)(*m_lost);
    groups = std::move(m_groups);
  }
  // An all-reduce would wait for the lost rank.
  for (const std::weak_ptr<RankGroup>& one : groups) {
    if (const std::shared_ptr<RankGroup> group = one.lock()) group->abort();
  }
}

Error RankTeam::lossOf(const RankLoss& loss) const {
  Error error{ErrorCode::EngineFailure, "", "", "", {FailureKind::RankLost}};
  if (loss.rank < 0 || loss.rank >= size()) {
    error.message = "the store of the launcher " + loss.reason;
    return error;
  }
  const RankHello& member = m_members[static_cast<std::size_t>(loss.rank)];
  error.failure.rank = loss.rank;
  error.failure.host = member.host;
  error.message = "rank " + std::to_string(loss.rank) + " on " + member.host + " (process " +
                  std::to_string(member.pid) + ") " + loss.reason;
  error.hint = "its log says more if it could still write";
  error.failure.device = {member.devices.substr(0, member.devices.find(','))};
  if (m_heartbeats) {
    const std::vector<RankState> states = m_heartbeats->states();
    setPlace(error, stateOf(states[static_cast<std::size_t>(loss.rank)]));
  }
  return error;
}

Error RankTeam::lossOf(const RankEnd& end) const {
  std::string reason = "ended with exit code " + std::to_string(end.exitCode);
  if (end.signal != 0) {
    const char* name = ::sigabbrev_np(end.signal);
    reason = "was killed by signal " + std::to_string(end.signal) +
             (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
  }
  return lossOf(RankLoss{end.rank, reason});
}

void RankTeam::say(const Json& state, Json doing) {
  {
    const std::lock_guard lock(m_mutex);
    m_state = state;
    m_lastDoing = std::move(doing);
  }
  sayState();
}

/// The state as it is now, with details. A failure or a cancel stays in it.
void RankTeam::sayState() {
  const std::lock_guard lock(m_mutex);
  Json words = m_state;
  // Between two steps the last one tells where this rank is.
  if (Json now = m_doing ? m_doing() : Json::object(); !now.empty()) m_lastDoing = std::move(now);
  if (!m_lastDoing.empty()) words["doing"] = m_lastDoing;
  words.update(m_ending);
  if (m_heartbeats) m_heartbeats->say(text(words));
}

void RankTeam::describeBy(std::function<Json()> doing) {
  const std::lock_guard lock(m_mutex);
  m_doing = std::move(doing);
}

void RankTeam::sayFailed(const Error& error) {
  {
    const std::lock_guard lock(m_mutex);
    m_doing = nullptr;
    m_ending["failed"] = record::errorMembers(error);
  }
  sayState();
}

void RankTeam::sayCanceled() {
  {
    const std::lock_guard lock(m_mutex);
    m_ending["canceling"] = true;
  }
  sayState();
}

void RankTeam::monitor() {
  while (!m_leaving) {
    look();
    std::this_thread::sleep_for(kSlice);
  }
}

/// Looks at the other processes, and tells them what this one does.
void RankTeam::look() {
  // The others stop at their next action, as this one does.
  if (leads() && m_options.stopped && m_options.stopped()) {
    sayCanceled();
  } else {
    sayState();
  }
  if (m_processes) {
    const std::vector<RankEnd> ends = m_processes->ended();
    // A process that failed has said so before, and better.
    if (!ends.empty() && !lost()) lose(lossOf(ends.front()));
  }
  const std::vector<RankState> states = m_heartbeats->states();
  for (std::size_t other = 0; other < states.size(); ++other) {
    if (static_cast<int>(other) == rank()) continue;
    const Json words = stateOf(states[other]);
    if (other == 0 && words.value("canceling", false)) m_canceled = true;
    const auto failed = words.find("failed");
    if (failed == words.end()) continue;
    Error error = record::errorFromEvent(*failed);
    const RankHello& member = m_members[other];
    if (error.failure.rank < 0) {
      error.failure.rank = static_cast<int>(other);
      error.failure.host = member.host;
      error.message = "rank " + std::to_string(other) + " on " + member.host + ": " + error.message;
    }
    lose(std::move(error));
  }
}

Json RankTeam::table() const {
  const std::vector<RankState> states =
      m_heartbeats ? m_heartbeats->states() : std::vector<RankState>();
  const TimeNs nowNs = trace::monotonicNs();
  const std::vector<ClockEstimate> known = clocks();
  Json rows = Json::array();
  for (std::size_t other = 0; other < m_members.size(); ++other) {
    const RankHello& member = m_members[other];
    Json row{
        {"rank", other}, {"host", member.host}, {"pid", member.pid}, {"devices", member.devices}};
    if (other < states.size()) {
      const bool own = static_cast<int>(other) == rank();
      const TimeNs seenNs = own ? nowNs : states[other].seenNs;
      const Json state = stateOf(states[other]);
      row["state"] = state.contains("failed") ? "failed" : states[other].left ? "ended" : "running";
      row["doing"] = state.value("doing", Json::object());
      addTurn(row, state);
      row["last_seen_ms"] = seenNs > 0 ? (nowNs - seenNs) / 1'000'000 : -1;
    }
    row["clock_error_ns"] = known[other].errorNs();
    rows.push_back(std::move(row));
  }
  return rows;
}

Status RankTeam::compare() {
  auto samples = compareClocks(*m_clockGroup);
  if (const std::optional<Error> error = lost()) return tl::make_unexpected(*error);
  STAGELANE_CHECK(samples);
  at::Tensor offsets = at::zeros({size()}, at::kLong);
  if (leads()) {
    const std::lock_guard lock(m_mutex);
    for (std::size_t other = 0; other < samples->size(); ++other) {
      m_clocks[other].add((*samples)[other]);
      offsets.mutable_data_ptr<std::int64_t>()[other] =
          m_clocks[other].offsetNs((*samples)[other].atNs);
    }
  }
  STAGELANE_TRY(known, passOn(std::move(offsets)));
  const std::lock_guard lock(m_mutex);
  const auto* const first = known->const_data_ptr<std::int64_t>();
  m_offsetsNs.assign(first, first + known->numel());
  return {};
}

/// The leader's tensor, on all ranks.
Result<at::Tensor> RankTeam::passOn(at::Tensor tensor) {
  if (!leads()) {
    STAGELANE_TRY(mail, m_mail->take(0, kOffsets, [this] { return gaveUp({}); }));
    return std::move(mail->tensor);
  }
  for (int other = 1; other < size(); ++other) {
    STAGELANE_CHECK(m_mail->post(other, kOffsets, tensor, 0));
  }
  return tensor;
}

TimeNs RankTeam::onOwnClock(int from, TimeNs timeNs) const {
  const std::lock_guard lock(m_mutex);
  if (m_offsetsNs.empty()) return timeNs;
  return timeNs - m_offsetsNs[static_cast<std::size_t>(from)] +
         m_offsetsNs[static_cast<std::size_t>(rank())];
}

TimeNs RankTeam::onFirstClock(int rank, TimeNs timeNs) const {
  const std::lock_guard lock(m_mutex);
  return m_clocks.at(static_cast<std::size_t>(rank)).toFirst(timeNs);
}

std::vector<ClockEstimate> RankTeam::clocks() const {
  const std::lock_guard lock(m_mutex);
  return m_clocks;
}

bool RankTeam::leave() {
  endThreads();
  const bool said = m_heartbeats->end();
  // After a cancel the others end at their next action.
  constexpr TimeNs kCanceledNs = 3'000'000'000;
  const bool canceled = m_options.stopped && m_options.stopped();
  const TimeNs limitNs = canceled ? kCanceledNs : m_options.operationLimitNs;
  const bool left = m_store->leave(limitNs).has_value();
  if (m_processes && !m_processes->wait(limitNs)) m_processes->terminate(0);
  return said && left && !m_store->stuck();
}

void RankTeam::abandon() {
  m_leaving = true;
  if (m_mail) m_mail->abort();
  if (m_clockGroup) m_clockGroup->abort();
  // Those that have noticed end by themselves.
  constexpr TimeNs kGraceNs = 1'000'000'000;
  if (m_processes && !m_processes->wait(kGraceNs)) m_processes->terminate(kGraceNs / 2);
}

}  // namespace stagelane::run
