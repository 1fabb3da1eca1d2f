#pragma once

/// The prediction of the selected variant, updated with the document, the selection and the costs,
/// and shared by all pages. Until a new answer arrives, the last one stays and is stale.

#include <QObject>
#include <map>
#include <optional>

#include "engine/base/result.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/prediction_runner.h"

namespace stagelane::ui {

class Predictor final : public QObject {
  Q_OBJECT

 public:
  /// @pre the arguments outlive this, and `selection` follows the document before this does
  Predictor(ExperimentDocument* document, VariantSelection* selection, Costs* costs,
            QObject* parent = nullptr);

  /// Null while there is none for the selected variant.
  [[nodiscard]] PlanPredictionPtr prediction() const { return m_prediction; }
  /// The document's experiment with the orders of `auto` that were predicted for it as it is, with
  /// the costs as they are. What was not shown is open.
  [[nodiscard]] plan::Experiment shownPlan() const;
  /// A new one is being computed.
  [[nodiscard]] bool stale() const { return m_stale; }
  /// Why there is no new one for the selected variant.
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
  /// An answer is pending.
  [[nodiscard]] bool busy() const { return m_runner.busy(); }

 Q_SIGNALS:
  void changed();

 private:
  void clear();
  void refresh();
  /// The last prediction if it is of the selected variant.
  [[nodiscard]] PlanPredictionPtr lastOfVariant() const;
  void answer(PlanPredictionPtr prediction, std::optional<Error> error);
  void setStale();

  ExperimentDocument* m_document;
  VariantSelection* m_selection;
  Costs* m_costs;
  PredictionRunner m_runner;
  PlanPredictionPtr m_prediction;
  std::shared_ptr<const plan::Experiment> m_ordersOf;  ///< another one with each edit and cost
  std::map<std::string, std::string> m_orders;         ///< by variant id
  bool m_stale = false;
  std::optional<Error> m_error;
};

}  // namespace stagelane::ui
