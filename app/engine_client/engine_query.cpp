#include "app/engine_client/engine_query.h"

#include <QProcess>
#include <QString>

#include "app/engine_client/engine_child.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

constexpr int kPatienceMs = 60'000;

}  // namespace

Result<Json> queryDevices() {
  STAGELANE_TRY(engine, findEngine());
  QProcess process;
  process.start(QString::fromStdString(engine->string()), {u"devices"_s, u"--json"_s});
  if (!process.waitForFinished(kPatienceMs)) {
    const std::string why = process.errorString().toStdString();
    process.kill();
    process.waitForFinished(-1);
    return fail(ErrorCode::EngineFailure, "the engine did not list the devices: " + why,
                engine->string(), "run it in a terminal to see its output");
  }
  const QByteArray answer = process.readAllStandardOutput();
  if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
    return fail(
        ErrorCode::EngineFailure,
        "the engine cannot list devices: " + process.readAllStandardError().trimmed().toStdString(),
        engine->string(), "run it in a terminal to see its output");
  }
  STAGELANE_TRY(document, parseJson({answer.constData(), static_cast<std::size_t>(answer.size())},
                                    "the engine's list of devices"));
  if (document->is_array()) return document;
  if (document->is_object() && document->contains("devices") && (*document)["devices"].is_array()) {
    return (*document)["devices"];
  }
  return fail(ErrorCode::EngineFailure, "the engine's device list has an unexpected format",
              engine->string(), "use an engine and a window of the same build");
}

}  // namespace stagelane::app
