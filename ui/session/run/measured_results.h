#pragma once

/// Measurements: the last run, or the one in progress, with its traces, and earlier runs of the
/// same document for variants that it left out. Reads no file.

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "engine/trace/trace.h"
#include "ui/session/document/document.h"
#include "ui/session/run/earlier_results.h"

namespace stagelane::ui {

class MeasuredResults final : public QObject {
  Q_OBJECT

 public:
  /// @pre `document` outlives this
  explicit MeasuredResults(ExperimentDocument* document, QObject* parent = nullptr);

  /// Null before the first run.
  [[nodiscard]] RunResultPtr result() const { return m_result; }
  [[nodiscard]] std::filesystem::path folder() const { return m_folder; }
  /// The document as it was run; null before the first run.
  [[nodiscard]] std::shared_ptr<const Json> document() const { return m_documentOfRun; }
  /// The variant's part of `result`, or of an earlier run of this document if the last one left it
  /// out. Null if there is none.
  [[nodiscard]] const record::VariantResult* of(const QString& variantId) const;
  /// The measured trace of that result; null if there is none or it is loading.
  [[nodiscard]] trace::TracePtr trace(const QString& variantId) const;
  /// The document that was measured; null if there is none.
  [[nodiscard]] std::shared_ptr<const Json> documentOf(const QString& variantId) const;
  /// Edits between the document and the run; 0 if they are equal again.
  [[nodiscard]] int editsSinceRun() const;
  /// The variant's trace is being read: what is shown meanwhile is not measured.
  [[nodiscard]] bool traceComing(const QString& variantId) const;
  /// The runs that the report covers; empty: only the last run.
  [[nodiscard]] const std::vector<std::filesystem::path>& reportFolders() const {
    return m_reportFolders;
  }

  void start(const std::filesystem::path& folder, std::shared_ptr<const Json> document);
  void set(RunResultPtr result);
  void setTrace(const QString& variantId, trace::TracePtr trace);
  void setTraceComing(const QString& variantId, bool coming);
  void setReportFolders(std::vector<std::filesystem::path> folders);

 Q_SIGNALS:
  void started();  ///< emitted before `changed` for a new run
  void changed();  ///< another repeat or variant was measured, or a new run began
  void traceChanged(const QString& variantId);
  void traceComingChanged(const QString& variantId);
  void reportFoldersChanged();

 private:
  [[nodiscard]] const record::VariantResult* lastOf(const QString& variantId) const;

  ExperimentDocument* m_document;
  RunResultPtr m_result;
  std::filesystem::path m_folder;
  std::vector<std::filesystem::path> m_reportFolders;
  std::shared_ptr<const Json> m_documentOfRun;
  QHash<QString, trace::TracePtr> m_traces;
  QSet<QString> m_tracesComing;
  EarlierResults m_earlier;
  bool m_isForeign = false;  ///< another document was loaded after its run began
};

}  // namespace stagelane::ui
