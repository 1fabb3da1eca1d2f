#include "engine/schedule/stage_rows.h"

#include <algorithm>
#include <string>

namespace stagelane::schedule {

StageRows StageRows::ofReplicas(const std::vector<std::vector<int>>& groups) {
  StageRows answer;
  for (const std::vector<int>& group : groups) {
    answer.m_begin.push_back(answer.copies());
    answer.m_rows.insert(answer.m_rows.end(), group.begin(), group.end());
  }
  answer.m_begin.push_back(answer.copies());
  if (answer.m_rows.size() == groups.size()) answer.m_begin.clear();
  return answer;
}

int StageRows::rows() const {
  return m_rows.empty() ? 0 : 1 + *std::max_element(m_rows.begin(), m_rows.end());
}

int StageRows::findReplica(int stage, int row) const {
  for (int replica = 0; replica < replicas(stage); ++replica) {
    if (this->row(stage, replica) == row) return replica;
  }
  return -1;
}

Status requireSingle(const StageRows& rows) {
  for (int stage = 0; stage < rows.stages(); ++stage) {
    if (rows.replicas(stage) == 1) continue;
    return fail(ErrorCode::Invalid,
                "stage " + std::to_string(stage) + " has " + std::to_string(rows.replicas(stage)) +
                    " replicas, which are not supported here",
                {}, "Use a schedule by its name, or give each stage one device");
  }
  return {};
}

}  // namespace stagelane::schedule
