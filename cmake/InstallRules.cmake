# 'cmake --install build/release': programs and the files that they and the desktop need.
include(GNUInstallDirs)

foreach(_program IN ITEMS stagelane stagelane-engine)
  if(TARGET ${_program})
    install(TARGETS ${_program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()

# OPTIONAL, because an incomplete checkout may not have all of them.
install(DIRECTORY resources/presets DESTINATION "${CMAKE_INSTALL_DATADIR}/stagelane" OPTIONAL
  FILES_MATCHING PATTERN "*.json")
install(FILES "${CMAKE_BINARY_DIR}/share/experiment.schema.json"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/stagelane")
install(FILES LICENSE THIRD_PARTY_NOTICES.md
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/stagelane" OPTIONAL)
if(TARGET stagelane)
  install(FILES resources/stagelane.desktop
    DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" OPTIONAL)
  install(FILES resources/stagelane-mime.xml
    DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME stagelane.xml)
  install(FILES resources/icons/stagelane.svg
    DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" OPTIONAL)
endif()
