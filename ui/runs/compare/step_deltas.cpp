#include "ui/runs/compare/step_deltas.h"

#include <algorithm>
#include <cstdlib>

#include "ui/kit/text/formatting.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {
namespace {

/// Changes below 1/kHardlyShare of the step are insignificant.
constexpr TimeNs kHardlyShare = 500;

class Rows {
 public:
  explicit Rows(const analysis::StepComparison& comparison)
      : m_comparison(comparison), m_hardlyNs(comparison.leftWallNs() / kHardlyShare) {}

  [[nodiscard]] StepDeltaRow row(QString name, TimeNs leftNs, TimeNs rightNs) const {
    const TimeNs deltaNs = rightNs - leftNs;
    const bool hardly = std::abs(deltaNs) <= m_hardlyNs;
    return {std::move(name), timeText(leftNs), timeText(rightNs),
            deltaNs == 0 ? QObject::tr("same") : timeDifferenceText(deltaNs),
            hardly        ? RunTone::Muted
            : deltaNs > 0 ? RunTone::Bad
                          : RunTone::Good};
  }

  [[nodiscard]] std::vector<StepDeltaRow> causes(std::size_t& leftOut) const {
    struct Change {
      const analysis::DeviceDelta* device;
      std::size_t cause;
      TimeNs deltaNs;
    };
    std::vector<Change> changes;
    for (const analysis::DeviceDelta& device : m_comparison.devices) {
      for (std::size_t cause = 0; cause < analysis::kCauseCount; ++cause) {
        const TimeNs left = device.left ? device.left->at(cause) : 0;
        const TimeNs right = device.right ? device.right->at(cause) : 0;
        if (left != right) changes.push_back({&device, cause, right - left});
      }
    }
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
      return std::abs(a.deltaNs) > std::abs(b.deltaNs);
    });
    std::vector<StepDeltaRow> rows;
    for (const Change& change : changes) {
      if (rows.size() == kMostDeltaRows) break;
      rows.push_back(ofCause(*change.device, change.cause));
    }
    leftOut = changes.size() - rows.size();
    return rows;
  }

  [[nodiscard]] std::vector<StepDeltaRow> groups() const {
    std::vector<StepDeltaRow> rows;
    for (const analysis::GroupDelta& group : m_comparison.groups) {
      if (rows.size() == kMostDeltaRows) break;
      if (group.deltaNs() == 0) continue;
      QString name = qstring(group.name);
      if (group.count > 1) name += u" ×%1"_s.arg(group.count);
      rows.push_back(row(std::move(name), group.leftNs, group.rightNs));
    }
    return rows;
  }

  [[nodiscard]] std::vector<StepDeltaRow> actions() const {
    std::vector<const analysis::ActionDelta*> changed;
    for (const analysis::ActionDelta& action : m_comparison.actions) {
      if (action.deltaNs() != 0) changed.push_back(&action);
    }
    std::stable_sort(changed.begin(), changed.end(), [](const auto* a, const auto* b) {
      return std::abs(a->deltaNs()) > std::abs(b->deltaNs());
    });
    std::vector<StepDeltaRow> rows;
    for (const analysis::ActionDelta* action : changed) {
      if (rows.size() == kMostDeltaRows) break;
      QString name = qstring(action->name);
      if (action->stage.value >= 0) name += QObject::tr(" of stage %1").arg(action->stage.value);
      rows.push_back(row(std::move(name), action->leftNs, action->rightNs));
    }
    return rows;
  }

 private:
  [[nodiscard]] StepDeltaRow ofCause(const analysis::DeviceDelta& device, std::size_t cause) const {
    const QString name =
        qstring(device.name) + QChar(u' ') + causeText(static_cast<analysis::Cause>(cause));
    StepDeltaRow entry = row(name, device.left ? device.left->at(cause) : 0,
                             device.right ? device.right->at(cause) : 0);
    if (!device.left) entry.left = u"–"_s;
    if (!device.right) entry.right = u"–"_s;
    return entry;
  }

  const analysis::StepComparison& m_comparison;
  TimeNs m_hardlyNs;
};

QString noteOf(const analysis::StepComparison& comparison, std::size_t both, const QString& left,
               const QString& right) {
  QStringList parts{
      countedText(static_cast<std::int64_t>(both), QObject::tr("action"), QObject::tr("actions")) +
      QObject::tr(" in both")};
  if (comparison.moved > 0) {
    parts << QObject::tr("%1 of them on another device").arg(comparison.moved);
  }
  if (comparison.onlyLeft > 0) {
    parts << QObject::tr("%1 in %2 only").arg(comparison.onlyLeft).arg(left);
  }
  if (comparison.onlyRight > 0) {
    parts << QObject::tr("%1 in %2 only").arg(comparison.onlyRight).arg(right);
  }
  return parts.join(u", "_s);
}

}  // namespace

StepDeltas stepDeltas(const analysis::StepComparison& comparison, const QString& left,
                      const QString& right) {
  const Rows rows(comparison);
  StepDeltas deltas;
  deltas.sentence = qstring(analysis::comparisonSentence(
      comparison, {utf8(left), utf8(right), utf8(QObject::tr("The step of %1").arg(right))}));
  std::size_t leftOut = 0;
  deltas.causes = rows.causes(leftOut);
  deltas.groups = rows.groups();
  deltas.actions = rows.actions();
  std::size_t both = 0;
  for (const analysis::GroupDelta& group : comparison.groups) both += group.count;
  deltas.note = noteOf(comparison, both, left, right);
  if (leftOut > 0) {
    deltas.note += QObject::tr("; %1 omitted")
                       .arg(countedText(static_cast<std::int64_t>(leftOut),
                                        QObject::tr("smaller change of a cause"),
                                        QObject::tr("smaller changes of causes")));
  }
  return deltas;
}

}  // namespace stagelane::ui
