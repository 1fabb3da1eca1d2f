#include "ui/plan/experiment/model_change.h"

#include <vector>

#include "engine/base/json.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/block_locks.h"
#include "ui/session/document/document.h"
#include "ui/session/document/setting_edits.h"
#include "ui/session/document/variant_json.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// Checks that the model takes the input and has an output to train.
Status takes(const ExperimentDocument& document, const Json& changed) {
  Json alone = changed;
  // Errors of the individual plans appear on their tabs.
  alone["variants"] = onlySingle();
  const auto read = plan::readExperiment(alone, utf8(document.baseFolder()), {});
  return read ? Status() : Status(tl::make_unexpected(read.error()));
}

/// Removes locks of blocks that the model lacks.
void forgetLostLocks(const QString& step, ExperimentDocument& document, const model::Model& model) {
  for (const VariantTab& tab : std::vector<VariantTab>(document.tabs())) {
    BlockLocks locks = document.lockedBlocks(tab.id);
    locks.removeIf([&model](const auto& lock) { return !model.blockNamed(utf8(lock.key())); });
    document.lockBlocks(step, tab.id, locks);
  }
}

}  // namespace

ModelChoice modelOf(const ExperimentDocument& document) {
  ModelChoice choice;
  if (const Json& json = document.json(); json.is_object() && json.contains("model")) {
    choice.definition = json["model"];
  }
  if (const auto experiment = document.lastReadable()) choice.input = experiment->input;
  return choice;
}

ModelRefusal changeModel(Session& session, ModelChoice choice, InputOf input) {
  ExperimentDocument& document = session.document();
  if (!document.json().is_object()) return {QObject::tr("There is no experiment to change"), false};
  const auto model = model::buildModel(choice.definition, "", utf8(document.baseFolder()));
  if (!model) return {sentenceText(model.error()), false};
  if (input == InputOf::Model) {
    const std::string zooName = (*model)->name;
    const bool image = choice.input.size() == 3;
    choice.input = inputFor(**model, image ? choice.input : beginningWith(zooName).model.input);
  }
  ModelChange change = withModel(document.json(), choice, **model);
  if (const Status status = takes(document, change.document); !status) {
    return {sentenceText(status.error()), true};
  }
  if (change.document == document.json()) return {};
  if (const auto locked = document.lockRefusal(change.document)) return {*locked, false};
  const QString step = stepName(change, **model);
  const QStringList refitted = change.refitted;
  const QString shown = session.selection().tabId();
  document.undoStack().beginMacro(step);
  document.apply(step, std::move(change.document));
  forgetLostLocks(step, document, **model);
  document.undoStack().endMacro();
  session.selection().setTab(shown);
  if (!refitted.isEmpty()) {
    session.pages().showHint(
        QObject::tr("%1 has different blocks: the placement of %2 is now optimal")
            .arg(qstring((*model)->name), refitted.join(u", "_s)));
  }
  return {};
}

}  // namespace stagelane::ui
