#pragma once

/// How the chain of the plan is drawn as chips: which groups of blocks are open, and what a chip's
/// width shows. A group that is split across stages stays open.

#include <QObject>
#include <QSet>
#include <QString>
#include <cstddef>
#include <vector>

#include "ui/plan/plan_model/chain_layout.h"

namespace stagelane::ui {

class PlanModel;

enum class ChipWidth { Time, Memory, Parameters };

class ChipGroups final : public QObject {
  Q_OBJECT

 public:
  /// @pre `plan` outlives this
  explicit ChipGroups(PlanModel* plan, QObject* parent = nullptr);

  [[nodiscard]] const std::vector<ChainGroup>& all() const { return m_groups; }
  void set(std::vector<ChainGroup> groups) { m_groups = std::move(groups); }
  /// Closes all groups, for a newly loaded document.
  void forget() { m_open.clear(); }
  /// A group that an edit reunites stays open, so that a drag changes no chip's x.
  void keepOpen(const QSet<QString>& groups) { m_open += groups - open(); }

  [[nodiscard]] QSet<QString> open() const;
  void toggle(const QString& name);
  [[nodiscard]] const ChainGroup* groupOf(std::size_t block) const;
  [[nodiscard]] ChipWidth width() const { return m_width; }
  void setWidth(ChipWidth width);
  [[nodiscard]] ChainRequest chainRequest(qreal width) const;

 Q_SIGNALS:
  void changed();

 private:
  [[nodiscard]] bool splitAcrossDevices(const ChainGroup& group) const;

  PlanModel* m_plan;
  std::vector<ChainGroup> m_groups;
  QSet<QString> m_open;
  ChipWidth m_width = ChipWidth::Time;
};

}  // namespace stagelane::ui
