# cmake -DSOURCE=TOP -DPLACE=FOLDER [-DMISSING=FILE] -P web.cmake
# Builds the studio's page from TOP/studio/web and TOP/examples into PLACE/studio/web/dist.
#
# npm installs the packages of the lock file into PLACE; it does so again only if the lock file has
# changed. All build folders share PLACE. If npm or its registry cannot be reached, this is an
# error, unless MISSING names a file: then the placeholder is used as the page, and FILE says what
# is missing and what to do. A mistake in the page's own sources is always an error.
file(MAKE_DIRECTORY ${PLACE}/studio/web)
file(CREATE_LINK ${SOURCE}/examples ${PLACE}/examples SYMBOLIC)
file(GLOB_RECURSE examples ${SOURCE}/examples/*.mo)
set(digest "")
foreach(file ${examples})
  file(SHA256 ${file} one)
  string(APPEND digest "${file} ${one}\n")
endforeach()
set(PLACE ${PLACE}/studio/web)
set(PLACEHOLDER ${SOURCE}/studio/placeholder)
set(SOURCE ${SOURCE}/studio/web)
file(LOCK ${PLACE}/lock TIMEOUT 600)
if(MISSING)
  file(REMOVE ${MISSING})
endif()

# The page cannot be built on this machine now, because of `why`.
macro(give_up why)
  if(NOT MISSING)
    message(FATAL_ERROR "the studio's page cannot be built: ${why}")
  endif()
  file(WRITE ${MISSING}
    "kairos works, but the studio's page is missing: ${why}. Then run: make page\n")
  file(REMOVE ${PLACE}/digest)
  file(REMOVE_RECURSE ${PLACE}/dist)
  file(COPY ${PLACEHOLDER}/ DESTINATION ${PLACE}/dist)
  return()
endmacro()

file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/*)
foreach(file ${files})
  if(NOT file MATCHES "^(node_modules|dist)/")
    file(SHA256 ${SOURCE}/${file} one)
    string(APPEND digest "${file} ${one}\n")
    get_filename_component(folder ${file} DIRECTORY)
    file(COPY ${SOURCE}/${file} DESTINATION ${PLACE}/${folder})
  endif()
endforeach()

# A connection that hangs must not hold up the build for npm's default of five minutes.
set(INSTALL ci --no-audit --no-fund --prefer-offline --fetch-timeout=60000
  --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000)
file(SHA256 ${SOURCE}/package-lock.json packages)
if(NOT EXISTS ${PLACE}/node_modules/.${packages})
  find_program(NPM npm)
  if(NOT NPM)
    give_up("npm is not installed. Install the packages nodejs and npm")
  endif()
  execute_process(COMMAND ${NPM} ${INSTALL} WORKING_DIRECTORY ${PLACE}
    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(status)
    set(reason "npm (error|ERR!) [^\n]*(request|network|ETIMEDOUT|EUSAGE|errno|code)[^\n]*")
    string(REGEX MATCH "${reason}" line "${text}")
    give_up("npm cannot install its packages (${line}). Let npm reach its registry")
  endif()
  file(TOUCH ${PLACE}/node_modules/.${packages})
endif()
set(old "")
if(EXISTS ${PLACE}/digest)
  file(READ ${PLACE}/digest old)
endif()
if(NOT "${old}" STREQUAL "${digest}" OR NOT EXISTS ${PLACE}/dist/index.html)
  file(REMOVE_RECURSE ${PLACE}/dist)
  execute_process(COMMAND node build.mjs dist WORKING_DIRECTORY ${PLACE}
    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(status)
    message(FATAL_ERROR "${text}\nthe studio's page has an error in its sources")
  endif()
  file(WRITE ${PLACE}/digest "${digest}")
endif()
