#include "ui/session/run/measured_steps.h"

#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"

namespace stagelane::ui {
namespace {

OpenedTracePtr openedTraceOf(const Session& session, const QString& variantId,
                             const QString& name) {
  auto opened = std::make_shared<OpenedTrace>();
  opened->path = qstring(record::RunFolder{session.runFolder()}.trace(utf8(variantId)).string());
  opened->name = name;
  opened->trace = session.measuredTrace(variantId);
  return opened;
}

}  // namespace

QString showMeasuredStep(Session& session, const QString& variantId) {
  if (session.document().tabOfVariant(variantId) != nullptr) {
    // A trace of another program would stay in front of the step that was asked for.
    session.setOpenedTrace(nullptr);
    session.setCurrentVariant(variantId);
    return {};
  }
  const record::VariantResult* result = session.resultOf(variantId);
  const QString name =
      result != nullptr && !result->name.empty() ? shownName(result->name) : variantId;
  if (session.measuredTrace(variantId) != nullptr) {
    session.setOpenedTrace(openedTraceOf(session, variantId, name));
    return {};
  }
  return session.traceComing(variantId)
             ? QStringLiteral("The measured steps of %1 are still being read").arg(name)
             : QStringLiteral("There is no timeline of %1: none of its steps was recorded")
                   .arg(name);
}

}  // namespace stagelane::ui
