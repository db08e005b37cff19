# How every target of this project is compiled. No -ffast-math: the certificate needs IEEE arithmetic. No -march=native:
# a binary must run on the next machine and give the same bits there.

# -O2 fits as fast as -O3, whose inner loops are in Highway and BLAS, and builds in half the time.
add_compile_options($<$<CONFIG:Release>:-O2>)

add_library(medlar_warnings INTERFACE)
target_compile_options(medlar_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                 $<$<BOOL:${MEDLAR_WERROR}>:-Werror>)
# GCC 12 sees overlapping copies inside std::string where there are none (GCC bug 105651, fixed in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(medlar_warnings INTERFACE -Wno-restrict)
endif()

if(MEDLAR_SANITIZE)
  set(sanitize_flags -fsanitize=${MEDLAR_SANITIZE})
  add_compile_options(-fsanitize=${MEDLAR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MEDLAR_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  add_compile_options(-fpch-preprocess)  # lets ccache see through precompiled headers
endif()
