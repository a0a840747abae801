# One library and one include root per layer: the root holds only that layer's folder, so an include
# of a layer that is not among DEPENDS finds no file. `tests/house` proves it for every layer.
#
#   tenure_layer(NAME [FOLDER folder] [SOURCES a.cpp ...] [DEPENDS target ...] [PRIVATE_DEPENDS target ...])
#
# SOURCES are relative to FOLDER, which is sim/NAME unless it says otherwise. A layer without sources is header-only.
function(tenure_layer name)
  cmake_parse_arguments(arg "" "FOLDER" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  set(root "${CMAKE_BINARY_DIR}/layers/${name}")
  file(MAKE_DIRECTORY "${root}/tenure")
  file(CREATE_LINK "${CMAKE_SOURCE_DIR}/include/tenure/${name}" "${root}/tenure/${name}" SYMBOLIC)
  if(NOT arg_FOLDER)
    set(arg_FOLDER "sim/${name}")
  endif()
  if(arg_SOURCES)
    list(TRANSFORM arg_SOURCES PREPEND "${CMAKE_SOURCE_DIR}/${arg_FOLDER}/")
    add_library(tenure_${name} STATIC ${arg_SOURCES})
    target_include_directories(tenure_${name} PUBLIC "${root}")
    target_link_libraries(tenure_${name} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS} tenure_warnings)
  else()
    add_library(tenure_${name} INTERFACE)
    target_include_directories(tenure_${name} INTERFACE "${root}")
    target_link_libraries(tenure_${name} INTERFACE ${arg_DEPENDS})
  endif()
  add_library(tenure::${name} ALIAS tenure_${name})
  set_property(GLOBAL APPEND PROPERTY TENURE_LAYERS ${name})
endfunction()
