#pragma once

/// The rows of a variant whose devices are in several processes: parcels travel as mail between the
/// ranks. One object for each variant and process.

#include <map>
#include <memory>
#include <vector>

#include "engine/run/ranks/rank_team.h"
#include "engine/run/step/remote_rows.h"
#include "engine/run/step/step.h"

namespace stagelane::run {

class RankedRows final : public RemoteRows {
 public:
  /// `ranks`: of the rows. `workers`: of the rows, stand-ins for remote ones. `team` outlives it.
  RankedRows(RankTeam& team, std::vector<int> ranks, std::vector<Worker*> workers,
             const schedule::LoweredSchedule& lowered);

  [[nodiscard]] const std::vector<int>& ranks() const { return m_ranks; }
  [[nodiscard]] RankTeam& team() const { return m_team; }
  /// The device and the stage of the first row of this process, as in `stepBegins`.
  [[nodiscard]] Json place() const;
  /// Puts the records of another rank on the leader's clock.
  template <class Measured>
  void putOnFirstClock(int rank, Measured& measured) const {
    for (auto& record : measured.records) {
      record.startNs = m_team.onFirstClock(rank, record.startNs);
      record.endNs = m_team.onFirstClock(rank, record.endNs);
    }
    for (auto& copy : measured.copies) {
      copy.startNs = m_team.onFirstClock(rank, copy.startNs);
      copy.endNs = m_team.onFirstClock(rank, copy.endNs);
    }
  }

  [[nodiscard]] bool isRemote(int row) const override;
  void send(int row, const ParcelKey& key, Parcels parcels) override;
  [[nodiscard]] std::optional<Parcels> receive(int row, const ParcelKey& key,
                                               const RunControl& control) override;
  void sendNorms(int stage, const std::vector<NamedNorm>& norms) override;
  [[nodiscard]] bool receiveNorms(NormBoard& board, const RunControl& control) override;
  [[nodiscard]] std::unique_ptr<GradientReducer> reducerOf(
      int stage, const plan::Variant& variant, std::vector<at::Tensor> parameters,
      std::vector<at::Tensor> buffers) override;
  void stepBegins(RunControl& control, std::function<Json()> doing) override;
  void stepEnds() override;
  [[nodiscard]] Status meet(const RunControl& control) override;
  [[nodiscard]] Status ask(Json task, const RunControl& control) override;
  [[nodiscard]] Result<std::vector<std::string>> answers(const RunControl& control) override;

 private:
  [[nodiscard]] std::int64_t tagOf(const ParcelKey& key, int taker) const;
  [[nodiscard]] int rankOf(int row) const { return m_ranks[static_cast<std::size_t>(row)]; }

  RankTeam& m_team;
  std::vector<int> m_ranks;
  std::vector<Worker*> m_workers;
  schedule::StageRows m_rows;
  int m_microBatches;
  std::map<int, std::shared_ptr<RankGroup>> m_groups;  ///< of the replicas of a stage
  RunControl* m_control = nullptr;                     ///< of the step in progress
};

}  // namespace stagelane::run
