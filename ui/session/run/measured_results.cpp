#include "ui/session/run/measured_results.h"

#include <algorithm>
#include <utility>

#include "engine/base/find.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

MeasuredResults::MeasuredResults(ExperimentDocument* document, QObject* parent)
    : QObject(parent), m_document(document) {
  connect(document, &ExperimentDocument::aboutToLoad, this, [this] {
    m_earlier.clear();
    m_isForeign = true;
  });
  connect(document, &ExperimentDocument::changed, this, [this] {
    if (m_documentOfRun && m_document->json() == *m_documentOfRun) m_document->mark();
  });
}

const record::VariantResult* MeasuredResults::lastOf(const QString& variantId) const {
  if (!m_result) return nullptr;
  const std::string id = utf8(variantId);
  return findBy(m_result->variants, &record::VariantResult::id, id);
}

const record::VariantResult* MeasuredResults::of(const QString& variantId) const {
  const record::VariantResult* last = lastOf(variantId);
  const EarlierResult* earlier = m_earlier.insteadOf(last, variantId);
  return earlier != nullptr ? earlier->variant : last;
}

trace::TracePtr MeasuredResults::trace(const QString& variantId) const {
  const EarlierResult* earlier = m_earlier.insteadOf(lastOf(variantId), variantId);
  return earlier != nullptr ? earlier->trace : m_traces.value(variantId);
}

std::shared_ptr<const Json> MeasuredResults::documentOf(const QString& variantId) const {
  const EarlierResult* earlier = m_earlier.insteadOf(lastOf(variantId), variantId);
  return earlier != nullptr ? earlier->document : m_documentOfRun;
}

int MeasuredResults::editsSinceRun() const {
  if (!m_documentOfRun || m_document->json() == *m_documentOfRun) return 0;
  return std::max(1, m_document->editsSinceMark());
}

bool MeasuredResults::traceComing(const QString& variantId) const {
  return m_tracesComing.contains(variantId);
}

void MeasuredResults::start(const std::filesystem::path& folder,
                            std::shared_ptr<const Json> document) {
  setReportFolders({});
  if (document && !m_isForeign) {
    m_earlier.keep(m_result, m_documentOfRun, m_traces);
  } else if (!document) {
    m_earlier.clear();
  }
  m_isForeign = false;
  m_folder = folder;
  m_documentOfRun = std::move(document);
  m_document->mark();
  m_result.reset();
  m_traces.clear();
  m_tracesComing.clear();
  Q_EMIT started();
  Q_EMIT changed();
}

void MeasuredResults::set(RunResultPtr result) {
  m_result = std::move(result);
  Q_EMIT changed();
}

void MeasuredResults::setTrace(const QString& variantId, trace::TracePtr trace) {
  m_traces.insert(variantId, std::move(trace));
  Q_EMIT traceChanged(variantId);
}

void MeasuredResults::setTraceComing(const QString& variantId, bool coming) {
  if (coming == m_tracesComing.contains(variantId)) return;
  if (coming) {
    m_tracesComing.insert(variantId);
  } else {
    m_tracesComing.remove(variantId);
  }
  Q_EMIT traceComingChanged(variantId);
}

void MeasuredResults::setReportFolders(std::vector<std::filesystem::path> folders) {
  if (folders == m_reportFolders) return;
  m_reportFolders = std::move(folders);
  Q_EMIT reportFoldersChanged();
}

}  // namespace stagelane::ui
