#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "engine/schedule/generators.h"
#include "engine/schedule/text_forms.h"

namespace stagelane::schedule {
namespace {

constexpr int kMostStages = 4096;
constexpr int kMostMicroBatches = 1'000'000;
constexpr std::size_t kMostMissing = 10'000;

struct Place {
  std::string_view source;
  std::size_t row = 0;
  std::size_t cell = 0;
};

tl::unexpected<Error> badCell(const Place& place, std::string_view text, const std::string& what) {
  return fail(ErrorCode::Invalid, "the cell \"" + std::string(text.substr(0, 60)) + "\" " + what,
              std::string(place.source) + ", row " + std::to_string(place.row + 1) + ", cell " +
                  std::to_string(place.cell + 1),
              "Use the form STAGE ACTION MICROBATCH without blanks, such as 0F3 (F, B, I or W)");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\"";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// Takes a number off the front; empty if there is none or it is above `most`.
std::optional<int> takeNumber(std::string_view& text, int most) {
  int value = 0;
  const char* begin = text.data();
  const auto [end, problem] = std::from_chars(begin, begin + text.size(), value);
  if (problem != std::errc{} || end == begin || text.front() == '-' || value > most) return {};
  text.remove_prefix(static_cast<std::size_t>(end - begin));
  return value;
}

/// Actions from torch.distributed.pipelining's own lowering; `lower` adds them here.
bool isAddedByLowering(std::string_view letters) {
  static constexpr std::array<std::string_view, 8> kAdded{
      "SEND_F", "RECV_F", "SEND_B", "RECV_B", "UNSHARD", "RESHARD", "REDUCE_GRAD", "LOSS"};
  return std::find(kAdded.begin(), kAdded.end(), letters) != kAdded.end();
}

std::optional<ActionKind> scheduledKind(std::string_view letters) {
  if (letters == "F") return ActionKind::Forward;
  if (letters == "B" || letters == "FULL_BACKWARD") return ActionKind::Backward;
  if (letters == "I" || letters == "BACKWARD_INPUT") return ActionKind::BackwardInput;
  if (letters == "W" || letters == "BACKWARD_WEIGHT") return ActionKind::BackwardWeight;
  return {};
}

/// Collects the rows of a file, then derives stages and micro-batches.
class CsvReader {
 public:
  explicit CsvReader(std::string_view source) { m_place.source = source; }
  Result<Schedule> read(std::string_view text);

 private:
  Status readRow(std::string_view line);
  Status readCell(std::string_view text);
  Status readAction(std::string_view text);
  Status addStage(int stage, std::string_view text);
  Result<Schedule> finish();

  Place m_place;
  Schedule m_schedule;
  std::vector<int> m_rowOfStage;
};

Status CsvReader::addStage(int stage, std::string_view text) {
  std::vector<int>& rows = m_rowOfStage;
  const auto index = static_cast<std::size_t>(stage);
  if (index >= rows.size()) rows.resize(index + 1, -1);
  const int row = static_cast<int>(m_place.row);
  if (rows[index] >= 0 && rows[index] != row) {
    return badCell(m_place, text,
                   "puts stage " + std::to_string(stage) + " on a second device: row " +
                       std::to_string(rows[index] + 1) + " has it too");
  }
  rows[index] = row;
  return {};
}

Status CsvReader::readAction(std::string_view text) {
  std::string_view rest = text;
  const auto stage = takeNumber(rest, kMostStages);
  if (!stage) return badCell(m_place, text, "does not begin with a stage number");
  const std::size_t letters = rest.find_first_of("0123456789");
  const std::string_view name = rest.substr(0, letters);
  if (isAddedByLowering(name)) return {};
  const auto kind = scheduledKind(name);
  if (!kind) return badCell(m_place, text, "has no known action");
  rest.remove_prefix(name.size());
  const auto microBatch = takeNumber(rest, kMostMicroBatches);
  if (!microBatch || !rest.empty())
    return badCell(m_place, text, "does not end with a micro-batch number");
  STAGELANE_CHECK(addStage(*stage, text));
  m_schedule.microBatches = std::max(m_schedule.microBatches, *microBatch + 1);
  m_schedule.actions.back().push_back({*kind, StageId{*stage}, MicroBatchId{*microBatch}});
  return {};
}

/// A cell is blank, one action, or `(0F5;3B2)OVERLAP_F_B`.
Status CsvReader::readCell(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  if (text.front() != '(') return readAction(text);
  const std::size_t end = text.find(')');
  if (end == std::string_view::npos || text.substr(end + 1) != "OVERLAP_F_B") {
    return badCell(m_place, text, "is not a pair of the form (0F5;3B2)OVERLAP_F_B");
  }
  std::string_view inside = text.substr(1, end - 1);
  for (;;) {
    const std::size_t separator = inside.find(';');
    STAGELANE_CHECK(readAction(trimmed(inside.substr(0, separator))));
    if (separator == std::string_view::npos) return {};
    inside.remove_prefix(separator + 1);
  }
}

Status CsvReader::readRow(std::string_view line) {
  m_schedule.actions.emplace_back();
  for (m_place.cell = 0;; ++m_place.cell) {
    const std::size_t comma = line.find(',');
    STAGELANE_CHECK(readCell(line.substr(0, comma)));
    if (comma == std::string_view::npos) return {};
    line.remove_prefix(comma + 1);
  }
}

Result<Schedule> CsvReader::finish() {
  m_schedule.devices = static_cast<int>(m_schedule.actions.size());
  m_schedule.stages = static_cast<int>(m_rowOfStage.size());
  const std::string source(m_place.source);
  if (m_schedule.stages == 0) {
    return fail(ErrorCode::Invalid, "the file has no actions", source,
                "Use one row per device, with cells such as 0F0");
  }
  for (std::size_t row = 0; row < m_schedule.actions.size(); ++row) {
    if (!m_schedule.actions[row].empty()) continue;
    return fail(ErrorCode::Invalid, "row " + std::to_string(row + 1) + " has no actions", source,
                "Remove devices without stages");
  }
  for (std::size_t stage = 0; stage < m_rowOfStage.size(); ++stage) {
    if (m_rowOfStage[stage] >= 0) continue;
    return fail(ErrorCode::Invalid, "no row contains stage " + std::to_string(stage), source,
                "Number the stages from 0 without gaps");
  }
  // A stage or micro-batch number far above the cell count would make the tables huge. `validate`
  // reports individual missing actions.
  std::size_t actions = 0;
  for (const auto& row : m_schedule.actions) actions += row.size();
  const auto needed = static_cast<std::size_t>(m_schedule.stages) *
                      static_cast<std::size_t>(m_schedule.microBatches);
  if (needed > kMostMissing && actions < needed) {
    return fail(ErrorCode::Invalid,
                "the file has " + std::to_string(actions) + " actions, but " +
                    std::to_string(m_schedule.stages) + " stages with " +
                    std::to_string(m_schedule.microBatches) + " micro-batches need at least " +
                    std::to_string(2 * needed),
                source, "Add a forward and a backward for every stage and micro-batch");
  }
  m_schedule.rows = std::move(m_rowOfStage);
  return std::move(m_schedule);
}

Result<Schedule> CsvReader::read(std::string_view text) {
  m_schedule.name = "csv";
  m_schedule.microBatches = 0;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    // Empty lines are not devices.
    if (trimmed(line).empty()) continue;
    if (m_schedule.actions.size() >= static_cast<std::size_t>(kMostDevices)) {
      return fail(ErrorCode::Invalid, "the file has more than 1024 rows",
                  std::string(m_place.source));
    }
    STAGELANE_CHECK(readRow(line));
    ++m_place.row;
  }
  return finish();
}

}  // namespace

Result<Schedule> fromCsv(std::string_view text, std::string_view source) {
  return CsvReader(source).read(text);
}

}  // namespace stagelane::schedule
