#pragma once

/// The table of runs: what is shown of the history (search, status), in which order, and which runs
/// are ticked to be compared. Thousands of rows: filtering and sorting work on the values, not
/// through roles; data() is O(1).

#include <QAbstractTableModel>
#include <QStringList>
#include <array>
#include <vector>

#include "engine/workspace/run_search.h"
#include "ui/session/run/run_history.h"

namespace stagelane::ui {

enum class RunKind { All, Done, Failed, Canceled, Noisy };
inline constexpr std::size_t kRunKinds = 5;

/// How a cell's words are to be taken; the view has the colours.
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

  /// A list of the same runs in the same order changes what the rows say, not the rows.
  void setRuns(RunListPtr runs);
  void setSearch(const QString& text);
  void setKind(RunKind kind);
  [[nodiscard]] RunKind kind() const { return m_kind; }
  /// How many runs of each kind the search finds.
  [[nodiscard]] const std::array<int, kRunKinds>& counts() const { return m_counts; }

  [[nodiscard]] QString folderOf(int row) const;
  /// -1 when it is not shown.
  [[nodiscard]] int rowOf(const QString& folder) const;
  /// Those of them that are shown, from the top.
  [[nodiscard]] QList<int> rowsOf(const QStringList& folders) const;
  /// Of a run that the last list took away: the one that came behind it, else the one before it;
  /// "" when there is none, or when it was the search that took it.
  [[nodiscard]] QString successorOf(const QString& folder) const;
  [[nodiscard]] const workspace::RunEntry& entry(int row) const;

  /// In the order they were ticked; those that the search hides stay ticked.
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
  using Rows = std::vector<std::size_t>;  ///< places in the list
  void arrange(RunListPtr runs);
  void order(const RunListPtr& runs, Rows& rows) const;
  [[nodiscard]] bool areShown(const RunListPtr& runs, const Rows& rows) const;
  [[nodiscard]] QString tip(const workspace::RunEntry& entry, int column) const;

  RunListPtr m_runs;
  Rows m_rows;
  std::vector<std::string> m_before;  ///< folders that were shown before the list was another
  workspace::RunSearch m_search;
  RunKind m_kind = RunKind::All;
  std::array<int, kRunKinds> m_counts{};
  QStringList m_checked;
  int m_sortColumn = Started;
  Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

[[nodiscard]] QString runKindText(RunKind kind);
/// "21 Nov 10:31"; the year too where it is not `year`.
[[nodiscard]] QString startedText(const std::string& isoTime, int year);
/// "301.8 ± 1.4 ms": mean and standard deviation in one unit.
[[nodiscard]] QString spreadText(double meanS, double stdS);
/// The same; of one repeat "301.8 ms, one repeat", for it has no spread.
[[nodiscard]] QString repeatsText(double meanS, double stdS, std::size_t repeats);
/// "done", "failed, out of memory", "canceled, 3 of 10", "noisy, spread 5.9 %": three words.
[[nodiscard]] QString stateText(const workspace::RunEntry& entry);
[[nodiscard]] RunTone stateTone(const workspace::RunEntry& entry);
/// "run 14": what a run is called.
[[nodiscard]] QString runTitle(const workspace::RunEntry& entry);
[[nodiscard]] bool isOfKind(const workspace::RunEntry& entry, RunKind kind);

}  // namespace stagelane::ui
