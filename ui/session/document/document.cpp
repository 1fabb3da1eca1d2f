#include "ui/session/document/document.h"

#include <QFileInfo>
#include <QUndoCommand>
#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/find.h"
#include "ui/kit/background.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {

/// One undoable step: the whole document before and after. Documents are a few kilobytes, and a
/// whole one cannot be restored partially.
class EditCommand final : public QUndoCommand {
 public:
  EditCommand(ExperimentDocument* document, std::shared_ptr<const Json> after,
              const QString& stepName, const QString& mergeKey)
      : QUndoCommand(stepName),
        m_document(document),
        m_before(document->m_json),
        m_after(std::move(after)),
        m_mergeKey(mergeKey) {}

  void undo() override {
    --m_document->m_depth;
    m_document->setJson(m_before);
  }
  void redo() override {
    m_document->countEdit(!m_done);
    m_done = true;
    m_document->setJson(m_after);
  }
  [[nodiscard]] int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }

  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const EditCommand*>(other);
    if (next->m_mergeKey != m_mergeKey) return false;
    m_after = next->m_after;
    --m_document->m_depth;
    setText(next->text());
    if (*m_after == *m_before) {
      setObsolete(true);  // the stack drops a step that changes nothing
      --m_document->m_depth;
    }
    return true;
  }

 private:
  ExperimentDocument* m_document;
  std::shared_ptr<const Json> m_before;
  std::shared_ptr<const Json> m_after;
  QString m_mergeKey;
  bool m_done = false;
};

/// Locks or unlocks blocks.
class LockCommand final : public QUndoCommand {
 public:
  LockCommand(ExperimentDocument* document, const QString& stepName, const QString& tabId,
              const BlockLocks& after)
      : QUndoCommand(stepName),
        m_document(document),
        m_tabId(tabId),
        m_before(document->lockedBlocks(tabId)),
        m_after(after) {}

  void undo() override { m_document->setLocks(m_tabId, m_before); }
  void redo() override { m_document->setLocks(m_tabId, m_after); }

 private:
  ExperimentDocument* m_document;
  QString m_tabId;
  BlockLocks m_before;
  BlockLocks m_after;
};

namespace {

bool samePlans(const plan::Experiment* a, const plan::Experiment* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return std::equal(a->variants.begin(), a->variants.end(), b->variants.begin(), b->variants.end(),
                    [](const plan::Variant& one, const plan::Variant& other) {
                      return one.id == other.id && one.stages == other.stages;
                    });
}

}  // namespace

ExperimentDocument::ExperimentDocument(QObject* parent) : QObject(parent) {
  m_json = m_saved = std::make_shared<const Json>(Json::object());
  m_undo.setUndoLimit(2000);
}

ExperimentDocument::~ExperimentDocument() { m_undo.disconnect(this); }

void ExperimentDocument::setMachine(const plan::MachineDevices& machine) { m_machine = machine; }

void ExperimentDocument::setCosts(std::shared_ptr<const predict::CostTable> costs) {
  if (costs == m_costs) return;
  m_costs = std::move(costs);
  const auto before = m_experiment;
  read();
  if (planning() || !samePlans(before.get(), m_experiment.get())) Q_EMIT changed();
}

void ExperimentDocument::load(Json json, const QString& path, const QString& baseFolder) {
  Q_EMIT aboutToLoad();
  m_undo.clear();
  m_path = path;
  m_baseFolder = baseFolder;
  m_readable.reset();
  m_locks.clear();
  const bool before = modified();
  m_saved = std::make_shared<const Json>(std::move(json));
  setJson(m_saved);
  tellModified(before);
  Q_EMIT pathChanged();
}

void ExperimentDocument::loadUnsaved(Json json, const QString& path, const QString& baseFolder) {
  load(std::move(json), path, baseFolder);
  countAsUnsaved();
}

Status ExperimentDocument::save(const QString& path) {
  STAGELANE_CHECK(writeFileAtomically(utf8(path), m_json->dump(2) + "\n"));
  m_path = path;
  m_baseFolder = QFileInfo(path).absolutePath();
  setSaved(m_json);
  Q_EMIT pathChanged();
  return {};
}

bool ExperimentDocument::takeFromFile(const QString& stepName, Json content) {
  if (!apply(stepName, std::move(content))) return false;
  setSaved(m_json);
  return true;
}

QString ExperimentDocument::name() const {
  const std::string name = textMember(*m_json, "name");
  return name.empty() ? QObject::tr("Untitled") : qstring(name);
}

bool ExperimentDocument::apply(const QString& stepName, Json after, const QString& mergeKey) {
  if (after == *m_json) return true;
  if (const auto reason = lockRefusal(after)) {
    Q_EMIT refused(*reason);
    return false;
  }
  m_undo.push(
      new EditCommand(this, std::make_shared<const Json>(std::move(after)), stepName, mergeKey));
  return true;
}

const VariantTab* ExperimentDocument::tab(const QString& id) const {
  return findBy(m_tabs, &VariantTab::id, id);
}

const VariantTab* ExperimentDocument::tabOfVariant(const QString& variantId) const {
  return findIf(m_tabs, [&](const VariantTab& tab) {
    return tab.id == variantId || tab.variantIds.contains(variantId);
  });
}

BlockLocks ExperimentDocument::lockedBlocks(const QString& tabId) const {
  const auto found = m_locks.find(tabId);
  return found == m_locks.end() ? BlockLocks() : found->second;
}

void ExperimentDocument::lockBlocks(const QString& stepName, const QString& tabId,
                                    const BlockLocks& locks) {
  if (locks != lockedBlocks(tabId)) m_undo.push(new LockCommand(this, stepName, tabId, locks));
}

void ExperimentDocument::setLocks(const QString& tabId, const BlockLocks& locks) {
  if (locks.isEmpty()) {
    m_locks.erase(tabId);
  } else {
    m_locks[tabId] = locks;
  }
  Q_EMIT locksChanged(tabId);
}

std::optional<QString> ExperimentDocument::lockRefusal(const Json& after) const {
  if (m_locks.empty()) return std::nullopt;
  // Skips searches: no mode places locked blocks, and the others do not matter here.
  const DocumentReading reading = readDocument(after, readingBasis());
  return brokenLock(locksAfter(m_locks, m_tabs, reading.tabs), after, reading);
}

void ExperimentDocument::setSaved(std::shared_ptr<const Json> json) {
  const bool before = modified();
  m_saved = std::move(json);
  tellModified(before);
}

void ExperimentDocument::tellModified(bool before) {
  if (modified() != before) Q_EMIT modifiedChanged(modified());
}

void ExperimentDocument::mark() {
  m_markDepth = m_depth;
  m_lostEdits = 0;
}

/// A new edit drops undone steps, and with them the path to a mark beyond.
void ExperimentDocument::countEdit(bool isNew) {
  if (isNew && m_depth < m_markDepth) {
    m_lostEdits += m_markDepth - m_depth;
    m_markDepth = m_depth;
  }
  ++m_depth;
}

void ExperimentDocument::setJson(std::shared_ptr<const Json> json) {
  const bool before = modified();
  m_json = std::move(json);
  ++m_generation;
  const std::vector<VariantTab> tabsBefore = m_tabs;
  read();
  m_locks = locksAfter(std::move(m_locks), tabsBefore, m_tabs);
  Q_EMIT changed();
  tellModified(before);
}

ReadingBasis ExperimentDocument::readingBasis() const {
  return {utf8(m_baseFolder), m_machine, m_readable ? m_readable->shapes : nullptr};
}

void ExperimentDocument::read() {
  DocumentReading reading = readDocument(*m_json, readingBasis());
  m_tabs = std::move(reading.tabs);
  m_error = std::move(reading.error);
  if (reading.experiment) {
    m_stages.resolveOffhand(*reading.experiment, m_costs);
    m_readable = reading.experiment;
  }
  m_experiment = std::move(reading.experiment);
  if (m_experiment && m_stages.missing()) {
    search();
  } else {
    m_search.cancel();
  }
}

void ExperimentDocument::search() {
  m_stages.forgetIfFull();
  m_search.start([this, experiment = m_experiment, memory = m_stages, costs = m_costs](
                     const std::atomic<bool>& canceled) mutable -> std::function<void()> {
    workBehindTheWindow();
    plan::Experiment resolved = *experiment;
    memory.resolve(resolved, costs, [&canceled] { return !canceled; });
    return [this, found = std::move(memory)] {
      m_stages.learn(found);
      ++m_generation;
      read();
      Q_EMIT changed();
    };
  });
}

}  // namespace stagelane::ui
