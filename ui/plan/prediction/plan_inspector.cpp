#include "ui/plan/prediction/plan_inspector.h"

#include <algorithm>
#include <memory>

#include "engine/record/run_record.h"
#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/plan/prediction/all_reduce_section.h"
#include "ui/plan/prediction/device_name_label.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/peak_range.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_marks.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_words.h"
#include "ui/session/session.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {
namespace {

double shareOf(TimeNs part, TimeNs whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

/// Rows per device in the lists of idle shares and of peaks.
constexpr int kIdleRows = 3;
constexpr int kPeakRows = 2;

void removeLast(QLayout& rows, int count) {
  for (; count > 0; --count) {
    const std::unique_ptr<QLayoutItem> item(rows.takeAt(rows.count() - 1));
    delete item->widget();
  }
}

/// The speed-up that fills the bar.
double wholeOf(const PlanPrediction& plan) {
  return std::max({1.0, plan.mostSpeedup(), plan.speedup()});
}
}  // namespace

PlanInspector::PlanInspector(PlanModel* plan, QWidget* parent)
    : QWidget(parent), m_plan(plan), m_layout(new QVBoxLayout(this)) {
  setProperty("look", u"panel"_s);
  setAttribute(Qt::WA_StyledBackground);
  build();
  connect(plan, &PlanModel::planChanged, this, &PlanInspector::refresh);
  connect(&plan->dropPreview(), &DropPreview::changed, this, &PlanInspector::refresh);
  connect(plan, &PlanModel::predictionChanged, this, &PlanInspector::refresh);
  connect(&plan->figures(), &PlanFigures::measuredChanged, this, &PlanInspector::refresh);
  connect(&plan->session().costs(), &Costs::peakHistoryChanged, this, &PlanInspector::refresh);
  connect(plan->session().currentTheme(), &CurrentTheme::changed, this, &PlanInspector::refresh);
  connect(plan->session().currentTheme(), &CurrentTheme::changed, this,
          &PlanInspector::refreshLegend);
  refresh();
  refreshLegend();
}

QLabel* PlanInspector::heading(const QString& text) {
  auto* label = new QLabel(text, this);
  label->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  setLook(label, u"muted"_s);
  m_layout->addSpacing(10);
  m_layout->addWidget(label);
  return label;
}

QLabel* PlanInspector::line(const QString& look) {
  auto* label = new QLabel(this);
  label->setWordWrap(true);
  // A long name must not push the figures out of the panel.
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setLook(label, look);
  m_layout->addWidget(label);
  return label;
}

void PlanInspector::build() {
  m_layout->setContentsMargins(measure::kPanelPadding, 8, measure::kPanelPadding, 8);
  m_layout->setSpacing(3);
  buildHead();
  buildStepTime();
  buildSpeedup();
  buildDeviceRows();
  m_gradientHeading = heading(tr("Gradients"));
  m_gradient = new Badge(this);
  m_layout->addWidget(m_gradient, 0, Qt::AlignLeft);
  heading(tr("Suggestions"));
  m_suggestions = new SuggestionPanel(m_plan, this);
  m_layout->addWidget(m_suggestions);
  m_layout->addStretch(1);
}

void PlanInspector::buildHead() {
  m_name = new QLabel(this);
  m_name->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_badge = new Badge(this);
  m_badge->setObjectName(u"planBasis"_s);
  m_layout->addLayout(rowLayout({}, {{m_name, 1}, m_badge}));
  m_problem = line(u"error"_s);
  setNames(m_problem, u"impediment"_s, tr("Reason the plan cannot run"));
}

void PlanInspector::buildStepTime() {
  heading(tr("Step time"));
  m_stepTime = new QLabel(this);
  m_stepTime->setObjectName(u"stepTime"_s);
  m_stepTime->setAccessibleName(tr("Predicted step time"));
  m_stepTime->setFont(fontOf(TextSize::StepTime, TextWeight::Bold));
  m_stepTime->setToolTip(
      tr("Time of one step over the batch: forward, backward and update on all devices"));
  m_change = new QLabel(this);
  m_change->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_layout->addLayout(rowLayout({}, {{m_stepTime, 1}, {m_change, 0, Qt::AlignBottom}}));
  m_known = line(u"muted"_s);
  setNames(m_known, u"costsKnown"_s, tr("Source of the numbers"));
  m_was = line(u"muted"_s);
  setNames(m_was, u"planNow"_s, tr("Step time of the current plan"));
  m_measured = line(u"muted"_s);
  setNames(m_measured, u"measuredStep"_s, tr("Measured step time"));
  m_restore = new QPushButton(tr("Restore that plan"), this);
  m_restore->setObjectName(u"restorePlan"_s);
  m_restore->setAccessibleName(m_restore->text());
  addAction(new ControlAction(tr("Restore the measured plan"), m_restore, this));
  setLook(m_restore, u"link"_s);
  m_restore->setCursor(Qt::PointingHandCursor);
  m_layout->addWidget(m_restore, 0, Qt::AlignLeft);
  connect(m_restore, &QPushButton::clicked, this, &PlanInspector::restoreRequested);
}

void PlanInspector::buildSpeedup() {
  heading(tr("Speed-up"));
  m_speedup = new QLabel(this);
  m_speedup->setObjectName(u"speedup"_s);
  m_speedup->setAccessibleName(tr("Predicted speed-up"));
  m_speedup->setFont(fontOf(TextSize::KeyFigure, TextWeight::Bold));
  m_speedup->setToolTip(
      tr("Predicted speed relative to the best single device, compared with the number of "
         "devices"));
  m_bound = new QLabel(this);
  m_bound->setToolTip(
      tr("Upper bound for every schedule of this plan: the first and last micro-batch pass all "
         "stages in sequence, and each device does its share of the work"));
  setLook(m_bound, u"muted"_s);
  m_layout->addLayout(rowLayout({}, {{m_speedup, 1}, m_bound}));
  m_speedupBar = new GaugeBar(m_plan->session().currentTheme(), this);
  m_layout->addWidget(m_speedupBar);
  m_base = line(u"muted"_s);
  m_measuredSpeedup = line(u"muted"_s);
  setNames(m_measuredSpeedup, u"measuredSpeedup"_s, tr("Measured speed-up"));
  m_measuredSpeedup->setToolTip(tr("Speed relative to the base, from the medians of the last run"));
}

void PlanInspector::buildDeviceRows() {
  heading(tr("Idle"));
  m_idleRows = columnLayout({.spacing = 3});
  m_layout->addLayout(m_idleRows);
  heading(tr("Peak memory"));
  m_peakRows = columnLayout({.spacing = 3});
  m_layout->addLayout(m_peakRows);
  m_memoryLegend = line(u"muted"_s);
  m_memoryLegend->setTextFormat(Qt::RichText);
  m_memoryLegend->setFont(fontOf(TextSize::Caption));
  setNames(m_memoryLegend, u"memoryLegend"_s, tr("Memory breakdown"));
  m_peakSource = line(u"muted"_s);
  m_peakSource->setFont(fontOf(TextSize::Caption));
  setNames(m_peakSource, u"peakSource"_s, tr("Source of the error bars"));
  m_allReduce = new AllReduceSection(m_plan, this);
  m_layout->addWidget(m_allReduce);
}

/// Rows of unchanged devices are kept, because creating them is the slowest part of an edit.
void PlanInspector::buildDevices() {
  const std::vector<DeviceId>& devices = m_plan->devices();
  const auto known =
      std::mismatch(m_deviceIds.begin(), m_deviceIds.end(), devices.begin(), devices.end()).first;
  m_deviceIds.erase(known, m_deviceIds.end());
  while (m_devices.size() > m_deviceIds.size()) {
    m_devices.pop_back();
    removeLast(*m_idleRows, kIdleRows);
    removeLast(*m_peakRows, kPeakRows);
  }
  for (std::size_t at = m_deviceIds.size(); at < devices.size(); ++at) {
    m_deviceIds.push_back(devices[at]);
    addDevice(devices[at]);
  }
}

void PlanInspector::addDevice(const DeviceId& device) {
  DeviceRow row;
  auto* idle = new QWidget(this);
  row.name = deviceNameLabel(device, idle);
  row.share = new QLabel(idle);
  rowLayout(idle, {.margins = {0, 0, 0, 0}}, {{row.name, 1}, row.share});
  m_idleRows->addWidget(idle);
  row.idle = new IdleBar(m_plan->session().currentTheme(), this);
  m_idleRows->addWidget(row.idle);
  row.measuredShare = new QLabel(this);
  row.measuredShare->setAlignment(Qt::AlignRight);
  setLook(row.measuredShare, u"muted"_s);
  setNames(row.measuredShare, u"measuredIdle."_s + qstring(device.value),
           tr("Measured idle share of %1").arg(qstring(device.value)));
  m_idleRows->addWidget(row.measuredShare);
  auto* peak = new QWidget(this);
  row.peakName = deviceNameLabel(device, peak);
  row.peakBar = new GaugeBar(m_plan->session().currentTheme(), peak);
  row.peak = new QLabel(peak);
  setNames(row.peak, u"peak."_s + qstring(device.value),
           tr("Predicted peak memory of %1").arg(qstring(device.value)));
  rowLayout(peak, {.margins = {0, 0, 0, 0}}, {row.peakName, {row.peakBar, 1}, row.peak});
  m_peakRows->addWidget(peak);
  row.measuredPeak = new QLabel(this);
  row.measuredPeak->setAlignment(Qt::AlignRight);
  setLook(row.measuredPeak, u"muted"_s);
  setNames(row.measuredPeak, u"measuredPeak."_s + qstring(device.value),
           tr("Measured peak memory of %1").arg(qstring(device.value)));
  m_peakRows->addWidget(row.measuredPeak);
  m_devices.push_back(row);
}

void PlanInspector::refresh() {
  const Session& session = m_plan->session();
  const VariantTab* tab = session.document().tab(session.selection().tabId());
  m_name->setText(tab == nullptr ? QString() : tab->name.simplified());
  const PlanPredictionPtr shown = m_plan->dropPreview().shownPrediction();
  const PlanPredictionPtr now = session.predictor().prediction();
  const bool previewing = m_plan->dropPreview().active();
  showBasis(shown.get(), previewing);
  const auto& error = session.predictor().error();
  const QString impediment = shown ? shown->impediment() : QString();
  m_problem->setText(!m_plan->dropPreview().problem().isEmpty() ? m_plan->dropPreview().problem()
                     : error                                    ? sentenceText(*error)
                                                                : impediment);
  m_problem->setVisible(!m_problem->text().isEmpty());
  buildDevices();
  // Figures with different bases are not comparable.
  const bool comparable = now && shown && now->basis == shown->basis;
  const PlanPrediction* before = previewing && now != shown && comparable ? now.get() : nullptr;
  const bool valid = shown != nullptr;
  const bool known = m_plan->dropPreview().known() ||
                     (!previewing && !error.has_value() && !session.predictor().stale());
  showDimmed(!valid || !known);
  refreshStep(shown.get(), before);
  refreshSpeedup(shown.get(), before);
  refreshDevices(shown.get(), before);
  m_allReduce->refresh(shown.get(), before, !valid || !known);
  refreshMeasured();
}

/// Values of an older plan stay, dimmed.
void PlanInspector::showDimmed(bool dimmed) {
  QList<QWidget*> figures{m_stepTime, m_speedup, m_bound, m_speedupBar, m_base};
  for (const DeviceRow& row : m_devices) {
    figures << row.name << row.share << row.idle << row.peakName << row.peakBar << row.peak;
  }
  for (QWidget* figure : figures) figure->setEnabled(!dimmed);
}

void PlanInspector::showBasis(const PlanPrediction* shown, bool previewing) {
  const Theme& theme = m_plan->session().currentTheme()->theme();
  m_known->setVisible(shown != nullptr && !previewing);
  m_badge->setToolTip(m_plan->dropPreview().text());
  if (previewing && m_plan->dropPreview().known()) {
    m_badge->show(theme, tr("preview of this drop"), Tone::Accent);
  } else if (previewing) {
    const bool impossible = !m_plan->dropPreview().problem().isEmpty();
    m_badge->show(theme, impossible ? tr("Impossible") : tr("Updating"),
                  impossible ? Tone::Error : Tone::Accent);
  } else if (const auto& error = m_plan->session().predictor().error()) {
    m_badge->show(theme, tr("Impossible"), Tone::Error);
    m_badge->setToolTip(sentenceText(*error));
    m_known->setText(tr("Values are from the last valid plan"));
    m_known->setToolTip({});
  } else if (shown == nullptr) {
    m_badge->show(theme, QString(), Tone::Accent);
  } else {
    const BasisWords words = wordsOf(shown->basis, m_plan->session().costs().facts());
    m_badge->show(theme, words.brief, words.doubtful ? Tone::Warning : toneOf(shown->basis));
    m_badge->setToolTip(words.meaning);
    m_known->setText(words.text);
    m_known->setToolTip(words.meaning);
  }
}

void PlanInspector::refreshStep(const PlanPrediction* shown, const PlanPrediction* now) {
  m_stepTime->setText(shown != nullptr ? approximately(shown->basis) + timeText(shown->stepNs)
                                       : QString(QChar(0x2013)));
  m_change->setVisible(shown != nullptr && now != nullptr);
  m_was->setVisible(shown != nullptr && now != nullptr);
  if (shown == nullptr || now == nullptr) return;
  const TimeNs difference = shown->stepNs - now->stepNs;
  m_change->setText(timeDifferenceText(difference) + u", "_s +
                    percentDifferenceText(shareOf(difference, now->stepNs)));
  setLook(m_change, difference <= 0 ? u"success"_s : u"error"_s);
  m_was->setText(tr("Current: %1").arg(approximately(now->basis) + timeText(now->stepNs)));
}

void PlanInspector::refreshSpeedup(const PlanPrediction* shown, const PlanPrediction* now) {
  const bool known = shown != nullptr && shown->speedup() > 0.0;
  m_speedupBar->setVisible(known);
  m_base->setVisible(known);
  m_bound->setVisible(known);
  if (!known) {
    m_speedup->setText(QChar(0x2013));
    return;
  }
  const QString times = approximately(shown->basis) + timesText(shown->speedup());
  const double most = shown->mostSpeedup();
  m_speedup->setText(most <= 0.0           ? times
                     : shown->devicesAlike ? tr("%1 of %2×").arg(times, preciseText(most, 6))
                                           : tr("%1 of %2").arg(times, timesText(most)));
  m_bound->setText(tr("bound %1").arg(timesText(shown->boundSpeedup())));
  const double whole = wholeOf(*shown);
  m_speedupBar->show(shown->speedup() / whole, now != nullptr ? now->speedup() / whole : -1.0,
                     shown->boundSpeedup() / whole, false);
  m_base->setText(tr("Base: %1, %2")
                      .arg(qstring(shown->baseName),
                           approximately(shown->basis) + timeText(shown->baseStepNs)));
}

void PlanInspector::refreshDevices(const PlanPrediction* shown, const PlanPrediction* now) {
  for (std::size_t at = 0; at < m_devices.size(); ++at) {
    DeviceRow& row = m_devices[at];
    const PredictedDevice* after = shown != nullptr ? shown->device(m_deviceIds[at]) : nullptr;
    const PredictedDevice* before = now != nullptr ? now->device(m_deviceIds[at]) : nullptr;
    const auto index =
        after != nullptr && after->row >= 0 ? static_cast<std::size_t>(after->row) : 0;
    const bool used =
        after != nullptr && after->row >= 0 && index < shown->breakdown.devices.size();
    row.idle->setVisible(used);
    row.share->setText(
        used ? percentText(
                   shareOf(shown->breakdown.devices[index].idleNs(), shown->breakdown.wallNs()), 1)
        : shown != nullptr ? tr("unused")
                           : QString(QChar(0x2013)));
    if (used) {
      row.idle->show(shown->breakdown.devices[index]);
      row.idle->setToolTip(idleText(*shown->trace, shown->breakdown, index));
    }
    if (before != nullptr && before->row >= 0) {
      const auto old = static_cast<std::size_t>(before->row);
      row.share->setText(
          row.share->text() +
          tr("   was %1")
              .arg(percentText(
                  shareOf(now->breakdown.devices[old].idleNs(), now->breakdown.wallNs()), 1)));
    }
    refreshPeak(row, after, before, shown != nullptr ? shown->basis : predict::Basis::Estimate);
  }
  refreshPeakSource();
}

void PlanInspector::refreshPeak(DeviceRow& row, const PredictedDevice* after,
                                const PredictedDevice* before, predict::Basis basis) {
  row.peak->setFixedWidth(96);
  row.peak->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  if (after == nullptr) {
    row.peakBar->show(0.0, -1.0, -1.0, false);
    row.peakBar->setParts({});
    row.peakBar->setRange(std::nullopt);
    row.peak->setText(QChar(0x2013));
    return;
  }
  const bool budget = after->budgetBytes && *after->budgetBytes > 0;
  const Bytes whole = budget ? *after->budgetBytes : m_plan->figures().largestPeak();
  row.peakBar->show(shareOf(after->peakBytes, whole),
                    before != nullptr ? shareOf(before->peakBytes, whole) : -1.0, -1.0,
                    after->overBudget());
  row.peakBar->setParts(partsOf(*after));
  QString meaning = memoryText(m_plan->figures().memoryOf(*after));
  const PeakRange range = m_plan->figures().peakRange(after->id);
  if (range.known()) {
    row.peakBar->setRange(std::pair(shareOf(range.low, whole), shareOf(range.high, whole)));
    meaning += tr("\nError bar: %1. %2").arg(peakRangeText(range), peakRangeMeaning(range));
  } else {
    row.peakBar->setRange(std::nullopt);
  }
  row.peakBar->setToolTip(meaning);
  row.peak->setToolTip(meaning);
  row.peak->setText(budget ? predictedPeakText(basis, after->peakBytes, whole, tr(" of "))
                           : predictedPeakText(basis, after->peakBytes));
}

/// Devices of one type share a source; a mixed plan names that of the first device.
void PlanInspector::refreshPeakSource() {
  m_peakSource->clear();
  for (const DeviceId& device : m_plan->devices()) {
    const PeakRange range = m_plan->figures().peakRange(device);
    if (range.known() && m_peakSource->text().isEmpty()) {
      m_peakSource->setText(tr("Error bars: %1").arg(peakRangeSource(range)));
      m_peakSource->setToolTip(peakRangeMeaning(range));
    }
  }
  m_peakSource->setVisible(!m_peakSource->text().isEmpty());
}

std::vector<std::pair<double, QColor>> PlanInspector::partsOf(const PredictedDevice& device) const {
  std::vector<std::pair<double, QColor>> parts;
  const auto bytes = m_plan->figures().memoryOf(device).all();
  const auto colors = memoryColors(m_plan->session().currentTheme()->theme());
  for (std::size_t part = 0; part < bytes.size(); ++part) {
    parts.emplace_back(shareOf(bytes[part], std::max<Bytes>(1, device.peakBytes)), colors[part]);
  }
  return parts;
}

void PlanInspector::refreshLegend() {
  QStringList words;
  const auto colors = memoryColors(m_plan->session().currentTheme()->theme());
  for (std::size_t part = 0; part < colors.size(); ++part) {
    words.append(u"<span style=\"color:%1\">■</span>&nbsp;%2"_s.arg(colors[part].name(),
                                                                    memoryNames()[part]));
  }
  m_memoryLegend->setText(words.join(u"  "_s));
}

void PlanInspector::refreshMeasured() {
  const auto& measured = m_plan->figures().measured();
  m_measured->setVisible(measured.has_value());
  m_restore->setVisible(measured && !measured->ofThisPlan);
  if (measured) {
    QString when = measured->when();
    when[0] = when[0].toUpper();
    m_measured->setText(u"%1: %2"_s.arg(when, timeText(measured->stepNs)));
  }
  refreshMeasuredFigures();
  refreshGradients();
}

/// Shows the measured value beside each predicted one.
void PlanInspector::refreshMeasuredFigures() {
  const auto& measured = m_plan->figures().measured();
  const bool stale = measured && !measured->ofThisPlan;
  const PlanPredictionPtr shown = m_plan->dropPreview().shownPrediction();
  const bool speedup = measured && measured->speedup && m_speedupBar->isVisibleTo(this);
  m_measuredSpeedup->setVisible(speedup);
  m_speedupBar->setMeasured(std::nullopt);
  if (speedup && shown) {
    m_measuredSpeedup->setText(tr("%1 %2").arg(timesText(*measured->speedup), measured->when()));
    m_speedupBar->setMeasured(*measured->speedup / wholeOf(*shown), stale);
  }
  for (std::size_t at = 0; at < m_devices.size(); ++at) {
    DeviceRow& row = m_devices[at];
    const MeasuredDevice* device = measured ? measured->device(m_deviceIds[at]) : nullptr;
    const PredictedDevice* figures = shown ? shown->device(m_deviceIds[at]) : nullptr;
    row.measuredShare->setVisible(device != nullptr);
    row.measuredPeak->setVisible(device != nullptr && device->peakBytes > 0);
    row.peakBar->setMeasured(std::nullopt);
    if (device == nullptr) continue;
    row.measuredShare->setText(tr("measured %1").arg(percentText(1.0 - device->busyShare, 1)));
    row.measuredPeak->setText(tr("measured %1").arg(bytesText(device->peakBytes)));
    if (device->peakBytes > 0) {
      const Bytes whole = figures != nullptr && figures->budgetBytes && *figures->budgetBytes > 0
                              ? *figures->budgetBytes
                              : m_plan->figures().largestPeak();
      row.peakBar->setMeasured(shareOf(device->peakBytes, whole), stale);
    }
  }
}

void PlanInspector::refreshGradients() {
  const Session& session = m_plan->session();
  const record::VariantResult* result = session.results().of(session.selection().variantId());
  const bool inference = result != nullptr && result->outputCheck.has_value();
  const bool checked = inference || (result != nullptr && result->gradientCheck.has_value());
  m_gradientHeading->setVisible(checked);
  m_gradientHeading->setText(inference ? tr("Outputs") : tr("Gradients"));
  if (!checked) {
    m_gradient->show(session.currentTheme()->theme(), {}, Tone::Neutral);
    return;
  }
  const bool ofThis = m_plan->figures().measured() && m_plan->figures().measured()->ofThisPlan;
  const QString ofWhich = ofThis ? QString() : tr(" (measured plan)");
  const auto& check = inference ? *result->outputCheck : *result->gradientCheck;
  m_gradient->show(session.currentTheme()->theme(),
                   check.bitEqual && inference ? tr("bit-equal to one worker")
                   : check.bitEqual
                       ? tr("bit-equal to plain autograd")
                       : tr("max rel. error %1").arg(preciseText(check.maxRelError, 2)),
                   !check.isClose() ? Tone::Error
                   : ofThis         ? Tone::Success
                                    : Tone::Neutral,
                   check.bitEqual ? u"check"_s : QString());
  m_gradientHeading->setText(m_gradientHeading->text() + ofWhich);
  m_gradient->setToolTip(checkDetails(check));
}

}  // namespace stagelane::ui
