# Creates programs and ctest entries for test folders (file names: see tests/CMakeLists.txt).

# Common settings of test programs: path of the checkout, precompiled headers, GoogleTest.
add_library(stagelane_test_support STATIC "${CMAKE_SOURCE_DIR}/tests/support/paths.cpp")
stagelane_own_code(stagelane_test_support)
target_include_directories(stagelane_test_support PUBLIC "${CMAKE_SOURCE_DIR}")
target_compile_definitions(stagelane_test_support PRIVATE
  "STAGELANE_SOURCE_DIR=\"${CMAKE_SOURCE_DIR}\""
  "STAGELANE_BIN_DIR=\"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}\""
  "STAGELANE_TEST_DATA=\"${CMAKE_SOURCE_DIR}/tests/data\"")

# The same for scripts, with the torch folder for comparisons with PyTorch.
set(STAGELANE_TEST_ENVIRONMENT
  "STAGELANE_SOURCE_DIR=${CMAKE_SOURCE_DIR}"
  "STAGELANE_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
  "STAGELANE_TEST_DATA=${CMAKE_SOURCE_DIR}/tests/data")
if(STAGELANE_SANITIZE)
  # Qt's font and platform plugins never free some allocations.
  list(APPEND STAGELANE_TEST_ENVIRONMENT
    "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/lsan.supp"
    "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/tsan.supp"
    "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1")
endif()

# Timeout of a test in seconds: long enough for a loaded machine, shorter than CI's limit.
set(STAGELANE_TEST_TIMEOUT 600)
set(STAGELANE_LONG_TEST_TIMEOUT 3600)

# Sets OUT to gpu, long or DEFAULT by the test's file name.
function(stagelane_test_label file default out)
  if(file MATCHES "_gpu(_test)?\\.[a-z]+$")
    set(${out} gpu PARENT_SCOPE)
  elseif(file MATCHES "_long(_test)?\\.[a-z]+$")
    set(${out} long PARENT_SCOPE)
  else()
    set(${out} ${default} PARENT_SCOPE)
  endif()
endfunction()

function(stagelane_test_timeout label out)
  if(label STREQUAL "long")
    set(${out} ${STAGELANE_LONG_TEST_TIMEOUT} PARENT_SCOPE)
  else()
    set(${out} ${STAGELANE_TEST_TIMEOUT} PARENT_SCOPE)
  endif()
endfunction()

# Adds a test program of SOURCES and libraries, without ctest entries.
function(stagelane_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  stagelane_own_code(${name})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  stagelane_link(${name} PRIVATE stagelane_test_support ${arg_LIBRARIES})
endfunction()

# stagelane_discover(NAME PREFIX LABEL PROCESSORS environment...): one ctest entry per test of NAME.
#
# PRE_TEST lists the tests when ctest runs, so that a program that cannot start fails its tests, not
# the build. gtest_discover_tests splits values that are lists, so a file that ctest reads after the
# tests sets the environment.
function(stagelane_discover name prefix label processors)
  stagelane_test_timeout(${label} timeout)
  set(lock "")
  if(label STREQUAL "gpu")
    # They share GPUs, and some measure times or fill the memory.
    set(lock RESOURCE_LOCK gpu)
  endif()
  gtest_discover_tests(${name}
    NO_PRETTY_VALUES
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 120
    TEST_PREFIX "${prefix}/"
    TEST_LIST ${name}_TESTS
    PROPERTIES LABELS ${label} TIMEOUT ${timeout} PROCESSORS ${processors} ${lock})
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}_environment.cmake")
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT
"if(@name@_TESTS)
  set_tests_properties(\${@name@_TESTS} PROPERTIES ENVIRONMENT [==[@ARGN@]==])
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()

# stagelane_test_folder(FOLDER lib... [QT] [WHOLE] [PROCESSORS n] [WITHOUT subfolder]): one program
# for a folder and its subfolders. WHOLE: one ctest entry for it, where starting the program takes
# longer than its tests.
function(stagelane_test_folder folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "QT;WHOLE" "PROCESSORS;WITHOUT" "")
  set(root "${CMAKE_SOURCE_DIR}/tests/${folder}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${root}/*.cpp")
  if(arg_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "^${root}/${arg_WITHOUT}/")
  endif()
  if(NOT STAGELANE_WITH_CUDA)
    list(FILTER sources EXCLUDE REGEX "/(cuda|cupti)_[^/]*$")
  endif()
  set(helpers ${sources})
  list(FILTER helpers EXCLUDE REGEX "_(test|bench)\\.cpp$")
  list(FILTER sources INCLUDE REGEX "_test\\.cpp$")

  set(test_main GTest::gmock_main)
  set(environment ${STAGELANE_TEST_ENVIRONMENT})
  if(arg_QT)
    set(test_main stagelane_qt_test_main)
    # Tests that need a real screen are in tests/gui.
    list(APPEND environment "QT_QPA_PLATFORM=offscreen")
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()

  set(kind plain)
  if(arg_QT)
    set(kind qt)
  elseif("stagelane_torch" IN_LIST arg_UNPARSED_ARGUMENTS)
    set(kind torch)
  endif()

  set(of_cpu "")
  set(of_gpu "")
  set(of_long "")
  foreach(file IN LISTS sources)
    stagelane_test_label("${file}" cpu label)
    list(APPEND of_${label} "${file}")
  endforeach()

  string(REPLACE "/" "_" base "test_${folder}")
  foreach(label IN ITEMS cpu gpu long)
    if(of_${label})
      set(name ${base})
      if(NOT label STREQUAL "cpu")
        string(APPEND name "_${label}")
      endif()
      stagelane_test_program(${name}
        SOURCES ${of_${label}} ${helpers}
        LIBRARIES ${arg_UNPARSED_ARGUMENTS} ${test_main} GTest::gmock GTest::gtest)
      if(arg_QT)
        # With Qt's keywords, because tests/ui/plots includes QCustomPlot.
        set_target_properties(${name} PROPERTIES AUTOMOC ON)
      endif()
      stagelane_precompile_test(${name} ${kind})
      if(arg_WHOLE)
        stagelane_test_timeout(${label} timeout)
        add_test(NAME "${folder}" COMMAND ${name})
        set_tests_properties("${folder}" PROPERTIES LABELS ${label} TIMEOUT ${timeout}
          PROCESSORS ${arg_PROCESSORS} ENVIRONMENT "${environment}")
      else()
        stagelane_discover(${name} "${folder}" ${label} ${arg_PROCESSORS} ${environment})
      endif()
    endif()
  endforeach()
endfunction()

# tests/gui and its folders: *_test.cpp, one program each, run in a real window by
# tests/gui/with-display. plan/drag_test.cpp is the program gui_plan_drag_test and the test
# gui/plan/drag_test.
function(stagelane_gui_tests)
  set(root "${CMAKE_SOURCE_DIR}/tests/gui")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${root}/*.cpp")
  set(helpers ${sources})
  list(FILTER helpers EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources INCLUDE REGEX "_test\\.cpp$")

  set(helper_library "")
  if(helpers AND sources)
    set(helper_library stagelane_gui_test_helpers)
    add_library(${helper_library} STATIC ${helpers})
    stagelane_own_code(${helper_library})
    set_target_properties(${helper_library} PROPERTIES AUTOMOC ON)
    target_include_directories(${helper_library} PUBLIC "${CMAKE_SOURCE_DIR}")
    stagelane_link(${helper_library} PUBLIC stagelane_test_support stagelane_app Qt6::Test GTest::gmock)
    stagelane_precompile_test(${helper_library} qt)
  endif()

  foreach(file IN LISTS sources)
    file(RELATIVE_PATH path "${root}" "${file}")
    string(REGEX REPLACE "\\.cpp$" "" path "${path}")
    string(REPLACE "/" "_" name "gui_${path}")
    stagelane_test_label("${file}" gui label)
    stagelane_test_timeout(${label} timeout)
    # A test file or helper may define main(), so link the archive with ours last.
    stagelane_test_program(${name}
      SOURCES "${file}"
      LIBRARIES ${helper_library} stagelane_app stagelane_resources Qt6::Test
                stagelane_qt_test_main GTest::gmock GTest::gtest)
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
    stagelane_precompile_test(${name} qt)
    foreach(program IN ITEMS stagelane stagelane-engine)
      if(TARGET ${program})
        add_dependencies(${name} ${program})
      endif()
    endforeach()
    # One entry per file, because starting a display, window manager and window takes longer than
    # most tests.
    add_test(NAME gui/${path}
      COMMAND "${CMAKE_SOURCE_DIR}/tests/gui/with-display" $<TARGET_FILE:${name}>)
    set_tests_properties(gui/${path} PROPERTIES
      LABELS ${label}
      TIMEOUT ${timeout}
      PROCESSORS 1
      ENVIRONMENT "${STAGELANE_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

# tests/integration: *_test.cpp, and scripts *.py and *.sh that must exit with 0 (77: skipped).
# Scripts whose names start with _ are helpers.
function(stagelane_integration_tests)
  set(root "${CMAKE_SOURCE_DIR}/tests/integration")
  file(GLOB sources CONFIGURE_DEPENDS "${root}/*.cpp")
  file(GLOB scripts CONFIGURE_DEPENDS "${root}/*.py" "${root}/*.sh")
  set(helpers ${sources})
  list(FILTER helpers EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources INCLUDE REGEX "_test\\.cpp$")
  list(FILTER scripts EXCLUDE REGEX "/_[^/]*$")

  foreach(file IN LISTS sources)
    get_filename_component(stem "${file}" NAME_WE)
    set(name integration_${stem})
    stagelane_test_program(${name}
      SOURCES "${file}" ${helpers}
      LIBRARIES stagelane_base stagelane_record stagelane_analysis stagelane_formats
                stagelane_workspace nlohmann_json::nlohmann_json
                GTest::gmock_main GTest::gmock GTest::gtest)
    foreach(program IN ITEMS stagelane stagelane-engine)
      if(TARGET ${program})
        add_dependencies(${name} ${program})
      endif()
    endforeach()
    stagelane_test_label("${file}" cpu label)
    stagelane_discover(${name} integration/${stem} ${label} 2 ${STAGELANE_TEST_ENVIRONMENT})
  endforeach()

  find_program(STAGELANE_TEST_PYTHON NAMES python3 PATHS "${CMAKE_SOURCE_DIR}/.venv/bin" NO_DEFAULT_PATH)
  find_program(STAGELANE_TEST_PYTHON NAMES python3)
  foreach(file IN LISTS scripts)
    get_filename_component(stem "${file}" NAME_WE)
    if(file MATCHES "\\.py$")
      set(command "${STAGELANE_TEST_PYTHON}" "${file}")
    else()
      set(command bash "${file}")
    endif()
    stagelane_test_label("${file}" cpu label)
    stagelane_test_timeout(${label} timeout)
    add_test(NAME integration/${stem} COMMAND ${command})
    set_tests_properties(integration/${stem} PROPERTIES
      LABELS ${label}
      TIMEOUT ${timeout}
      PROCESSORS 2
      SKIP_RETURN_CODE 77
      ENVIRONMENT "${STAGELANE_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

# tests/bench/*_bench.cpp: one Google Benchmark program each, linked with everything that is built.
function(stagelane_benchmarks)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/bench/*_bench.cpp")
  foreach(file IN LISTS sources)
    get_filename_component(stem "${file}" NAME_WE)
    set(name bench_${stem})
    string(REGEX REPLACE "_bench$" "" name "bench_${stem}")
    set(libraries stagelane_formats stagelane_analysis stagelane_search stagelane_record
                  stagelane_workspace)
    # By name, so that engine benchmarks do not link Qt, and window benchmarks do not link LibTorch.
    if(stem MATCHES "^(ui|app|window|gui|timeline|plot)")
      if(NOT STAGELANE_WINDOW)
        continue()
      endif()
      list(APPEND libraries stagelane_app stagelane_resources)
    elseif(stem MATCHES "^(engine|run|executor|capture)")
      if(NOT STAGELANE_ENGINE)
        continue()
      endif()
      list(APPEND libraries stagelane_run stagelane_capture stagelane_torch)
    endif()
    stagelane_test_program(${name}
      SOURCES "${file}"
      LIBRARIES ${libraries} benchmark::benchmark benchmark::benchmark_main)
    add_test(NAME bench/${stem} COMMAND ${name})
    set_tests_properties(bench/${stem} PROPERTIES
      LABELS bench
      TIMEOUT ${STAGELANE_LONG_TEST_TIMEOUT}
      RUN_SERIAL ON
      ENVIRONMENT "${STAGELANE_TEST_ENVIRONMENT};QT_QPA_PLATFORM=offscreen")
  endforeach()
endfunction()
