#include "engine/run/ranks/rank_meeting.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/base/version.h"

namespace stagelane::run {
namespace {

std::string helloKey(int rank) { return "hello/" + std::to_string(rank); }

std::string hostName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string bootIdOfHost() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  return text;
}

std::string textOf(const RankHello& hello) {
  return Json{{"rank", hello.rank},       {"host", hello.host},         {"pid", hello.pid},
              {"version", hello.version}, {"revision", hello.revision}, {"boot_id", hello.bootId},
              {"devices", hello.devices}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Failure ofRank(int rank, const std::string& host) {
  Failure failure{FailureKind::RankLost};
  failure.rank = rank;
  failure.host = host;
  return failure;
}

Result<RankHello> readHello(const std::string& text, int rank) {
  const std::string source = "hello of rank " + std::to_string(rank);
  const auto json = parseJson(text, source);
  if (!json) {
    return fail(ErrorCode::EngineFailure, source + " is not readable: " + json.error().message, "",
                "", ofRank(rank, ""));
  }
  ObjectReader reader(*json, "");
  RankHello hello;
  hello.rank = static_cast<int>(reader.integer("rank"));
  hello.host = reader.text("host");
  hello.pid = reader.integer("pid");
  hello.version = reader.text("version");
  hello.revision = reader.text("revision");
  hello.bootId = reader.text("boot_id");
  hello.devices = reader.text("devices");
  if (Status ended = reader.finish(); !ended) {
    return fail(ErrorCode::EngineFailure, source + ": " + describe(ended.error()), "", "",
                ofRank(rank, ""));
  }
  return hello;
}

std::string programOf(const RankHello& hello) {
  return "Stagelane " + hello.version + " (" + hello.revision + ")";
}

/// "rank 2", "ranks 2, 3", followed by a verb.
std::string ranksText(const std::vector<int>& ranks) {
  std::vector<std::string> words;
  for (const int rank : ranks) words.push_back(std::to_string(rank));
  return (ranks.size() == 1 ? "rank " : "ranks ") + joined(words);
}

/// Waits for the keys of all ranks; `notDone` is what missing ranks have not done.
Status waitForAll(RankStore& store, const std::vector<std::string>& keys,
                  const std::string& notDone, TimeNs limitNs, const StopCheck& stopped) {
  Status waited = store.wait(keys, limitNs, stopped);
  if (waited || (stopped && stopped())) return waited;
  STAGELANE_TRY(absent, store.missing(keys));
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < keys.size(); ++rank) {
    if (std::find(absent->begin(), absent->end(), keys[rank]) != absent->end()) {
      ranks.push_back(static_cast<int>(rank));
    }
  }
  if (ranks.empty()) return {};  // the last one came after the wait
  return fail(ErrorCode::EngineFailure,
              ranksText(ranks) + " did not " + notDone + " within " +
                  humanTime(static_cast<double>(limitNs)),
              "", "start all " + std::to_string(store.size()) + " processes of the run",
              ofRank(ranks.front(), ""));
}

Status checkPrograms(const std::vector<RankHello>& hellos) {
  const RankHello& first = hellos.front();
  for (const RankHello& hello : hellos) {
    if (hello.version == first.version && hello.revision == first.revision) continue;
    return fail(ErrorCode::EngineFailure,
                "rank " + std::to_string(hello.rank) + " on " + hello.host + " is " +
                    programOf(hello) + ", but rank 0 on " + first.host + " is " + programOf(first),
                "", "install the same version on all hosts", ofRank(hello.rank, hello.host));
  }
  return {};
}

/// FNV-1a over the bytes: equal on all machines, unlike std::hash.
std::string digestOf(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return std::to_string(hash) + " " + std::to_string(text.size());
}

}  // namespace

RankHello ownHello(int rank, std::string devices) {
  return {rank,
          hostName(),
          static_cast<std::int64_t>(::getpid()),
          std::string(version()),
          std::string(gitRevision()),
          bootIdOfHost(),
          std::move(devices)};
}

Status announce(RankStore& store, const RankHello& own) {
  return store.set(helloKey(store.rank()), textOf(own));
}

Result<std::vector<RankHello>> meet(RankStore& store, TimeNs limitNs, const StopCheck& stopped) {
  std::vector<std::string> keys;
  for (int rank = 0; rank < store.size(); ++rank) keys.push_back(helloKey(rank));
  STAGELANE_CHECK(waitForAll(store, keys, "start", limitNs, stopped));
  std::vector<RankHello> hellos;
  for (int rank = 0; rank < store.size(); ++rank) {
    STAGELANE_TRY(text, store.get(keys[static_cast<std::size_t>(rank)], limitNs, stopped));
    STAGELANE_TRY(hello, readHello(*text, rank));
    hellos.push_back(std::move(*hello));
  }
  STAGELANE_CHECK(checkPrograms(hellos));
  return hellos;
}

Status agree(RankStore& store, const std::string& key, const std::string& text, TimeNs limitNs,
             const StopCheck& stopped) {
  std::vector<std::string> keys;
  for (int rank = 0; rank < store.size(); ++rank) {
    keys.push_back("agree/" + key + "/" + std::to_string(rank));
  }
  STAGELANE_CHECK(store.set(keys[static_cast<std::size_t>(store.rank())], digestOf(text)));
  STAGELANE_CHECK(waitForAll(store, keys, "report its " + key, limitNs, stopped));
  std::string expected;
  std::vector<int> different;
  for (int rank = 0; rank < store.size(); ++rank) {
    STAGELANE_TRY(digest, store.get(keys[static_cast<std::size_t>(rank)], limitNs, stopped));
    if (rank == 0) expected = *digest;
    if (*digest != expected) different.push_back(rank);
  }
  if (different.empty()) return {};
  return fail(ErrorCode::EngineFailure,
              "the " + key + " of " + ranksText(different) + " differs from that of rank 0", "",
              "start all ranks with the same experiment and arguments",
              ofRank(different.front(), ""));
}

}  // namespace stagelane::run
