# LibTorch, from the wheel torch==2.11.0, as the target stagelane_torch.
#
# Own imported targets instead of find_package(Torch), which enables the CUDA language and runs
# programs at configure time and so fails without a GPU or nvcc. Sets STAGELANE_WITH_CUDA. Does not
# link libcuda, because the program could not start without NVIDIA's driver; its functions are
# looked up at run time.

set(STAGELANE_TORCH_VERSION 2.11.0)

# Sets OUT to the torch folder at or below HINT (a torch folder, a site-packages folder, or a
# virtual environment), or to an empty string.
function(stagelane_torch_below hint out)
  set(${out} "" PARENT_SCOPE)
  file(GLOB candidates LIST_DIRECTORIES true
    "${hint}"
    "${hint}/torch"
    "${hint}/lib/python3*/site-packages/torch"
    "${hint}/lib/python3*/dist-packages/torch")
  foreach(candidate IN LISTS candidates)
    if(EXISTS "${candidate}/include/ATen/core/Tensor.h"
        AND EXISTS "${candidate}/lib/libtorch_cpu.so")
      set(${out} "${candidate}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets OUT to the site-packages folders of the python3 on the PATH. Uses sysconfig, because
# importing torch takes seconds and fails without its CUDA packages.
function(stagelane_python_site_packages out)
  set(${out} "" PARENT_SCOPE)
  find_program(STAGELANE_PYTHON3 NAMES python3)
  if(STAGELANE_PYTHON3)
    execute_process(
      COMMAND "${STAGELANE_PYTHON3}" -c
        "import sysconfig; print(sysconfig.get_path('platlib'), sysconfig.get_path('purelib'), sep=';')"
      OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(${out} "${folders}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to the version of the LibTorch in that folder.
function(stagelane_torch_version torch out)
  set(version "")
  if(EXISTS "${torch}/version.py")
    file(STRINGS "${torch}/version.py" line REGEX "^__version__ *=")
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${line}")
  endif()
  if(NOT version)
    # A LibTorch archive has no version.py.
    file(GLOB header "${torch}/include/torch/headeronly/version.h" "${torch}/include/torch/version.h")
    foreach(file IN LISTS header)
      file(STRINGS "${file}" parts REGEX "#define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
      string(REGEX MATCHALL "[0-9]+" parts "${parts}")
      string(REPLACE ";" "." version "${parts}")
    endforeach()
  endif()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# Sets OUT to the torch folder to build with, or stops with instructions.
function(stagelane_find_torch out)
  if(STAGELANE_TORCH_DIR)
    # Use only the given folder; finding another one would be confusing.
    stagelane_torch_below("${STAGELANE_TORCH_DIR}" found)
    if(NOT found)
      message(FATAL_ERROR
        "No LibTorch in STAGELANE_TORCH_DIR=${STAGELANE_TORCH_DIR}: neither it nor a torch folder "
        "below it has include/ATen/core/Tensor.h and lib/libtorch_cpu.so.")
    endif()
    stagelane_torch_version("${found}" version)
    if(NOT version STREQUAL STAGELANE_TORCH_VERSION)
      message(FATAL_ERROR
        "LibTorch in ${found} is version '${version}'; Stagelane needs ${STAGELANE_TORCH_VERSION}, "
        "because it uses parts of the API that change between versions.")
    endif()
    set(${out} "${found}" PARENT_SCOPE)
    return()
  endif()
  stagelane_python_site_packages(python_folders)
  foreach(hint IN ITEMS "$ENV{VIRTUAL_ENV}" "${CMAKE_SOURCE_DIR}/.venv" ${python_folders})
    if(hint)
      stagelane_torch_below("${hint}" found)
      if(found)
        stagelane_torch_version("${found}" version)
        if(version STREQUAL STAGELANE_TORCH_VERSION)
          set(${out} "${found}" PARENT_SCOPE)
          return()
        endif()
        message(STATUS "Skipped: LibTorch ${version} in ${found}")
      endif()
    endif()
  endforeach()
  message(FATAL_ERROR
    "LibTorch ${STAGELANE_TORCH_VERSION} not found. './dev build' installs torch==${STAGELANE_TORCH_VERSION} into .venv; or "
    "set a wheel's folder with -DSTAGELANE_TORCH_DIR=DIR; or build only the window with "
    "-DSTAGELANE_ENGINE=OFF ('./dev build --viewer').")
endfunction()

# An imported shared library of the wheel.
function(stagelane_torch_library name location)
  add_library(${name} SHARED IMPORTED)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${location}")
endfunction()

# Looks for the CUDA runtime, CUPTI and NCCL of the wheel set, for which libtorch_cuda was built,
# then for an installed toolkit.
macro(stagelane_find_cuda site_packages)
  find_path(STAGELANE_CUDA_INCLUDE cuda_runtime_api.h NO_DEFAULT_PATH
    PATHS "${site_packages}/nvidia/cu13/include"
          "${site_packages}/nvidia/cuda_runtime/include"
          "$ENV{CUDA_HOME}/include" /usr/local/cuda/include)
  # cuda_runtime.h needs crt/ and cuda_fp16.h needs nv/, which are in wheels that torch does not
  # require (nvidia-cuda-crt, nvidia-cuda-cccl; './dev' installs them), or in a toolkit.
  set(_folders "${STAGELANE_CUDA_INCLUDE}" "${site_packages}/nvidia/cu13/include"
    "$ENV{CUDA_HOME}/include" /usr/local/cuda/include)
  find_path(STAGELANE_CRT_INCLUDE crt/host_config.h NO_DEFAULT_PATH PATHS ${_folders})
  find_path(STAGELANE_CCCL_INCLUDE nv/target NO_DEFAULT_PATH PATHS ${_folders} PATH_SUFFIXES cccl)
  find_path(STAGELANE_CUPTI_INCLUDE cupti.h NO_DEFAULT_PATH
    PATHS "${site_packages}/nvidia/cu13/include"
          "${site_packages}/nvidia/cuda_cupti/include"
          "$ENV{CUDA_HOME}/extras/CUPTI/include" /usr/local/cuda/extras/CUPTI/include
          /usr/local/cuda/include)
  find_path(STAGELANE_NCCL_INCLUDE nccl.h
    PATHS "${site_packages}/nvidia/nccl/include" "$ENV{CUDA_HOME}/include" /usr/local/cuda/include)
  find_library(STAGELANE_CUDART NAMES libcudart.so.13 NO_DEFAULT_PATH
    PATHS "${site_packages}/nvidia/cu13/lib" "$ENV{CUDA_HOME}/lib64" /usr/local/cuda/lib64)
  find_library(STAGELANE_CUPTI NAMES libcupti.so.13 NO_DEFAULT_PATH
    PATHS "${site_packages}/nvidia/cu13/lib" "$ENV{CUDA_HOME}/extras/CUPTI/lib64"
          "$ENV{CUDA_HOME}/lib64" /usr/local/cuda/extras/CUPTI/lib64 /usr/local/cuda/lib64)
  mark_as_advanced(STAGELANE_CUDA_INCLUDE STAGELANE_CRT_INCLUDE STAGELANE_CCCL_INCLUDE
                   STAGELANE_CUPTI_INCLUDE STAGELANE_NCCL_INCLUDE STAGELANE_CUDART STAGELANE_CUPTI)
endmacro()

stagelane_find_torch(STAGELANE_TORCH)
get_filename_component(_site_packages "${STAGELANE_TORCH}" DIRECTORY)

# Tests and './dev' read which one is used. A different wheel must not keep old paths.
if(NOT "${STAGELANE_TORCH}" STREQUAL "${STAGELANE_TORCH_USED}")
  foreach(_entry IN ITEMS CUDA_INCLUDE CRT_INCLUDE CCCL_INCLUDE CUPTI_INCLUDE NCCL_INCLUDE CUDART CUPTI)
    unset(STAGELANE_${_entry} CACHE)
  endforeach()
endif()
set(STAGELANE_TORCH_USED "${STAGELANE_TORCH}" CACHE INTERNAL "The torch folder of this build")

stagelane_torch_library(stagelane_c10 "${STAGELANE_TORCH}/lib/libc10.so")
stagelane_torch_library(stagelane_torch_cpu "${STAGELANE_TORCH}/lib/libtorch_cpu.so")

# The wheel's include folder contains fmt 12, newer than the library that the program links (9 on
# Debian 12). A folder with only a link to the latter comes first on the include path, so that its
# headers are used.
set(_fmt_first "${CMAKE_BINARY_DIR}/generated/fmt-first")
find_path(STAGELANE_FMT_INCLUDE fmt/core.h REQUIRED)
mark_as_advanced(STAGELANE_FMT_INCLUDE)
file(MAKE_DIRECTORY "${_fmt_first}")
file(CREATE_LINK "${STAGELANE_FMT_INCLUDE}/fmt" "${_fmt_first}/fmt" SYMBOLIC)

add_library(stagelane_torch INTERFACE)
target_include_directories(stagelane_torch SYSTEM INTERFACE
  "${_fmt_first}"
  "${STAGELANE_TORCH}/include"
  "${STAGELANE_TORCH}/include/torch/csrc/api/include")
target_link_options(stagelane_torch INTERFACE
  # libtorch_cuda registers its operators when loaded, but no symbol of it is referenced: a linker
  # that drops "unneeded" libraries would drop all of CUDA.
  -Wl,--no-as-needed
  # The wheel's libraries depend on others (cuDNN, NVSHMEM, ...) that a build does not need.
  -Wl,--allow-shlib-undefined
  "-Wl,-rpath-link,${STAGELANE_TORCH}/lib")
target_link_libraries(stagelane_torch INTERFACE stagelane_torch_cpu stagelane_c10 Threads::Threads)

# The engine sets threads per worker with OpenMP and must use LibTorch's copy of it.
file(GLOB _gomp "${STAGELANE_TORCH}/lib/libgomp*.so.1" "${_site_packages}/torch.libs/libgomp*.so*")
if(_gomp)
  list(GET _gomp 0 _gomp)
  stagelane_torch_library(stagelane_gomp "${_gomp}")
  target_link_libraries(stagelane_torch INTERFACE stagelane_gomp)
endif()

if(NOT STAGELANE_CUDA STREQUAL "OFF")
  stagelane_find_cuda("${_site_packages}")
  set(_missing "")
  if(NOT EXISTS "${STAGELANE_TORCH}/lib/libtorch_cuda.so")
    list(APPEND _missing "libtorch_cuda.so (the wheel is a CPU one)")
  endif()
  foreach(_entry IN ITEMS CUDA_INCLUDE CRT_INCLUDE CCCL_INCLUDE CUPTI_INCLUDE NCCL_INCLUDE CUDART CUPTI)
    if(NOT STAGELANE_${_entry})
      list(APPEND _missing "STAGELANE_${_entry}")
    endif()
  endforeach()
  list(JOIN _missing ", " _missing)
  if(NOT _missing)
    set(STAGELANE_WITH_CUDA ON)
  elseif(STAGELANE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "STAGELANE_CUDA=ON, but not found: ${_missing}")
  else()
    message(STATUS "Without CUDA parts; not found: ${_missing}")
  endif()
endif()

if(STAGELANE_WITH_CUDA)
  stagelane_torch_library(stagelane_torch_cuda "${STAGELANE_TORCH}/lib/libtorch_cuda.so")
  stagelane_torch_library(stagelane_c10_cuda "${STAGELANE_TORCH}/lib/libc10_cuda.so")
  stagelane_torch_library(stagelane_cudart "${STAGELANE_CUDART}")
  stagelane_torch_library(stagelane_cupti "${STAGELANE_CUPTI}")
  target_include_directories(stagelane_torch SYSTEM INTERFACE
    "${STAGELANE_CUDA_INCLUDE}" "${STAGELANE_CRT_INCLUDE}" "${STAGELANE_CCCL_INCLUDE}"
    "${STAGELANE_CUPTI_INCLUDE}" "${STAGELANE_NCCL_INCLUDE}")
  # Only run, capture and the engine link this target, because they depend on CUDA's presence.
  target_compile_definitions(stagelane_torch INTERFACE STAGELANE_WITH_CUDA=1)
  target_link_libraries(stagelane_torch INTERFACE
    stagelane_torch_cuda stagelane_c10_cuda stagelane_cudart stagelane_cupti)
  # For linkers that always resolve the libraries' dependencies (GNU ld).
  file(GLOB _wheel_libraries LIST_DIRECTORIES true "${_site_packages}/nvidia/*/lib")
  foreach(_folder IN LISTS _wheel_libraries)
    target_link_options(stagelane_torch INTERFACE "-Wl,-rpath-link,${_folder}")
  endforeach()
endif()

# RPATH of an installed engine: LibTorch stays in its wheel. CMake would drop folders below the
# checkout, where .venv is.
set(STAGELANE_TORCH_RPATH "${STAGELANE_TORCH}/lib")
if(STAGELANE_WITH_CUDA)
  foreach(_library IN ITEMS "${STAGELANE_CUDART}" "${STAGELANE_CUPTI}")
    get_filename_component(_folder "${_library}" DIRECTORY)
    list(APPEND STAGELANE_TORCH_RPATH "${_folder}")
  endforeach()
  list(REMOVE_DUPLICATES STAGELANE_TORCH_RPATH)
endif()

message(STATUS "LibTorch ${STAGELANE_TORCH_VERSION}: ${STAGELANE_TORCH} (CUDA parts: ${STAGELANE_WITH_CUDA})")
