# How every target of this project is compiled. No -ffast-math: the certificate needs IEEE arithmetic. No -march=native:
# a binary must run on the next machine and give the same bits there.

add_library(medlar_warnings INTERFACE)
target_compile_options(medlar_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                 $<$<BOOL:${MEDLAR_WERROR}>:-Werror>)

if(MEDLAR_SANITIZE)
  set(sanitize_flags -fsanitize=${MEDLAR_SANITIZE})
  add_compile_options(-fsanitize=${MEDLAR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MEDLAR_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
