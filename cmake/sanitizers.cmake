# TENURE_SANITIZE names sanitizers for everything that is compiled after this point.
set(TENURE_SANITIZE "" CACHE STRING "sanitizers to build with, such as address,undefined")
if(TENURE_SANITIZE)
  # A report that lets the program go on would let the test pass.
  add_compile_options(-fsanitize=${TENURE_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TENURE_SANITIZE})
endif()
if(TENURE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "TENURE_FUZZ needs clang: libFuzzer is part of it (preset `fuzz`)")
  endif()
  # The layers are instrumented; only the targets themselves link libFuzzer's main.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
