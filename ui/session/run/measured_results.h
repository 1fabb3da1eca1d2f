#pragma once

/// What was measured: the last run (or the one in progress, filling up) with its traces, and of the
/// variants that it left out, earlier runs of the same document. It reads no file.

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
  /// The variant's part of `result`; of an earlier run of this document where the last one left it
  /// out. Null where it was in none.
  [[nodiscard]] const record::VariantResult* of(const QString& variantId) const;
  /// The measured trace of that result; null while there is none or it is loading.
  [[nodiscard]] trace::TracePtr trace(const QString& variantId) const;
  /// The document as it was when that was measured; null where nothing was.
  [[nodiscard]] std::shared_ptr<const Json> documentOf(const QString& variantId) const;
  /// Edits between the document and what was run, 0 where it is that again; the numbers are then of
  /// an older plan.
  [[nodiscard]] int editsSinceRun() const;
  /// The variant's trace is being read: what is shown meanwhile is not what was measured.
  [[nodiscard]] bool traceComing(const QString& variantId) const;
  /// The runs that the report is about; empty: the last run alone.
  [[nodiscard]] const std::vector<std::filesystem::path>& reportFolders() const {
    return m_reportFolders;
  }

  void start(const std::filesystem::path& folder, std::shared_ptr<const Json> document);
  void set(RunResultPtr result);
  void setTrace(const QString& variantId, trace::TracePtr trace);
  void setTraceComing(const QString& variantId, bool coming);
  void setReportFolders(std::vector<std::filesystem::path> folders);

 Q_SIGNALS:
  void started();  ///< before `changed`, for a new run
  void changed();  ///< another repeat or variant was measured, or a new run
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
  bool m_isForeign = false;  ///< another document has been loaded since its run began
};

}  // namespace stagelane::ui
