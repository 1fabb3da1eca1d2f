#include "ui/kit/boxes.h"

namespace stagelane::ui {
namespace {

template <typename Box>
Box* filled(Box* box, const BoxRoom& room, BoxItems items) {
  box->setContentsMargins(room.margins);
  box->setSpacing(room.spacing);
  for (const BoxItem& item : items) item.addTo(*box);
  return box;
}

}  // namespace

void BoxItem::addTo(QBoxLayout& box) const {
  if (m_widget != nullptr) {
    box.addWidget(m_widget, m_stretch, m_alignment);
  } else if (m_layout != nullptr) {
    box.addLayout(m_layout, m_stretch);
  } else if (m_gap > 0) {
    box.addSpacing(m_gap);
  } else {
    box.addStretch(m_stretch);
  }
}

QHBoxLayout* rowLayout(QWidget* host, const BoxRoom& room, BoxItems items) {
  return filled(new QHBoxLayout(host), room, items);
}

QVBoxLayout* columnLayout(QWidget* host, const BoxRoom& room, BoxItems items) {
  return filled(new QVBoxLayout(host), room, items);
}

QHBoxLayout* rowLayout(const BoxRoom& room, BoxItems items) {
  return rowLayout(nullptr, room, items);
}

QVBoxLayout* columnLayout(const BoxRoom& room, BoxItems items) {
  return columnLayout(nullptr, room, items);
}

}  // namespace stagelane::ui
