#include "engine/record/asked_ranks.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "engine/base/text_member.h"
#include "engine/record/run_record.h"

namespace stagelane::record {

int askedRanks(const std::filesystem::path& folder) {
  std::ifstream events(RunFolder{folder}.events());
  std::string line;
  if (!std::getline(events, line)) return 0;
  const Json started = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!started.is_object() || textMember(started, "event") != "started") return 0;
  const auto run = started.find("run");
  if (run == started.end() || !run->is_object()) return 0;
  const auto ranks = run->find("ranks");
  return ranks != run->end() && ranks->is_number_integer() ? std::max(0, ranks->get<int>()) : 0;
}

}  // namespace stagelane::record
