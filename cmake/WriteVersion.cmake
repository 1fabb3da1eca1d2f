# Script (cmake -P): writes OUTPUT with VERSION and the git revision of SOURCE_DIR.
# Without git or a repository (an unpacked archive, the copy on a GPU node), the revision is the
# environment variable STAGELANE_GIT_REVISION, else "unknown".

set(STAGELANE_VERSION "${VERSION}")
set(STAGELANE_GIT_REVISION "$ENV{STAGELANE_GIT_REVISION}")

find_program(GIT git)
if(NOT STAGELANE_GIT_REVISION AND GIT)
  execute_process(
    COMMAND "${GIT}" -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE STAGELANE_GIT_REVISION
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
endif()
if(NOT STAGELANE_GIT_REVISION)
  set(STAGELANE_GIT_REVISION "unknown")
endif()

configure_file("${SOURCE_DIR}/cmake/stagelane_version.h.in" "${OUTPUT}" @ONLY)
