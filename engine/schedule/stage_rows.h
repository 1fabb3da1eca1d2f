#pragma once

/// Which row of a schedule runs which micro-batch of a stage. Numbers only: plan/rows.h has the
/// devices of the rows.

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace stagelane::schedule {

/// The rows of each stage, one for each of its replicas. A copy is one replica of one stage; copies
/// are numbered stage by stage.
class StageRows {
 public:
  StageRows() = default;
  /// Stages of one replica each: stage → row.
  StageRows(std::vector<int> rowOfStage)  // NOLINT(google-explicit-*)
      : m_rows(std::move(rowOfStage)) {}
  StageRows(std::initializer_list<int> rowOfStage) : m_rows(rowOfStage) {}
  /// Stage → replica → row. @pre each stage has a row
  [[nodiscard]] static StageRows ofReplicas(const std::vector<std::vector<int>>& groups);

  [[nodiscard]] int stages() const {
    return static_cast<int>(areSingle() ? m_rows.size() : m_begin.size() - 1);
  }
  /// The largest row number plus one.
  [[nodiscard]] int rows() const;
  [[nodiscard]] int copies() const { return static_cast<int>(m_rows.size()); }
  /// Whether every stage has one replica.
  [[nodiscard]] bool areSingle() const { return m_begin.empty(); }
  [[nodiscard]] int replicas(int stage) const {
    return areSingle() ? 1 : begin(stage + 1) - begin(stage);
  }
  [[nodiscard]] int row(int stage, int replica = 0) const {
    return m_rows[static_cast<std::size_t>(begin(stage) + replica)];
  }
  /// The replica that runs a micro-batch: they take turns.
  /// @source Narayanan et al., PipeDream, SOSP 2019, section 3.2 (1F1B-RR: input i on replica
  /// i mod n)
  [[nodiscard]] int replicaOf(int stage, int microBatch) const {
    return areSingle() ? 0 : microBatch % replicas(stage);
  }
  /// The row that runs a micro-batch of a stage.
  [[nodiscard]] int of(int stage, int microBatch) const {
    if (areSingle()) return m_rows[static_cast<std::size_t>(stage)];
    return row(stage, replicaOf(stage, microBatch));
  }
  /// The replica of the stage on that row, -1 where there is none.
  [[nodiscard]] int replicaOn(int stage, int row) const {
    if (areSingle()) return m_rows[static_cast<std::size_t>(stage)] == row ? 0 : -1;
    return findReplica(stage, row);
  }
  /// The copy of the stage on that row. @pre there is one
  [[nodiscard]] int copyOn(int stage, int row) const {
    return areSingle() ? stage : begin(stage) + replicaOn(stage, row);
  }
  /// Stage → row. @pre areSingle()
  [[nodiscard]] const std::vector<int>& rowOfStage() const { return m_rows; }
  friend bool operator==(const StageRows&, const StageRows&) = default;

 private:
  /// The first copy of a stage.
  [[nodiscard]] int begin(int stage) const {
    return areSingle() ? stage : m_begin[static_cast<std::size_t>(stage)];
  }

  [[nodiscard]] int findReplica(int stage, int row) const;
  void indexRows();

  /// A replica of a stage on some row.
  struct OnRow {
    int stage = 0;
    int replica = 0;
    friend bool operator==(const OnRow&, const OnRow&) = default;
  };

  std::vector<int> m_rows;   ///< copy → row
  std::vector<int> m_begin;  ///< stage → first copy, then the number of copies; empty: all single
  /// Of stages with replicas: what each row has, row by row, and the first entry of each row. A
  /// group may have thousands of rows, and a row has few stages.
  std::vector<OnRow> m_onRow;
  std::vector<int> m_beginOfRow;
};

/// For code that supports only stages on one device.
/// @errors Invalid: a stage has replicas
[[nodiscard]] Status requireSingle(const StageRows& rows);

}  // namespace stagelane::schedule
