# Files that the program carries within itself, as strings of a generated source: assets.cpp is written again when one
# of them changes, and only then.
#
#   tenure_assets(LAYER FOLDER FILE ...)
function(tenure_assets layer folder)
  foreach(asset IN LISTS ARGN)
    file(READ "${folder}/${asset}" text)
    # A string ends with the text, not with the file's last line feed.
    string(REGEX REPLACE "\n$" "" text "${text}")
    string(MAKE_C_IDENTIFIER "asset_${asset}" name)
    set(${name} "${text}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${asset}")
  endforeach()
  set(source "${CMAKE_BINARY_DIR}/assets/assets.cpp")
  configure_file("${folder}/assets.cpp.in" "${source}" @ONLY)
  target_sources(tenure_${layer} PRIVATE "${source}")
  set_source_files_properties("${source}" PROPERTIES INCLUDE_DIRECTORIES "${CMAKE_SOURCE_DIR}/reports/writers")
endfunction()
