# Every test that ctest runs: formulas and behaviours (GoogleTest), the command line (Python), the installed package,
# the Python package, the examples in README.md and docs/python.md, and the checks on the tree itself.
include(GoogleTest)
find_package(GTest 1.12 REQUIRED)
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

# Peers for the tests of agreement; the library never links them.
find_path(LIBLINEAR_INCLUDE_DIR linear.h REQUIRED)
find_library(LIBLINEAR_LIBRARY linear REQUIRED)
find_path(LIBSVM_INCLUDE_DIR libsvm/svm.h REQUIRED)
find_library(LIBSVM_LIBRARY svm REQUIRED)

# One thread per test of the linear algebra below us: ctest itself runs tests side by side.
set(test_environment OPENBLAS_NUM_THREADS=1)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.cpp)
if(test_sources)
  add_executable(medlar-tests ${test_sources})
  target_include_directories(medlar-tests PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_include_directories(medlar-tests SYSTEM PRIVATE ${LIBLINEAR_INCLUDE_DIR} ${LIBSVM_INCLUDE_DIR})
  unite(medlar-tests ${PROJECT_SOURCE_DIR}/tests FILES ${test_sources})
  # Only where it is used: else a cache of objects could not serve a second clone.
  foreach(file ${test_sources})
    file(STRINGS ${file} names_data REGEX MEDLAR_DATA LIMIT_COUNT 1)
    if(names_data)
      set_source_files_properties(${file} PROPERTIES COMPILE_DEFINITIONS MEDLAR_DATA="${PROJECT_SOURCE_DIR}/data")
    endif()
  endforeach()
  # The tests' own arithmetic need not be fast; -O1 halves the time to build them.
  target_compile_options(medlar-tests PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(medlar-tests PRIVATE medlar::medlar medlar_headers medlar_warnings fmt::fmt hwy::hwy LibArchive::LibArchive BLAS::BLAS
                                             GTest::gtest GTest::gtest_main ${LIBLINEAR_LIBRARY} ${LIBSVM_LIBRARY})
  gtest_discover_tests(medlar-tests DISCOVERY_TIMEOUT 120
                       PROPERTIES TIMEOUT 600 ENVIRONMENT "${test_environment}")
endif()

# add_check(NAME COMMAND...): one ctest test, run at the root of the tree with the binary in MEDLAR.
function(add_check name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT
    "MEDLAR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/medlar;MEDLAR_DATA=${PROJECT_SOURCE_DIR}/data;PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1;${test_environment}")
endfunction()

file(GLOB cli_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cli/*_test.py ${PROJECT_SOURCE_DIR}/tests/cli/test_*.py)
foreach(file ${cli_tests})
  cmake_path(GET file STEM name)
  add_check(cli.${name} ${Python3_EXECUTABLE} ${file})
endforeach()

# The report page in Debian's chromium; skipped, with a sentence, where there is none.
add_check(browser.report ${CMAKE_COMMAND} -E env MEDLAR_SHOTS=${PROJECT_BINARY_DIR}/screenshots ${Python3_EXECUTABLE} tests/browser/report_test.py)
set_tests_properties(browser.report PROPERTIES SKIP_RETURN_CODE 77)
add_check(tree.web ${Python3_EXECUTABLE} tools/build_web --check)

# The Python package, as it stands in the build tree, and the benchmark of what it answers.
if(MEDLAR_PYTHON)
  file(GLOB python_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/python/*_test.py)
  foreach(file ${python_tests})
    cmake_path(GET file STEM name)
    add_check(python.${name} ${Python_EXECUTABLE} ${file})
  endforeach()
  add_check(benchmarks.answers ${Python_EXECUTABLE} tests/benchmarks/answers_test.py)
  add_check(python.guide ${Python_EXECUTABLE} tools/check_readme --readme docs/python.md)
endif()

add_check(tree.layers ${Python3_EXECUTABLE} tools/check_layers)
add_check(tree.layers_finds_a_forbidden_include ${Python3_EXECUTABLE} tools/check_layers --self-test)
add_check(tree.docs ${Python3_EXECUTABLE} tools/check_docs)
add_check(tree.rooms ${Python3_EXECUTABLE} tools/draw_rooms --check)
add_check(tree.docs_finds_a_broken_link ${Python3_EXECUTABLE} tools/check_docs --self-test)
add_check(tree.data ${Python3_EXECUTABLE} tools/check_data)
find_program(CLANG_FORMAT NAMES clang-format-14)
if(CLANG_FORMAT)
  add_check(tree.format tools/lint --format)
endif()
execute_process(COMMAND Rscript -e "stopifnot(packageVersion('mlbench') == '2.1.3')" RESULT_VARIABLE no_mlbench OUTPUT_QUIET ERROR_QUIET)
if(no_mlbench EQUAL 0)
  add_check(tree.data_rebuilt ${Python3_EXECUTABLE} tools/check_data --rebuild)
endif()

# The installed package, in a prefix of its own, and what is built against it.
if(TARGET medlar-cli)
  set(stage ${PROJECT_BINARY_DIR}/stage)
  add_check(install.stage ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${stage})
  set_tests_properties(install.stage PROPERTIES FIXTURES_SETUP stage)
  add_check(install.command ${stage}/${CMAKE_INSTALL_BINDIR}/medlar --version)
  add_check(install.consumer ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR}/examples/consumer ${PROJECT_BINARY_DIR}/consumer
            --build-generator Ninja --build-options -DCMAKE_PREFIX_PATH=${stage} -DCMAKE_CXX_FLAGS=${sanitize_flags}
            --test-command ${PROJECT_BINARY_DIR}/consumer/consumer)
  add_check(readme ${Python3_EXECUTABLE} tools/check_readme --prefix ${stage} --flags=${sanitize_flags})
  add_check(docs.latent ${Python3_EXECUTABLE} tools/check_readme --prefix ${stage} --readme docs/latent.md)
  add_check(tree.man ${Python3_EXECUTABLE} tools/make_man --check)
  set_tests_properties(install.command install.consumer readme docs.latent PROPERTIES FIXTURES_REQUIRED stage)
endif()

# Examples that end with 0 when what they show is so.
add_executable(example-sinc ${PROJECT_SOURCE_DIR}/examples/sinc/main.cpp)
target_link_libraries(example-sinc PRIVATE medlar::medlar medlar_warnings)
add_check(example.sinc ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/example-sinc ${PROJECT_BINARY_DIR}/sinc.svg)
