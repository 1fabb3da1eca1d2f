#include "ui/report/report_maker.h"

#include <utility>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

/// Starts a new request, which cancels the work of the previous one.
std::shared_ptr<ReportProgress> begun(std::shared_ptr<ReportProgress>& progress) {
  if (progress) progress->cancel = true;
  progress = std::make_shared<ReportProgress>();
  return progress;
}

void end(std::shared_ptr<ReportProgress>& progress) {
  if (progress) progress->cancel = true;
  progress = nullptr;
}

}  // namespace

ReportMaker::ReportMaker(QObject* parent) : QObject(parent) {
  m_layout.setInterval(0);
  connect(&m_layout, &QTimer::timeout, this, &ReportMaker::doLayout);
}

ReportMaker::~ReportMaker() {
  end(m_makingProgress);
  end(m_writingProgress);
}

const ReportProgress* ReportMaker::progress() const {
  return making() ? m_makingProgress.get() : writing() ? m_writingProgress.get() : nullptr;
}

void ReportMaker::setStep(Step step) {
  m_step = step;
  Q_EMIT workChanged();
}

void ReportMaker::load(Folders folders) {
  stopLayout();
  m_making.start([this, folders = std::move(folders), progress = begun(m_makingProgress)](
                     const std::atomic<bool>&) -> std::function<void()> {
    Inputs inputs;
    for (const std::filesystem::path& folder : folders) {
      if (progress->cancel) return nullptr;
      if (auto input = readReportInput(folder, progress.get())) inputs.push_back(std::move(*input));
    }
    auto shared = inputs.empty() ? nullptr : std::make_shared<const Inputs>(std::move(inputs));
    return [this, shared] {
      m_inputs = shared;
      m_document = nullptr;
      m_pages = nullptr;
      setStep(Step::None);
      Q_EMIT loaded();
    };
  });
  setStep(Step::Loading);
}

void ReportMaker::make(const ReportContents& contents) {
  if (!m_inputs) return;
  stopLayout();
  m_making.start([this, inputs = m_inputs, contents, progress = begun(m_makingProgress)](
                     const std::atomic<bool>&) -> std::function<void()> {
    auto document = std::make_shared<const ReportDocument>(makeReport(*inputs, contents));
    if (progress->cancel) return nullptr;
    auto pages = std::make_shared<const ReportPages>(*document, progress.get());
    return [this, document, pages] { composed(document, pages); };
  });
  setStep(Step::Composing);
}

void ReportMaker::composed(std::shared_ptr<const ReportDocument> document,
                           std::shared_ptr<const ReportPages> pages) {
  setStep(Step::LayingOut);
  auto steps = layoutSteps(*document);
  layOut(std::move(steps), [this, document = std::move(document), pages = std::move(pages)] {
    m_document = document;
    m_pages = pages;
    setStep(Step::None);
    Q_EMIT made();
    if (m_wish && !m_writing.running()) beginWriting();
  });
}

void ReportMaker::write(const std::filesystem::path& path, ReportTheme theme) {
  if (!m_inputs || m_wish) return;
  m_wish = Wish{path, theme};
  if (!making() && m_document) beginWriting();
  Q_EMIT workChanged();
}

void ReportMaker::beginWriting() {
  const Wish wish = *m_wish;
  const auto document = m_document;
  layOut(layoutSteps(*document, wish.path, wish.theme), [this, wish, document] {
    m_writing.start([this, wish, document, progress = begun(m_writingProgress)](
                        const std::atomic<bool>&) -> std::function<void()> {
      const Status status = writeReport(*document, wish.path, wish.theme, progress.get());
      const QString problem = status ? QString() : errorText(status.error());
      return [this, wish, problem] {
        m_wish.reset();
        Q_EMIT written(qstring(wish.path.string()), problem);
        Q_EMIT workChanged();
      };
    });
  });
}

void ReportMaker::layOut(std::vector<std::function<void()>> steps, std::function<void()> after) {
  m_steps = std::move(steps);
  m_nextStep = 0;
  m_afterLayout = std::move(after);
  m_layout.start();
}

void ReportMaker::doLayout() {
  if (m_nextStep < m_steps.size()) {
    m_steps[m_nextStep++]();
    return;
  }
  m_layout.stop();
  const auto after = std::exchange(m_afterLayout, nullptr);
  m_steps.clear();
  if (after) after();
}

/// A pending write starts again when the newer report is ready.
void ReportMaker::stopLayout() {
  m_layout.stop();
  m_steps.clear();
  m_afterLayout = nullptr;
}

void ReportMaker::clear() {
  cancelMaking();
  cancelWriting();
  m_inputs = nullptr;
  m_document = nullptr;
  m_pages = nullptr;
}

void ReportMaker::cancelMaking() {
  if (!making()) return;
  stopLayout();
  m_making.cancel();
  end(m_makingProgress);
  setStep(Step::None);
}

void ReportMaker::cancelWriting() {
  if (!m_wish) return;
  if (!making()) stopLayout();
  m_writing.cancel();
  end(m_writingProgress);
  m_wish.reset();
  Q_EMIT workChanged();
}

}  // namespace stagelane::ui
