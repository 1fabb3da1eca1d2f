#include "engine/schedule/stage_rows.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace stagelane::schedule {

StageRows StageRows::ofReplicas(const std::vector<std::vector<int>>& groups) {
  StageRows answer;
  for (const std::vector<int>& group : groups) {
    answer.m_begin.push_back(answer.copies());
    answer.m_rows.insert(answer.m_rows.end(), group.begin(), group.end());
  }
  answer.m_begin.push_back(answer.copies());
  if (answer.m_rows.size() == groups.size()) {
    answer.m_begin.clear();
  } else {
    answer.indexRows();
  }
  return answer;
}

void StageRows::indexRows() {
  m_beginOfRow.assign(static_cast<std::size_t>(rows()) + 1, 0);
  for (const int row : m_rows) ++m_beginOfRow[static_cast<std::size_t>(row) + 1];
  std::partial_sum(m_beginOfRow.begin(), m_beginOfRow.end(), m_beginOfRow.begin());
  std::vector<int> next(m_beginOfRow.begin(), m_beginOfRow.end() - 1);
  m_onRow.resize(m_rows.size());
  for (int stage = 0; stage < stages(); ++stage) {
    for (int replica = 0; replica < replicas(stage); ++replica) {
      int& place = next[static_cast<std::size_t>(row(stage, replica))];
      m_onRow[static_cast<std::size_t>(place++)] = {stage, replica};
    }
  }
}

int StageRows::rows() const {
  return m_rows.empty() ? 0 : 1 + *std::max_element(m_rows.begin(), m_rows.end());
}

int StageRows::findReplica(int stage, int row) const {
  const auto index = static_cast<std::size_t>(row);
  if (row < 0 || index + 1 >= m_beginOfRow.size()) return -1;
  for (int place = m_beginOfRow[index]; place < m_beginOfRow[index + 1]; ++place) {
    const OnRow& here = m_onRow[static_cast<std::size_t>(place)];
    if (here.stage == stage) return here.replica;
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
