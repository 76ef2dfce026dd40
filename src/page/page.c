/* See page.h. Script and style are the files page.js and page.css, taken into the program as they
 * are. */
#include "page/page.h"

#define TAKE(name, file)                                                                           \
    __asm__(".section .rodata\n" #name ":\n.incbin \"" file "\"\n.byte 0\n.previous\n");           \
    extern const char name[] __attribute__((visibility("hidden")))

TAKE(page_script, PAGE_FOLDER "/page.js");
TAKE(page_style, PAGE_FOLDER "/page.css");

void page_put_json(Text *t, const char *json)
{
    for (; *json; json++)
        if (*json == '<')
            text_put(t, "\\u003c");
        else
            text_put_char(t, *json);
}

void page_begin(Text *t, const char *title)
{
    text_put(t,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
             "'unsafe-inline'; "
             "script-src 'unsafe-inline'; img-src data:\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    text_put_xml(t, title);
    text_put(t, "</title>\n<style>\n");
    text_put(t, page_style);
    text_put(t, "</style>\n</head>\n<body>\n<main>\n");
}

void page_end(Text *t)
{
    text_put(t, "</main>\n<script>\n");
    text_put(t, page_script);
    text_put(t, "</script>\n</body>\n</html>\n");
}
