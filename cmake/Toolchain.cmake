# Language level, build types, and optional tools for faster builds.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Tests and window look for the engine next to the program, so both are built to one folder.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Release has no assertions and no debug information, which would make objects several times larger
# and builds on two cores much slower.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "" FORCE)
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1" CACHE STRING "" FORCE)

find_program(STAGELANE_CCACHE ccache)
if(STAGELANE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache needs these two settings to cache files that use precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${STAGELANE_CCACHE}")
endif()

include(CheckCXXSourceCompiles)
find_program(STAGELANE_MOLD NAMES mold ld.mold)
if(STAGELANE_MOLD)
  # Test the compiler, because g++ before 12.1 has no -fuse-ld=mold.
  set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=mold)
  check_cxx_source_compiles("int main() { return 0; }" STAGELANE_MOLD_WORKS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(STAGELANE_MOLD_WORKS)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

if(STAGELANE_SANITIZE)
  add_compile_options(-fsanitize=${STAGELANE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${STAGELANE_SANITIZE})
endif()

find_package(Threads REQUIRED)
