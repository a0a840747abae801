# Compile through ccache where it is installed. Nothing needs it.
option(TENURE_CCACHE "compile through ccache when it is installed" ON)
if(TENURE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TENURE_CCACHE_PROGRAM ccache)
  if(TENURE_CCACHE_PROGRAM)
    # Without a base directory two checkouts of the same commit would share nothing.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      "${TENURE_CCACHE_PROGRAM}")
  endif()
endif()
