# cmake -DKAIROS=PROGRAM -DCOMMANDS="a b" -DPLACE=FOLDER -P pages.cmake
# Writes manual pages and completion scripts into FOLDER. The program prints them.
function(print file)
  execute_process(COMMAND ${KAIROS} ${ARGN} OUTPUT_FILE ${PLACE}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${PLACE})
file(MAKE_DIRECTORY ${PLACE}/man)
print(man/kairos.1 manual)
separate_arguments(COMMANDS)
foreach(command ${COMMANDS})
  print(man/kairos-${command}.1 manual ${command})
endforeach()
print(kairos.bash completion bash)
print(_kairos completion zsh)
print(kairos.fish completion fish)
