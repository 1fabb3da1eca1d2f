#include "ui/timeline/timeline_tables.h"

#include <algorithm>
#include <cmath>

#include "engine/base/apportion.h"
#include "ui/kit/text/formatting.h"
#include "ui/timeline/table_looks.h"

namespace stagelane::ui {
namespace {

using detail::StepUnit;
using detail::swatch;
using detail::unitOf;

QString capitalized(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString inUnit(TimeNs ns, const StepUnit& unit) {
  const double value = static_cast<double>(ns) / unit.ns;
  QString text = QString::number(std::abs(value), 'f', std::abs(value) >= 9999.5 ? 0 : 1);
  return value <= -0.05 ? QChar(u'\u2212') + text : text;
}

/// Percentages of the step: busy, then each idle cause.
std::vector<double> sharesOf(const std::vector<TimeNs>& parts) {
  return roundedBusyAndIdle({parts.front()}, {parts.begin() + 1, parts.end()}, 1);
}

/// Busy, then each idle cause.
std::vector<TimeNs> partsOf(const analysis::DeviceStep& device) {
  std::vector<TimeNs> parts{device.busyNs()};
  for (const analysis::Cause cause : analysis::kShownIdleCauses) {
    parts.push_back(device.causeNs[static_cast<std::size_t>(cause)]);
  }
  return parts;
}

/// Unattributed idle time is listed only where it is measured or predicted.
bool isListed(const TimelineData& timeline, analysis::Cause cause) {
  if (cause != analysis::Cause::Unattributed) return true;
  const auto has = [&](const analysis::DeviceStep& device) {
    return device.causeNs[static_cast<std::size_t>(cause)] > 0;
  };
  const auto& devices = timeline.step().devices;
  if (std::any_of(devices.begin(), devices.end(), has)) return true;
  const analysis::StepBreakdown* predicted = timeline.predictedStep();
  return predicted != nullptr &&
         std::any_of(predicted->devices.begin(), predicted->devices.end(), has);
}

/// The device of that name in the predicted step; null if there is none.
const analysis::DeviceStep* predictedTwin(const TimelineData& timeline, const QString& name) {
  if (timeline.predictedStep() == nullptr) return nullptr;
  for (const analysis::DeviceStep& device : timeline.predictedStep()->devices) {
    const auto& devices = timeline.predicted()->devices();
    if (qstring(devices[static_cast<std::size_t>(device.device)]) == name) return &device;
  }
  return nullptr;
}

}  // namespace

void IdleCauseModel::setTimeline(TimelineDataPtr timeline) {
  beginResetModel();
  m_rows.clear();
  m_headers = {QString()};
  if (timeline && !timeline->step().devices.empty()) {
    m_rows.push_back({tr("Busy"), analysis::Cause::Compute, {}});
    for (const analysis::Cause cause : analysis::kShownIdleCauses) {
      if (isListed(*timeline, cause)) m_rows.push_back({capitalized(causeText(cause)), cause, {}});
    }
    m_rows.push_back({tr("Step"), analysis::Cause::Compute, {}});
    const StepUnit unit = unitOf(*timeline);
    for (const analysis::DeviceStep& device : timeline->step().devices) {
      const QString name =
          qstring(timeline->trace().devices()[static_cast<std::size_t>(device.device)]);
      m_headers << name + QChar(u' ') + unit.name << u"%"_s;
      const analysis::DeviceStep* twin = predictedTwin(*timeline, name);
      const std::vector<double> expected =
          twin == nullptr ? std::vector<double>{} : sharesOf(partsOf(*twin));
      if (timeline->predictedStep() != nullptr) m_headers << tr("pred. %");
      const std::vector<TimeNs> parts = partsOf(device);
      const std::vector<double> shares = sharesOf(parts);
      for (std::size_t i = 0; i + 1 < m_rows.size(); ++i) {
        m_rows[i].cells << inUnit(parts[i], unit) << numberText(shares[i], 1);
        if (timeline->predictedStep() == nullptr) continue;
        m_rows[i].cells << (expected.empty() ? u"–"_s : numberText(expected[i], 1));
      }
      m_rows.back().cells << inUnit(timeline->step().wallNs(), unit) << numberText(100.0, 1);
      if (timeline->predictedStep() != nullptr) {
        m_rows.back().cells << (expected.empty() ? u"–"_s : numberText(100.0, 1));
      }
    }
  }
  endResetModel();
}

int IdleCauseModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int IdleCauseModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

QVariant IdleCauseModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) {
    return index.column() == 0 ? row.name : row.cells.value(index.column() - 1);
  }
  if (role == Qt::TextAlignmentRole && index.column() > 0) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  }
  const bool last = index.row() + 1 == rowCount();
  if (role == Qt::DecorationRole && index.column() == 0 && !last) {
    return swatch(brushOf(*m_theme, row.cause, 2.0));
  }
  if (role == Qt::FontRole && last) return fontOf(TextSize::Body, TextWeight::Bold);
  return {};
}

void IdleCauseModel::setTheme(const Theme& theme) {
  m_theme = &theme;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0));
}

QVariant IdleCauseModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) return m_headers.value(section);
  if (role == Qt::TextAlignmentRole && section > 0) {
    return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
  }
  return {};
}

analysis::Cause IdleCauseModel::causeOf(int row) const {
  return m_rows[static_cast<std::size_t>(row)].cause;
}

}  // namespace stagelane::ui
