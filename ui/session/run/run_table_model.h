#pragma once

/// The table of runs: filtered by search and status, sorted, with the runs checked for comparison.
/// For thousands of rows: filtering and sorting use the values, not roles; data() is O(1).

#include <QAbstractTableModel>
#include <QHash>
#include <QStringList>
#include <array>
#include <vector>

#include "engine/workspace/run_search.h"
#include "ui/session/run/run_history.h"

namespace stagelane::ui {

enum class RunKind { All, Done, Failed, Canceled, Noisy };
inline constexpr std::size_t kRunKinds = 5;

/// The meaning of a cell's text; the view chooses the color.
enum class RunTone { Plain, Muted, Good, Warning, Bad, Accent };

class RunTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    Checked,
    Number,
    Favourite,
    Started,
    Name,
    Devices,
    Variants,
    Best,
    Time,
    Speedup,
    Prediction,
    Gradients,
    State,
    kColumnCount
  };
  enum Role { kFolderRole = Qt::UserRole, kToneRole, kTagsRole };

  using QAbstractTableModel::QAbstractTableModel;

  /// A list of the same runs in the same order updates the rows without a reset.
  void setRuns(RunListPtr runs);
  void setSearch(const QString& text);
  void setKind(RunKind kind);
  /// The hosts of runs that go on there without being followed, by folder.
  void setLeft(QHash<QString, QString> hosts);
  [[nodiscard]] RunKind kind() const { return m_kind; }
  /// The number of search results of each kind.
  [[nodiscard]] const std::array<int, kRunKinds>& counts() const { return m_counts; }

  [[nodiscard]] QString folderOf(int row) const;
  /// -1 if it is not shown.
  [[nodiscard]] int rowOf(const QString& folder) const;
  /// Those that are shown, from the top.
  [[nodiscard]] QList<int> rowsOf(const QStringList& folders) const;
  /// The neighbor of a run that the last list removed: the next run, else the previous one; "" for
  /// none, or if the search removed it.
  [[nodiscard]] QString successorOf(const QString& folder) const;
  [[nodiscard]] const workspace::RunEntry& entry(int row) const;

  /// In the order in which they were checked; runs hidden by the search stay checked.
  [[nodiscard]] const QStringList& checked() const { return m_checked; }
  void setChecked(const QString& folder, bool checked);
  void clearChecked();

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  void sort(int column, Qt::SortOrder order) override;

 Q_SIGNALS:
  void checkedChanged();
  void countsChanged();

 private:
  using Rows = std::vector<std::size_t>;  ///< indexes in the list
  void arrange(RunListPtr runs);
  void order(const RunListPtr& runs, Rows& rows) const;
  [[nodiscard]] bool areShown(const RunListPtr& runs, const Rows& rows) const;
  [[nodiscard]] QString text(const workspace::RunEntry& entry, int column) const;
  [[nodiscard]] QString tip(const workspace::RunEntry& entry, int column) const;

  RunListPtr m_runs;
  Rows m_rows;
  std::vector<std::string> m_before;  ///< folders shown before the last list
  workspace::RunSearch m_search;
  RunKind m_kind = RunKind::All;
  std::array<int, kRunKinds> m_counts{};
  QStringList m_checked;
  QHash<QString, QString> m_left;
  int m_sortColumn = Started;
  Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

[[nodiscard]] QString runKindText(RunKind kind);
/// "21 Nov 10:31"; with the year unless it is `year`.
[[nodiscard]] QString startedText(const std::string& isoTime, int year);
/// "301.8 ± 1.4 ms": mean and standard deviation in one unit.
[[nodiscard]] QString spreadText(double meanS, double stdS);
/// The same; for one repeat "301.8 ms, one repeat", which has no spread.
[[nodiscard]] QString repeatsText(double meanS, double stdS, std::size_t repeats);
/// "done", "failed, out of memory", "canceled, 3 of 10", "noisy, spread 5.9 %".
[[nodiscard]] QString stateText(const workspace::RunEntry& entry);
[[nodiscard]] RunTone stateTone(const workspace::RunEntry& entry);
/// "run 14": the display name of a run.
[[nodiscard]] QString runTitle(const workspace::RunEntry& entry);
[[nodiscard]] bool isOfKind(const workspace::RunEntry& entry, RunKind kind);

}  // namespace stagelane::ui
