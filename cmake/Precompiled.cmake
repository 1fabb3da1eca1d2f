# Precompiles third-party headers that many files include: the standard library with JSON, Qt,
# LibTorch's tensor, and GoogleTest. Not our own headers, because a change would recompile everything.
#
# The first target of a kind owns the precompiled header; the others reuse it. g++ requires equal
# options and definitions, else it warns (an error in CI).

option(STAGELANE_PRECOMPILE "Precompile the headers of Qt, LibTorch, the standard library and GoogleTest" ON)

set(STAGELANE_PRECOMPILED_STANDARD
  <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <cstdint> <filesystem> <functional>
  <fstream> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <sstream> <string>
  <string_view> <thread> <tuple> <unordered_map> <utility> <variant> <vector>
  <nlohmann/json.hpp> <tl/expected.hpp>)

set(STAGELANE_PRECOMPILED_QT
  ${STAGELANE_PRECOMPILED_STANDARD}
  <QAbstractButton> <QAbstractItemModel> <QAbstractItemView> <QAction> <QApplication> <QBoxLayout>
  <QCheckBox> <QComboBox> <QDialog> <QDir> <QElapsedTimer> <QEvent> <QFileInfo> <QFontMetricsF>
  <QFormLayout> <QHash> <QHeaderView> <QImage> <QKeyEvent> <QLabel> <QLineEdit> <QMenu> <QObject>
  <QPainter> <QPainterPath> <QPushButton> <QRegularExpression> <QScrollArea> <QScrollBar>
  <QSettings> <QSortFilterProxyModel> <QSplitter> <QStackedWidget> <QString> <QStringList>
  <QStyledItemDelegate> <QTableView> <QThreadPool> <QTimer> <QToolButton> <QToolTip> <QTreeView>
  <QUndoStack> <QWidget>)

set(STAGELANE_PRECOMPILED_TORCH ${STAGELANE_PRECOMPILED_STANDARD} <ATen/core/Tensor.h>)

# Compile tests without optimization, to save build time. The tested code is optimized.
set(STAGELANE_TEST_OPTIONS -O0)

function(stagelane_precompile_as target owner)
  if(NOT STAGELANE_PRECOMPILE)
    return()
  endif()
  if(TARGET ${owner} AND NOT target STREQUAL owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# stagelane_precompile(TARGET is_qt): for the libraries of the product.
function(stagelane_precompile target is_qt)
  if(is_qt)
    stagelane_precompile_as(${target} stagelane_ui_kit ${STAGELANE_PRECOMPILED_QT})
  elseif(target MATCHES "^stagelane_ui_plots$")
    stagelane_precompile_as(${target} ${target} ${STAGELANE_PRECOMPILED_QT} <qcustomplot.h>)
  elseif(target STREQUAL "stagelane_run")
    stagelane_precompile_as(${target} ${target} ${STAGELANE_PRECOMPILED_TORCH})
  else()
    stagelane_precompile_as(${target} stagelane_base ${STAGELANE_PRECOMPILED_STANDARD})
  endif()
endfunction()

# stagelane_precompiled_headers(NAME lib...): an owner of precompiled headers for test programs.
function(stagelane_precompiled_headers name)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "")
  add_library(${name} OBJECT "${source}")
  stagelane_own_code(${name})
  target_compile_options(${name} PRIVATE ${STAGELANE_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE ${ARGN})
  if(name MATCHES "_qt_")
    stagelane_precompile_as(${name} ${name} ${STAGELANE_PRECOMPILED_QT} <QSignalSpy> <gmock/gmock.h>)
  elseif(name MATCHES "_torch_")
    stagelane_precompile_as(${name} ${name} ${STAGELANE_PRECOMPILED_TORCH} <gmock/gmock.h>)
  else()
    stagelane_precompile_as(${name} ${name} ${STAGELANE_PRECOMPILED_STANDARD} <gmock/gmock.h>)
  endif()
endfunction()

# stagelane_precompile_test(TARGET kind): for test programs, compiled with -fPIC like libraries
# instead of -fPIE, so that all of a kind (plain, qt or torch) share one precompiled header.
function(stagelane_precompile_test target kind)
  if(NOT STAGELANE_PRECOMPILE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC ${STAGELANE_TEST_OPTIONS})
  if(kind STREQUAL "plain")
    stagelane_precompile_as(${target} stagelane_precompiled_tests)
  else()
    stagelane_precompile_as(${target} stagelane_precompiled_${kind}_tests)
  endif()
endfunction()
