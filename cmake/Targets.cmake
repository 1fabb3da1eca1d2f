# How a folder becomes a target.

# What all of Stagelane's own code is compiled with, and nothing of others is.
function(stagelane_own_code target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # clang counts sign changes as conversions where g++ (the compiler of the builds) does not.
    target_compile_options(${target} PRIVATE -Wno-sign-conversion)
  endif()
  if(STAGELANE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Links those of the given targets that exist (an option may have left one out).
function(stagelane_link target visibility)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library})
      target_link_libraries(${target} ${visibility} ${library})
    endif()
  endforeach()
endfunction()

# Qt rules for own code. KEYWORDS leaves out the two that qcustomplot.h, which is written with
# Qt's keywords and foreach, cannot be compiled with.
function(stagelane_qt_rules target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "KEYWORDS" "" "")
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  target_compile_definitions(${target} PRIVATE QT_NO_CAST_FROM_ASCII)
  if(NOT arg_KEYWORDS)
    target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS QT_NO_FOREACH)
  endif()
endfunction()

# stagelane_library(NAME [PUBLIC lib...] [PRIVATE lib...] [QT | QT_KEYWORDS] [EXCLUDE file...])
#
# Makes the static library NAME of all .cpp files of the current folder and its subfolders, or an
# interface library while there is none. The files are globbed, not listed, because several people
# add files to a folder at the same time and a list would be the place where all their changes
# meet; CONFIGURE_DEPENDS makes each build look for new files. Sources named cuda_* or cupti_* are
# left out where CUDA is: they may then include its headers without any #if.
function(stagelane_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "QT;QT_KEYWORDS" "" "PUBLIC;PRIVATE;EXCLUDE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  foreach(file IN LISTS arg_EXCLUDE)
    list(REMOVE_ITEM sources "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  endforeach()
  if(NOT STAGELANE_WITH_CUDA)
    list(FILTER sources EXCLUDE REGEX "/(cuda|cupti)_[^/]*$")
  endif()

  if(sources)
    add_library(${name} STATIC ${sources} ${headers})
    set(public PUBLIC)
    set(private PRIVATE)
    stagelane_own_code(${name})
    if(arg_QT_KEYWORDS)
      stagelane_qt_rules(${name} KEYWORDS)
    elseif(arg_QT)
      stagelane_qt_rules(${name})
    endif()
  else()
    add_library(${name} INTERFACE)
    set(public INTERFACE)
    set(private INTERFACE)
  endif()
  target_include_directories(${name} ${public} "${CMAKE_SOURCE_DIR}")
  stagelane_link(${name} ${public} ${arg_PUBLIC})
  stagelane_link(${name} ${private} ${arg_PRIVATE})
  set_property(GLOBAL APPEND PROPERTY STAGELANE_LIBRARIES ${name})
endfunction()

# stagelane_executable(NAME main.cpp lib...): a program of the current folder; nothing is made while
# its main file has not been written.
function(stagelane_executable name main)
  file(GLOB found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${main}")
  if(NOT found)
    message(STATUS "${name}: no ${main} yet, skipped")
    return()
  endif()
  add_executable(${name} "${found}")
  stagelane_own_code(${name})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  stagelane_link(${name} PRIVATE ${ARGN})
endfunction()
