#pragma once

/// The head of a report: its question, what was trained and how, the machine, and how near the
/// predictions came. Pure.

#include "ui/report/report_document.h"

namespace stagelane::ui {

/// `asked`, or where nobody asked: "Which of 7 ways to train resnet50 on cpu:0, cpu:1 is fastest,
/// and what holds the others back?"
[[nodiscard]] QString questionOf(const ReportInput& input, const QString& asked);
/// Model, data, loss, optimizer, precision, devices, repeats, timing.
[[nodiscard]] FactsBlock settingsOf(const ReportInput& input);
/// Processor, versions, build.
[[nodiscard]] FactsBlock machineOf(const Json& environment);
/// "The predicted steps of 6 variants are off by 1.2 % in the median …"; empty without predictions.
[[nodiscard]] QString predictionOf(const record::RunResult& run);
/// Events, and what recording them cost, of each variant that says so; empty where none does.
[[nodiscard]] TableBlock captureTable(const record::RunResult& run);
/// The input's layers; empty where there are none.
[[nodiscard]] TableBlock layerTable(const ReportInput& input);
/// The text of a member, or its JSON; empty where there is none.
[[nodiscard]] QString memberText(const Json& json, const char* key);

}  // namespace stagelane::ui
