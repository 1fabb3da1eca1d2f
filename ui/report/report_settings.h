#pragma once

/// The head of a report: question, settings, machine, and accuracy of the predictions. Pure.

#include "ui/report/report_document.h"

namespace stagelane::ui {

/// `asked`, or by default "Which of 7 ways to train resnet50 on cpu:0, cpu:1 is fastest, and why
/// are the others slower?"
[[nodiscard]] QString questionOf(const ReportInput& input, const QString& asked);
/// Model, data, loss, optimizer, precision, devices, repeats, timing.
[[nodiscard]] FactsBlock settingsOf(const ReportInput& input);
/// Processor, versions, build.
[[nodiscard]] FactsBlock machineOf(const Json& environment);
/// "The predicted steps of 6 variants are off by 1.2 % in the median …"; empty without predictions.
[[nodiscard]] QString predictionOf(const record::RunResult& run);
/// Events and recording overhead of each variant that has them; may be empty.
[[nodiscard]] TableBlock captureTable(const record::RunResult& run);
/// The slowest layers; empty without layers.
[[nodiscard]] TableBlock layerTable(const ReportInput& input);
/// The text of a member, or its JSON; empty if it is missing.
[[nodiscard]] QString memberText(const Json& json, const char* key);

}  // namespace stagelane::ui
