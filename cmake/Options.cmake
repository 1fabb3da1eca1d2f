# Options for the command line (-DNAME=VALUE) and CMakePresets.json.

option(STAGELANE_ENGINE "Build stagelane-engine (needs LibTorch)" ON)
option(STAGELANE_WINDOW "Build stagelane, the window and command line (needs Qt 6)" ON)
option(STAGELANE_TESTS "Build the tests and benchmarks" ON)
option(STAGELANE_WERROR "Treat compiler warnings in Stagelane's own code as errors" OFF)
option(STAGELANE_FUZZ "Build the libFuzzer targets (clang only; preset fuzz)" OFF)
option(STAGELANE_HEADER_CHECK "Compile each public header on its own (with the tests)" ON)

set(STAGELANE_CUDA "AUTO" CACHE STRING
    "CUDA parts of the engine: AUTO builds them when LibTorch and its headers have CUDA")
set_property(CACHE STAGELANE_CUDA PROPERTY STRINGS AUTO ON OFF)
if(NOT STAGELANE_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "STAGELANE_CUDA is '${STAGELANE_CUDA}'; it must be AUTO, ON or OFF")
endif()

set(STAGELANE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them (presets asan, tsan)")

set(STAGELANE_TORCH_DIR "" CACHE PATH
    "The torch folder of a wheel (or its site-packages, or a virtual environment); empty: search")

set(STAGELANE_DEPS_DIR "" CACHE PATH
    "Folder made by './dev device-bundle', for machines without Debian's -dev packages")
