#include "ui/plan/plan_model/memory_parts.h"

#include <QObject>
#include <algorithm>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

MemoryParts memoryParts(const plan::Experiment& experiment, const BlockTable& table,
                        const PlanShape& shape, const DeviceId& device, Bytes peak) {
  Bytes parameters = 0;
  Bytes buffers = 0;
  for (std::size_t block = 0; block < std::min(table.blocks.size(), shape.deviceOfBlock.size());
       ++block) {
    if (shape.deviceOfBlock[block] == device) {
      parameters += table.blocks[block].parameterBytes;
      buffers += table.blocks[block].bufferBytes;
    }
  }
  const bool trains = experiment.task == plan::Task::Train;
  MemoryParts parts;
  Bytes left = std::max<Bytes>(0, peak);
  const auto take = [&left](Bytes bytes) {
    const Bytes taken = std::min(left, bytes);
    left -= taken;
    return taken;
  };
  parts.parameters = take(parameters + buffers);
  parts.gradients = take(trains ? parameters : 0);
  // With a single batch, the first update creates the state after the peak.
  const int states = experiment.data.batches > 1 ? plan::optimizerStates(experiment.optimizer) : 0;
  parts.optimizer = take(trains ? parameters * states : 0);
  parts.activations = left;
  return parts;
}

std::array<QColor, 4> memoryColors(const Theme& theme) {
  return {theme.control.accent, theme.action.weight, theme.action.optimizer, theme.action.copy};
}

std::array<QString, 4> memoryNames() {
  return {QObject::tr("parameters"), QObject::tr("gradients"), QObject::tr("optimizer"),
          QObject::tr("activations")};
}

QString memoryText(const MemoryParts& parts) {
  QStringList words;
  const auto bytes = parts.all();
  for (std::size_t part = 0; part < bytes.size(); ++part) {
    if (bytes[part] > 0) words.append(memoryNames()[part] + QChar(u' ') + bytesText(bytes[part]));
  }
  return words.join(u", "_s);
}

}  // namespace stagelane::ui
