# Functions that create a folder's target.

# Compile options for Stagelane's own code only.
function(stagelane_own_code target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 warns about std::string in precompiled headers (GCC bugs 105329, 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
      -Wno-stringop-overread)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Unlike g++, clang counts sign changes as conversions.
    target_compile_options(${target} PRIVATE -Wno-sign-conversion)
  endif()
  if(STAGELANE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Links the given targets that exist (an option may exclude one).
function(stagelane_link target visibility)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library})
      target_link_libraries(${target} ${visibility} ${library})
    endif()
  endforeach()
endfunction()

# Qt rules for own code. KEYWORDS allows Qt's keywords and foreach, which qcustomplot.h uses.
function(stagelane_qt_rules target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "KEYWORDS" "" "")
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  target_compile_definitions(${target} PRIVATE QT_NO_CAST_FROM_ASCII)
  if(NOT arg_KEYWORDS)
    target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS QT_NO_FOREACH)
  endif()
endfunction()

# stagelane_library(NAME [FOLDER f | FOLDERS f...] [PUBLIC lib...] [PRIVATE lib...] [QT | QT_KEYWORDS])
#
# Creates the static library NAME from all .cpp files in the given folders (default: the current
# one) and their subfolders. Files are globbed, not listed, to avoid merge conflicts in the list;
# CONFIGURE_DEPENDS makes each build look for new files. Sources named cuda_* or cupti_* are
# compiled only with CUDA, so they can include its headers without #if.
function(stagelane_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "QT;QT_KEYWORDS" "FOLDER" "FOLDERS;PUBLIC;PRIVATE")
  if(NOT arg_FOLDERS)
    set(arg_FOLDERS "${arg_FOLDER}")
  endif()
  set(sources "")
  set(folders "")
  if(NOT arg_FOLDERS)
    set(folders "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  foreach(folder IN LISTS arg_FOLDERS)
    list(APPEND folders "${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
  endforeach()
  foreach(folder IN LISTS folders)
    # Headers too, because AUTOMOC reads only the files in the list.
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.h")
    list(APPEND sources ${found})
  endforeach()
  if(NOT STAGELANE_WITH_CUDA)
    list(FILTER sources EXCLUDE REGEX "/(cuda|cupti)_[^/]*$")
  endif()

  add_library(${name} STATIC ${sources})
  stagelane_own_code(${name})
  if(arg_QT_KEYWORDS)
    stagelane_qt_rules(${name} KEYWORDS)
  elseif(arg_QT)
    stagelane_qt_rules(${name})
  endif()
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  stagelane_link(${name} PUBLIC ${arg_PUBLIC})
  stagelane_link(${name} PRIVATE ${arg_PRIVATE})
  stagelane_precompile(${name} "${arg_QT}")
  set_property(GLOBAL APPEND PROPERTY STAGELANE_LIBRARIES ${name})
  set_target_properties(${name} PROPERTIES STAGELANE_FOLDERS "${folders}")
endfunction()

# stagelane_executable(NAME SOURCES file... LIBRARIES lib...)
function(stagelane_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  stagelane_own_code(${name})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  stagelane_link(${name} PRIVATE ${arg_LIBRARIES})
endfunction()

# Compiles the catalogs of resources/translations into the target, as ":/translations/NAME.qm".
function(stagelane_catalogs target)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/translations")
  file(GLOB catalogs CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/resources/translations/*.ts")
  set(entries "")
  set(compiled "")
  foreach(catalog IN LISTS catalogs)
    get_filename_component(name "${catalog}" NAME_WE)
    add_custom_command(OUTPUT "${folder}/${name}.qm"
      COMMAND "${STAGELANE_LRELEASE}" -silent "${catalog}" -qm "${folder}/${name}.qm"
      DEPENDS "${catalog}"
      VERBATIM)
    list(APPEND compiled "${folder}/${name}.qm")
    string(APPEND entries "    <file>${name}.qm</file>\n")
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/translations.qrc" @ONLY CONTENT
"<RCC version=\"1.0\">
  <qresource prefix=\"/translations\">
@entries@  </qresource>
</RCC>
")
  add_custom_command(OUTPUT "${folder}/qrc_translations.cpp"
    COMMAND Qt6::rcc --name translations -o "${folder}/qrc_translations.cpp"
            "${folder}/translations.qrc"
    DEPENDS ${compiled} "${folder}/translations.qrc"
    VERBATIM)
  target_sources(${target} PRIVATE "${folder}/qrc_translations.cpp")
  set_source_files_properties("${folder}/qrc_translations.cpp" PROPERTIES SKIP_AUTOMOC ON
    SKIP_PRECOMPILE_HEADERS ON)
endfunction()
