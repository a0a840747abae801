# Warnings and the flags that every translation unit of the project shares.
add_library(tenure_warnings INTERFACE)
target_compile_options(tenure_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor)
# A fused multiply-add would round once where the source rounds twice: the same scenario must give
# the same bytes with every compiler.
target_compile_options(tenure_warnings INTERFACE -ffp-contract=off)
# An assertion names its file; the same one on every machine.
target_compile_options(tenure_warnings INTERFACE "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE MATCHES "Release")
  # g++ 12 reports false positives when a variant that holds a string is moved into a vector.
  target_compile_options(tenure_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(tenure_warnings INTERFACE -Wextra-semi -Wimplicit-fallthrough)
endif()
if(TENURE_WERROR)
  target_compile_options(tenure_warnings INTERFACE -Werror)
endif()
