# cmake --install: headers, library, CMake package, pkg-config file, command and man page.
include(CMakePackageConfigHelpers)

install(TARGETS medlar EXPORT medlarTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/medlar DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
if(TARGET medlar-cli)
  install(TARGETS medlar-cli)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/docs/medlar.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/medlar)
install(EXPORT medlarTargets NAMESPACE medlar:: DESTINATION ${package})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/medlarConfig.cmake.in ${PROJECT_BINARY_DIR}/medlarConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/medlarConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/medlarConfig.cmake ${PROJECT_BINARY_DIR}/medlarConfigVersion.cmake DESTINATION ${package})

# A static library names what it needs, so that plain `pkg-config --libs medlar` links.
if(NOT BUILD_SHARED_LIBS)
  set(medlar_pc_requires "Requires: fmt libarchive zlib blas libhwy")
  set(medlar_pc_libraries " -lpthread")
endif()
file(RELATIVE_PATH medlar_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/medlar.pc.in ${PROJECT_BINARY_DIR}/medlar.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/medlar.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
