#include "ui/plan/plan_model.h"

#include <algorithm>
#include <numeric>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

/// An edit is painted before its curve of cuts is worked out.
constexpr int kCutsDelayMs = 30;

std::vector<double> weightsOf(const BlockTable& table, ChipWidth width) {
  std::vector<double> weights;
  for (const BlockFigures& block : table.blocks) {
    switch (width) {
      case ChipWidth::Time: weights.push_back(static_cast<double>(block.timeNs())); break;
      case ChipWidth::Memory: weights.push_back(static_cast<double>(block.memoryBytes())); break;
      case ChipWidth::Parameters: weights.push_back(static_cast<double>(block.parameters)); break;
    }
  }
  return weights;
}

}  // namespace

PlanModel::PlanModel(Session* session, QObject* parent)
    : QObject(parent), m_session(session), m_deviceEdits(session) {
  connect(&m_deviceEdits, &PlanDevices::refused, this, &PlanModel::refused);
  connect(session, &Session::documentChanged, this, &PlanModel::onDocumentChanged);
  connect(session, &Session::currentVariantChanged, this, &PlanModel::onVariantChanged);
  connect(session, &Session::costsChanged, this, &PlanModel::onCostsChanged);
  connect(session, &Session::predictionChanged, this, &PlanModel::refreshProblems);
  connect(session, &Session::measuringChanged, this, &PlanModel::startSuggestions);
  // The results of a run that goes on break no plan.
  connect(session, &Session::resultChanged, this, [this] {
    if (m_session->runPhase() == RunPhase::Idle) refreshProblems();
  });
  connect(session, &Session::resultChanged, this, [this] {
    refreshMeasured();
    Q_EMIT measuredChanged();
  });
  m_cutsDelay.setSingleShot(true);
  m_cutsDelay.setInterval(kCutsDelayMs);
  connect(&m_cutsDelay, &QTimer::timeout, this, &PlanModel::startCuts);
  connect(this, &PlanModel::previewChanged, this, &PlanModel::refreshProblems);
  const ExperimentDocument* document = &session->document();
  connect(document, &ExperimentDocument::locksChanged, this, &PlanModel::planChanged);
  connect(document, &ExperimentDocument::refused, this, &PlanModel::refused);
  connect(document, &ExperimentDocument::aboutToLoad, this, &PlanModel::forget);
  refresh();
}

PlanModel::~PlanModel() = default;

int PlanModel::laneOf(const DeviceId& device) const {
  const auto found = std::find(m_devices.begin(), m_devices.end(), device);
  return found == m_devices.end() ? -1 : static_cast<int>(found - m_devices.begin());
}

std::optional<DeviceId> PlanModel::currentDevice() const {
  return current() < m_shape.deviceOfBlock.size()
             ? std::optional<DeviceId>(m_shape.deviceOfBlock[current()])
             : std::nullopt;
}

const PlanShape& PlanModel::shownShape() const { return m_preview ? m_preview->shape : m_shape; }

PlanIdentity PlanModel::identity() const {
  PlanIdentity identity{m_shownTab, {}, m_devices, m_shape};
  if (m_table) {
    for (const BlockFigures& block : m_table->blocks) {
      identity.blocks.push_back(block.name);
    }
  }
  return identity;
}

PlanPredictionPtr PlanModel::shownPrediction() const {
  if (m_preview && !m_preview->problem.isEmpty()) {
    return nullptr;
  }
  return m_preview && m_preview->prediction ? m_preview->prediction : m_session->prediction();
}

// Selection

void PlanModel::select(std::size_t first, std::size_t last) {
  m_selection.select(first, last);
  Q_EMIT selectionChanged();
}

void PlanModel::extendTo(std::size_t first, std::size_t last) {
  m_selection.extendTo(first, last);
  Q_EMIT selectionChanged();
}

void PlanModel::toggle(std::size_t first, std::size_t last) {
  m_selection.toggle(first, last);
  Q_EMIT selectionChanged();
}

void PlanModel::clearSelection() {
  m_selection.clear();
  Q_EMIT selectionChanged();
}

void PlanModel::step(int step, bool extend, const ChainLayout& layout) {
  if (m_selection.step(step, extend, layout)) {
    Q_EMIT selectionChanged();
  }
}

// Groups and widths

QSet<QString> PlanModel::openGroups() const {
  QSet<QString> open = m_openGroups;
  for (const ChainGroup& group : m_groups) {
    if (splitAcrossDevices(group)) {
      open.insert(group.name);
    }
  }
  return open;
}

bool PlanModel::splitAcrossDevices(const ChainGroup& group) const {
  for (std::size_t block = group.first + 1; block <= group.last; ++block) {
    if (m_shape.deviceOfBlock[block] != m_shape.deviceOfBlock[group.first] ||
        m_shape.stageBegins[block]) {
      return true;
    }
  }
  return false;
}

void PlanModel::toggleGroup(const QString& name) {
  const auto group =
      std::find_if(m_groups.begin(), m_groups.end(),
                   [&](const ChainGroup& candidate) { return candidate.name == name; });
  if (group == m_groups.end()) {
    return;
  }
  if (splitAcrossDevices(*group)) {
    Q_EMIT refused(
        QStringLiteral("%1 stays open: its blocks are in more than one stage").arg(name));
    return;
  }
  if (!m_openGroups.remove(name)) {
    m_openGroups.insert(name);
  }
  Q_EMIT layoutChanged();
}

const ChainGroup* PlanModel::groupOf(std::size_t block) const {
  const auto found = std::find_if(m_groups.begin(), m_groups.end(), [&](const ChainGroup& group) {
    return block >= group.first && block <= group.last;
  });
  return found == m_groups.end() ? nullptr : &*found;
}

void PlanModel::setChipWidth(ChipWidth width) {
  if (width != m_chipWidth) {
    m_chipWidth = width;
    Q_EMIT layoutChanged();
  }
}

ChainRequest PlanModel::chainRequest(qreal width) const {
  ChainRequest request;
  for (const BlockFigures& block : m_table->blocks) {
    request.names.push_back(block.name);
  }
  request.weights = weightsOf(*m_table, m_chipWidth);
  request.groups = m_groups;
  request.openGroups = openGroups();
  request.width = width;
  return request;
}

// Rules

BlockSet PlanModel::dragSet(std::size_t first, std::size_t last, DragExtent extent) const {
  if (extent == DragExtent::Group) {
    if (const ChainGroup* group = groupOf(first)) {
      first = group->first;
      last = group->last;
    }
  } else if (extent == DragExtent::RestOfStage) {
    last = first;
    while (last + 1 < m_shape.deviceOfBlock.size() && !m_shape.stageBegins[last + 1]) {
      ++last;
    }
  } else if (selected(first, last) == Selected::All) {
    return m_selection.list();
  }
  BlockSet blocks(last - first + 1);
  std::iota(blocks.begin(), blocks.end(), first);
  return blocks;
}

QString PlanModel::tiedText(const BlockSet& blocks) const {
  for (const std::size_t block : blocks) {
    if (const QString other = tiedAcrossDevices(block); !other.isEmpty()) {
      return QStringLiteral("%1 is tied to %2, gradients are summed across devices")
          .arg(m_table->blocks[block].name, other);
    }
  }
  return {};
}

QString PlanModel::tiedAcrossDevices(std::size_t block) const {
  const auto& blocks = model().blocks;
  const auto owns = [&](std::size_t index, const std::string& tensor) {
    const std::string& name = blocks[index].name;
    return tensor.size() > name.size() && tensor[name.size()] == '.' &&
           tensor.compare(0, name.size(), name) == 0;
  };
  for (const auto& [one, other] : model().ties) {
    if (!owns(block, one) && !owns(block, other)) {
      continue;
    }
    const std::string& partner = owns(block, one) ? other : one;
    for (std::size_t index = 0; index < blocks.size(); ++index) {
      if (index != block && owns(index, partner) &&
          shownShape().deviceOfBlock[index] != shownShape().deviceOfBlock[block]) {
        return m_table->blocks[index].name;
      }
    }
  }
  return {};
}

MemoryParts PlanModel::memoryOf(const PredictedDevice& device) const {
  const auto experiment = m_session->document().lastReadable();
  return experiment && m_table
             ? memoryParts(*experiment, *m_table, shownShape(), device.id, device.peakBytes)
             : MemoryParts{};
}

PeakRange PlanModel::peakRange(const DeviceId& device) const {
  const auto experiment = m_session->document().lastReadable();
  const PlanPredictionPtr shown = shownPrediction();
  return experiment && shown ? peakRangeOf(*experiment, *shown, device, m_session->peakHistory())
                             : PeakRange{};
}

Bytes PlanModel::largestPeak() const {
  Bytes most = 1;
  for (const DeviceId& device : m_devices) {
    most = std::max(most, peakRange(device).high);
  }
  return most;
}

bool PlanModel::trains() const {
  const auto experiment = m_session->document().lastReadable();
  return !experiment || experiment->task == plan::Task::Train;
}

Bytes PlanModel::cutBytes(std::size_t block) const {
  const auto experiment = m_session->document().lastReadable();
  if (block == 0 || !experiment) {
    return 0;
  }
  // The output of the block before the cut goes forward and, in training, its gradient comes back,
  // each sample once.
  const auto perMicroBatch = m_table->blocks[block - 1].outputBytes;
  const double samples = static_cast<double>(experiment->data.batchSize);
  const double size = static_cast<double>(std::max<std::int64_t>(1, m_table->microBatch));
  const double ways = trains() ? 2.0 : 1.0;
  return static_cast<Bytes>(ways * static_cast<double>(perMicroBatch) * samples / size);
}

// Preview

void PlanModel::preview(const BlockSet& blocks, const DeviceId& device) {
  if (m_preview && m_preview->blocks == blocks && m_preview->device == device) {
    return;
  }
  m_preview = Preview{blocks, device, moved(m_shape, blocks, device), nullptr, {}};
  const auto variant = variantWith(m_preview->shape);
  const auto experiment = m_session->experiment();
  if (!variant || !experiment) {
    const auto error = readingError();
    m_preview->problem =
        QStringLiteral("Nothing is predicted: %1")
            .arg(error ? sentenceText(*error) : QStringLiteral("the plan cannot be read"));
    Q_EMIT previewChanged();
    return;
  }
  const bool answered =
      m_runner.preview(experiment, *variant, [this](PredictionRunner::Answer answer) {
        if (!m_preview) {
          return;
        }
        if (answer) {
          m_preview->prediction = *answer;
        } else {
          m_preview->problem = sentenceText(answer.error());
        }
        Q_EMIT previewChanged();
      });
  if (!answered) {
    Q_EMIT previewChanged();
  }
}

void PlanModel::clearPreview() {
  if (m_preview) {
    m_runner.dropPreview();
    m_preview.reset();
    Q_EMIT previewChanged();
  }
}

QString PlanModel::previewText() const {
  if (!m_preview) {
    return {};
  }
  if (!m_preview->problem.isEmpty()) {
    return m_preview->problem;
  }
  const PlanPredictionPtr now = m_session->prediction();
  const PlanPredictionPtr then = m_preview->prediction;
  if (!then) {
    return {};
  }
  QString text = QStringLiteral("step %1").arg(approximately(then->basis) + timeText(then->stepNs));
  // Figures of two kinds do not compare.
  if (now && now->stepNs > 0 && now->basis == then->basis) {
    const double change =
        static_cast<double>(then->stepNs - now->stepNs) / static_cast<double>(now->stepNs);
    text = QStringLiteral("step %1").arg(percentDifferenceText(change));
  }
  if (const PredictedDevice* device = then->device(m_preview->device)) {
    const QString peak = device->budgetBytes ? bytesOfText(device->peakBytes, *device->budgetBytes,
                                                           QStringLiteral(" of "))
                                             : bytesText(device->peakBytes);
    text += QStringLiteral(", peak %1").arg(peak);
  }
  return text;
}

// Edits

bool PlanModel::move(const BlockSet& blocks, const DeviceId& device) {
  if (blocks.empty()) {
    return false;
  }
  if (const auto reason = refusal(blocks, device)) {
    Q_EMIT refused(*reason);
    return false;
  }
  applyShape(
      QStringLiteral("Move %1 to %2").arg(blocksText(model(), blocks), qstring(device.value)),
      moved(m_shape, blocks, device));
  Q_EMIT blocksMoved();
  return true;
}

bool PlanModel::moveSelection(int lanes) {
  if (m_selection.empty() || !ready()) {
    return false;
  }
  const int lane = laneOf(m_shape.deviceOfBlock[m_selection.first()]) + lanes;
  if (lane < 0 || lane >= static_cast<int>(m_devices.size())) {
    Q_EMIT refused(lanes < 0 ? QStringLiteral("There is no lane above")
                             : QStringLiteral("There is no lane below"));
    return false;
  }
  return move(m_selection.list(), m_devices[static_cast<std::size_t>(lane)]);
}

void PlanModel::cutBeforeCurrent() {
  if (ready() && !m_selection.empty()) {
    cutAt(m_selection.first());
  }
}

void PlanModel::cutAt(std::size_t block) {
  if (block == 0 || block >= m_shape.deviceOfBlock.size()) {
    Q_EMIT refused(
        QStringLiteral("There is nothing before %1 to cut off").arg(m_table->blocks.front().name));
    return;
  }
  if (m_shape.stageBegins[block]) {
    Q_EMIT refused(
        QStringLiteral("A stage begins with %1 already").arg(m_table->blocks[block].name));
    return;
  }
  const PlanShape after = cutBefore(m_shape, block, m_devices);
  applyShape(QStringLiteral("Cut before %1").arg(m_table->blocks[block].name), after);
}

void PlanModel::applySuggestion(const PlanSuggestion& suggestion) {
  ExperimentDocument& document = m_session->document();
  const VariantTab* tab = document.tab(m_session->currentTabId());
  if (tab == nullptr || !ready()) {
    return;
  }
  const QString title = suggestionTitle(suggestion);
  const std::size_t index = tab->index;
  if (!comesBeside(suggestion)) {
    document.apply(
        title, withDeviceNumbers(withSuggestion(document.json(), index, model(), suggestion), index,
                                 m_devices));
    return;
  }
  // A sweep or a baseline stays; the one plan comes beside it and is shown.
  document.apply(
      title, withDeviceNumbers(withSuggestionBeside(document.json(), index, model(), suggestion),
                               index + 1, m_devices));
  if (index + 1 < document.tabs().size()) {
    m_session->setCurrentTab(QString(document.tabs()[index + 1].id));
  }
}

bool PlanModel::comesBeside(const PlanSuggestion& suggestion) const {
  const VariantTab* tab = m_session->document().tab(m_session->currentTabId());
  const plan::Variant* variant = m_session->currentVariant();
  // The one device that all is compared with stays that.
  const bool baseline = variant != nullptr && variant->strategy == plan::Strategy::Single;
  const bool sweep = tab != nullptr && tab->sweep();
  return (sweep && suggestion.kind != SuggestionKind::Placement) ||
         (baseline && suggestion.kind == SuggestionKind::Everything);
}

void PlanModel::applyShape(const QString& stepName, const PlanShape& shape) {
  ExperimentDocument& document = m_session->document();
  // The document might say the same plan in another form: that is no edit.
  const bool same = m_session->currentVariant() != nullptr && shape == m_shape;
  if (same || document.tab(m_session->currentTabId()) == nullptr) {
    return;
  }
  const std::size_t index = tabIndex();
  document.apply(stepName, withDeviceNumbers(withShape(document.json(), index, model(), shape),
                                             index, m_devices));
}

std::size_t PlanModel::tabIndex() const {
  const VariantTab* tab = m_session->document().tab(m_session->currentTabId());
  return tab == nullptr ? 0 : tab->index;
}

}  // namespace stagelane::ui
