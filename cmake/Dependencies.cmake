# Third-party libraries: Debian packages, Qt, and LibTorch from its wheel. Nothing is vendored.
# They are imported targets, so their headers are system headers without warnings.

# A machine without Debian's -dev packages (a GPU node) uses .deps from './dev device-bundle', which
# has the packages' files below usr/.
if(NOT STAGELANE_DEPS_DIR AND IS_DIRECTORY "${CMAKE_SOURCE_DIR}/.deps/usr")
  find_package(tl-expected CONFIG QUIET)
  find_package(simdjson CONFIG QUIET)
  if(NOT tl-expected_FOUND OR NOT simdjson_FOUND)
    set(STAGELANE_DEPS_DIR "${CMAKE_SOURCE_DIR}/.deps" CACHE PATH "" FORCE)
  endif()
endif()
if(STAGELANE_DEPS_DIR)
  message(STATUS "Libraries from ${STAGELANE_DEPS_DIR}")
  list(PREPEND CMAKE_PREFIX_PATH "${STAGELANE_DEPS_DIR}/usr")
  # The bundle's libraries depend on each other (spdlog on fmt), and only the old kind of RPATH
  # applies to indirect dependencies.
  add_link_options(-Wl,--disable-new-dtags)
endif()

find_package(nlohmann_json REQUIRED)
find_package(tl-expected CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(simdjson CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(zstd CONFIG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp CONFIG REQUIRED)

# protozero is header-only, and Debian ships no CMake package for it.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_writer.hpp REQUIRED)
add_library(stagelane_protozero INTERFACE)
target_include_directories(stagelane_protozero SYSTEM INTERFACE "${PROTOZERO_INCLUDE_DIR}")

# Debian ships no CMake package for PCRE2 either.
find_path(PCRE2_INCLUDE_DIR pcre2.h REQUIRED)
find_library(PCRE2_LIBRARY pcre2-8 REQUIRED)
add_library(stagelane_pcre2 INTERFACE)
target_include_directories(stagelane_pcre2 SYSTEM INTERFACE "${PCRE2_INCLUDE_DIR}")
target_link_libraries(stagelane_pcre2 INTERFACE "${PCRE2_LIBRARY}")

# SQLiteCpp's target has no namespace and lacks the archive's dependency on SQLite.
add_library(stagelane_sqlite INTERFACE)
target_link_libraries(stagelane_sqlite INTERFACE SQLiteCpp SQLite::SQLite3 ${CMAKE_DL_LIBS})

if(STAGELANE_WINDOW)
  # QCustomPlot's package uses Qt targets without finding them, so find Qt first.
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets PrintSupport Svg DBus)
  # Not with Qt's package LinguistTools, which also requires Designer.
  find_program(STAGELANE_LRELEASE lrelease REQUIRED
    HINTS "${QT6_INSTALL_PREFIX}/${QT6_INSTALL_BINS}" "${QT6_INSTALL_PREFIX}/${QT6_INSTALL_LIBEXECS}")
  find_package(QCustomPlotQt6 CONFIG REQUIRED)
  find_package(harfbuzz CONFIG REQUIRED)
  if(STAGELANE_TESTS)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
  endif()
endif()

set(STAGELANE_WITH_CUDA OFF)
if(STAGELANE_ENGINE)
  include(Torch)
endif()

if(STAGELANE_TESTS)
  find_package(GTest REQUIRED)
  find_package(benchmark CONFIG REQUIRED)
endif()
