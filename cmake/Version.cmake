# Writes generated/stagelane_version.h with the version and the git revision of the build.
#
# The revision is looked up at every build, because a commit does not make CMake run again. The file
# is written only if it changes. Include the header only from one .cpp of engine/base, because its
# users recompile with every commit.

set(STAGELANE_GENERATED_DIR "${CMAKE_BINARY_DIR}/generated")

set(_version_command
    "${CMAKE_COMMAND}"
    "-DSOURCE_DIR=${CMAKE_SOURCE_DIR}"
    "-DVERSION=${PROJECT_VERSION}"
    "-DOUTPUT=${STAGELANE_GENERATED_DIR}/stagelane_version.h"
    -P "${CMAKE_SOURCE_DIR}/cmake/WriteVersion.cmake")

execute_process(COMMAND ${_version_command} COMMAND_ERROR_IS_FATAL ANY)

add_custom_target(stagelane_version
  COMMAND ${_version_command}
  BYPRODUCTS "${STAGELANE_GENERATED_DIR}/stagelane_version.h"
  COMMENT "Looking up the git revision")
