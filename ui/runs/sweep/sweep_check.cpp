#include "ui/runs/sweep/sweep_check.h"

#include <QObject>
#include <QSet>
#include <QStringList>
#include <algorithm>

#include "engine/plan/imagined.h"
#include "engine/plan/sweep_points.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

std::size_t at(SweepField field) { return static_cast<std::size_t>(field); }

const QString& listOf(const TypedSweep& typed, SweepField field) { return typed.lists[at(field)]; }

bool isOfNumbers(SweepField field) {
  return field == SweepField::Splits || field == SweepField::Batches;
}

/// Empty words for missing values; no words for an empty list.
QStringList wordsOf(const QString& list) {
  QStringList words;
  if (!list.trimmed().isEmpty()) {
    for (const QString& word : list.split(QChar(u','))) words.append(word.trimmed());
  }
  return words;
}

/// Invalid numbers become 0, which no sweep contains.
std::vector<std::int64_t> numbersOf(const QString& list) {
  std::vector<std::int64_t> numbers;
  for (const QString& word : wordsOf(list)) numbers.push_back(word.toLongLong());
  return numbers;
}

std::vector<std::string> textsOf(const QString& list) {
  std::vector<std::string> texts;
  for (const QString& word : wordsOf(list)) texts.push_back(utf8(word));
  return texts;
}

/// The problem of a list by itself; empty for none.
QString problemOf(const QString& list, bool ofNumbers) {
  QSet<QString> known;
  for (const QString& word : wordsOf(list)) {
    const qlonglong number = word.toLongLong();
    if (word.isEmpty()) return QObject::tr("A value is missing between two commas");
    if (ofNumbers && number < 1) return QObject::tr("\"%1\": expected an integer ≥ 1").arg(word);
    const QString value = ofNumbers ? QString::number(number) : word;
    if (known.contains(value)) return QObject::tr("%1 appears twice").arg(value);
    known.insert(value);
  }
  return {};
}

std::optional<SweepField> fieldAt(const std::string& pointer) {
  constexpr std::array<std::pair<const char*, SweepField>, 6> kMembers{
      {{"/split_size", SweepField::Splits},
       {"/schedule", SweepField::Schedules},
       {"/placement", SweepField::Placements},
       {"/stages", SweepField::Placements},
       {"/recompute", SweepField::Recomputes},
       {"/batch_size", SweepField::Batches}}};
  for (const auto& [member, field] : kMembers) {
    if (pointer.find(member) != std::string::npos) return field;
  }
  return std::nullopt;
}

class Checker {
 public:
  Checker(const Json& document, const TypedSweep& typed, const ReadingBasis& basis)
      : m_document(document), m_typed(typed), m_basis(basis) {}

  SweepCheck check(const GoesOn& goesOn) {
    for (std::size_t field = 0; field < kSweepFields; ++field) {
      m_check.problems[field] =
          problemOf(m_typed.lists[field], isOfNumbers(static_cast<SweepField>(field)));
    }
    if (m_typed.variant.isEmpty()) {
      m_check.problem =
          QObject::tr("No variant is a pipeline. Set the strategy of a variant to pipeline");
    }
    if (!m_check.sound()) return m_check;
    const auto jobs = plan::sweepJobs(m_document, sweepSpecOf(m_typed));
    if (!jobs) {
      m_check.problem = sentenceText(jobs.error());
      return m_check;
    }
    for (const plan::SweepJob& job : *jobs) {
      if (!m_check.sound() || !isWanted(goesOn)) break;
      readJob(job);
    }
    m_check.runs = static_cast<std::int64_t>(jobs->size());
    refuseUselessSplits();
    return m_check;
  }

 private:
  /// Reports at the first of these fields that has a list: this dialog cannot change the variant's
  /// own value, only the typed values that conflict with it.
  void refuse(std::initializer_list<std::optional<SweepField>> fields, const QString& problem) {
    for (const auto& field : fields) {
      if (field && !wordsOf(listOf(m_typed, *field)).isEmpty()) {
        m_check.problems[at(*field)] = problem;
        return;
      }
    }
    m_check.problem = problem;
  }

  void readJob(const plan::SweepJob& job) {
    const auto read =
        plan::readExperiment(job.experiment, m_basis.baseFolder, m_basis.machine, m_shapes);
    if (!read) {
      refuse({fieldAt(read.error().context), SweepField::Batches}, sentenceText(read.error()));
      return;
    }
    m_shapes = read->shapes;
    if (const Status real = plan::requireReal(*read); !real) {
      refuse({SweepField::Placements}, sentenceText(real.error()));
      return;
    }
    for (const plan::Variant& variant : read->variants) {
      if (plan::isSweepPoint(variant)) addPoint(*read, variant);
    }
    leaveOutSplits(read->data.batchSize);
  }

  void addPoint(const plan::Experiment& experiment, const plan::Variant& variant) {
    ++m_check.points;
    const QString breach = unsuited(experiment, variant);
    if (!breach.isEmpty()) {
      refuse(
          {SweepField::Schedules, SweepField::Splits, SweepField::Placements, SweepField::Batches},
          QObject::tr("%1, split %2: %3")
              .arg(qstring(variant.schedule))
              .arg(variant.splitSize)
              .arg(breach));
    }
  }

  void leaveOutSplits(std::int64_t batch) {
    m_largestBatch = std::max(m_largestBatch, batch);
    QStringList above;
    for (const std::int64_t split : splits()) {
      if (split > batch) above.append(QString::number(split));
    }
    if (!above.isEmpty()) {
      m_check.leftOut += m_check.leftOut.isEmpty() ? QString() : u"; "_s;
      m_check.leftOut += QObject::tr("%1 at batch %2").arg(above.join(u", "_s)).arg(batch);
    }
  }

  /// The typed list, else the variant's list.
  [[nodiscard]] std::vector<std::int64_t> splits() const {
    const auto typed = numbersOf(listOf(m_typed, SweepField::Splits));
    const Json* variant = variantCalled(m_document["variants"], utf8(m_typed.variant));
    const Json own =
        variant != nullptr ? variant->value("split_size", Json::array()) : Json::array();
    return !typed.empty() || !own.is_array() ? typed : own.get<std::vector<std::int64_t>>();
  }

  /// Refuses a split size above every batch size, which would be omitted everywhere.
  void refuseUselessSplits() {
    for (const std::int64_t split : numbersOf(listOf(m_typed, SweepField::Splits))) {
      if (m_check.sound() && split > m_largestBatch) {
        refuse({SweepField::Splits}, QObject::tr("%1 is larger than the batch (%2). Use 1 to %2")
                                         .arg(split)
                                         .arg(m_largestBatch));
      }
    }
  }

  const Json& m_document;
  const TypedSweep& m_typed;
  const ReadingBasis& m_basis;
  SweepCheck m_check;
  model::ShapeMemoPtr m_shapes;  ///< of the first experiment; the others have the same model
  std::int64_t m_largestBatch = 0;
};

}  // namespace

plan::SweepSpec sweepSpecOf(const TypedSweep& typed) {
  plan::SweepSpec spec;
  spec.variant = utf8(typed.variant);
  spec.splits = numbersOf(listOf(typed, SweepField::Splits));
  spec.schedules = textsOf(listOf(typed, SweepField::Schedules));
  spec.placements = textsOf(listOf(typed, SweepField::Placements));
  spec.recomputes = textsOf(listOf(typed, SweepField::Recomputes));
  spec.batches = numbersOf(listOf(typed, SweepField::Batches));
  spec.earlyStop = typed.earlyStop;
  return spec;
}

bool SweepCheck::sound() const {
  return problem.isEmpty() && std::all_of(problems.begin(), problems.end(),
                                          [](const QString& one) { return one.isEmpty(); });
}

SweepCheck checkSweep(const Json& document, const TypedSweep& typed, const ReadingBasis& basis,
                      const GoesOn& goesOn) {
  return Checker(document, typed, basis).check(goesOn);
}

QString sweepSizeText(const SweepCheck& check) {
  const QString size =
      QObject::tr("%1 in %2")
          .arg(countedText(check.points, QObject::tr("point"), QObject::tr("points")),
               countedText(check.runs, QObject::tr("run"), QObject::tr("runs")));
  return check.leftOut.isEmpty()
             ? size
             : size + QObject::tr(" (omitted split sizes larger than the batch: %1)")
                          .arg(check.leftOut);
}

}  // namespace stagelane::ui
