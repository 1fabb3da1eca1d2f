#include "engine/predict/simulator.h"

#include "engine/predict/player.h"

namespace stagelane::predict {

struct StepSimulator::Buffers {
  detail::Player player;
};

StepSimulator::StepSimulator() : m_buffers(std::make_unique<Buffers>()) {}
StepSimulator::StepSimulator(StepSimulator&&) noexcept = default;
StepSimulator& StepSimulator::operator=(StepSimulator&&) noexcept = default;
StepSimulator::~StepSimulator() = default;

Result<const StepFigures*> StepSimulator::play(const schedule::LoweredSchedule& lowered,
                                               const PlanCosts& costs) {
  STAGELANE_CHECK(m_buffers->player.play(lowered, costs, nullptr));
  return &m_buffers->player.figures();
}

Result<Simulation> simulate(const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  detail::Player player;
  Simulation simulation;
  STAGELANE_CHECK(player.play(lowered, costs, &simulation.actions));
  static_cast<StepFigures&>(simulation) = player.figures();
  return simulation;
}

}  // namespace stagelane::predict
