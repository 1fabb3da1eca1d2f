#include "ui/models/run_words.h"

#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

/// As the tab, or the run itself, calls the variant.
QString nameOf(const Session& session, const QString& id) {
  const VariantTab* tab = session.document().tabOfVariant(id);
  if (tab != nullptr && !tab->sweep()) return tab->name;
  const record::VariantResult* result = session.resultOf(id);
  return result != nullptr && !result->name.empty() ? qstring(result->name) : id;
}

}  // namespace

QString turnText(const Session& session) {
  const RunProgress& progress = session.progress();
  if (progress.variantId.isEmpty()) return {};
  const QString name = nameOf(session, progress.variantId);
  return progress.of > 0 && progress.repeat > 0
             ? QStringLiteral("%1, repeat %2 of %3").arg(name).arg(progress.repeat).arg(progress.of)
             : QStringLiteral("%1, warm-up").arg(name);
}

QString repeatsDoneText(const record::VariantResult& variant, int asked) {
  const auto count = static_cast<int>(variant.seconds.size());
  return count < asked ? QStringLiteral("%1 of %2").arg(count).arg(asked) : QString::number(count);
}

QString statusText(record::RunStatus status) {
  return qstring(record::word(status)).replace(QChar(u'_'), QChar(u' '));
}

QString endText(const record::VariantResult& variant) {
  const QString status = statusText(variant.status);
  const QString reason = qstring(variant.reason).trimmed();
  if (reason.isEmpty()) return status;
  return reason.startsWith(status) ? reason : status + QStringLiteral(": ") + reason;
}

}  // namespace stagelane::ui
