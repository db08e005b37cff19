# Everything Medlar is built from. docs/dependencies.md says why each is here; cmake/medlarConfig.cmake.in repeats those that
# a static library leaves to its user.

find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(LibArchive 3.6 REQUIRED)
find_package(ZLIB REQUIRED)  # gzip with its checks, which libarchive leaves out
find_package(BLAS REQUIRED)
find_package(hwy 1.0 REQUIRED)  # vector instructions chosen at run time
set(medlar_libraries fmt::fmt LibArchive::LibArchive ZLIB::ZLIB BLAS::BLAS hwy::hwy Threads::Threads)

# Header-only; nothing of them is left to link.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.74 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(FastFloat REQUIRED)
add_library(medlar_headers INTERFACE)
target_link_libraries(medlar_headers INTERFACE Eigen3::Eigen Boost::headers nlohmann_json::nlohmann_json FastFloat::fast_float)
# Products and factors of large matrices go to the BLAS, which picks its instructions at run time: without -march=native
# Eigen alone takes 6 times as long for X X^T of 2000 rows.
target_compile_definitions(medlar_headers INTERFACE EIGEN_USE_BLAS)
# A word of the options is written as a word: an enumerator that nobody turned into one does not compile.
target_compile_definitions(medlar_headers INTERFACE JSON_DISABLE_ENUM_SERIALIZATION=1)

# The command line only.
find_package(CLI11 2.1 REQUIRED)
