#include "ui/charts/measured_steps.h"

#include "engine/record/run_record.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

OpenedTracePtr openedTraceOf(const Session& session, const QString& variantId,
                             const QString& name) {
  auto opened = std::make_shared<OpenedTrace>();
  opened->path =
      qstring(record::RunFolder{session.results().folder()}.trace(utf8(variantId)).string());
  opened->name = name;
  opened->trace = session.results().trace(variantId);
  return opened;
}

}  // namespace

QString showMeasuredStep(Session& session, const QString& variantId) {
  if (session.document().tabOfVariant(variantId) != nullptr) {
    // An opened trace would hide the requested step.
    session.traceFile().show(nullptr);
    session.selection().setVariant(variantId);
    return {};
  }
  const record::VariantResult* result = session.results().of(variantId);
  const QString name =
      result != nullptr && !result->name.empty() ? shownName(result->name) : variantId;
  if (session.results().trace(variantId) != nullptr) {
    session.traceFile().show(openedTraceOf(session, variantId, name));
    return {};
  }
  return session.results().traceComing(variantId)
             ? QObject::tr("The measured steps of %1 are still loading").arg(name)
             : QObject::tr("No timeline of %1: none of its steps was recorded").arg(name);
}

}  // namespace stagelane::ui
