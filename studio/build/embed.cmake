# cmake -DFOLDER=DIST -DOUT=FILE.c -P embed.cmake: the files of the page as C that the program is
# linked with.
file(GLOB files LIST_DIRECTORIES false ${FOLDER}/*)
list(SORT files)
set(types_html "text/html; charset=utf-8")
set(types_js "text/javascript; charset=utf-8")
set(types_css "text/css; charset=utf-8")
set(types_svg "image/svg+xml")
set(types_png "image/png")
set(types_woff2 "font/woff2")
set(text "/* Generated from the files of the studio's page. */\n#include \"server.h\"\n\n")
set(rows "")
set(n 0)
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  get_filename_component(ending ${file} LAST_EXT)
  string(SUBSTRING "${ending}" 1 -1 ending)
  if(NOT DEFINED types_${ending})
    continue()
  endif()
  string(APPEND text "__asm__(\".section .rodata\\n.global studio_page_${n}\\n"
    "studio_page_${n}:\\n.incbin \\\"${file}\\\"\\n"
    ".global studio_page_${n}_end\\nstudio_page_${n}_end:\\n.byte 0\\n.previous\\n\");\n"
    "extern const unsigned char studio_page_${n}[], studio_page_${n}_end[];\n")
  string(APPEND rows "    {\"${name}\", \"${types_${ending}}\", "
    "studio_page_${n}, studio_page_${n}_end},\n")
  math(EXPR n "${n} + 1")
endforeach()
string(APPEND text "\nconst Page studio_pages[] = {\n${rows}    {0},\n};\n")
file(WRITE ${OUT} "${text}")
