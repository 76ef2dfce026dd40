/* The binary of FMUs, compressed, inside the program (cmake/Engine.cmake). */
__asm__(".section .rodata\n"
        ".global fmu_engine, fmu_engine_end\n.hidden fmu_engine, fmu_engine_end\n"
        "fmu_engine:\n.incbin \"" FMU_ENGINE "\"\n"
        "fmu_engine_end:\n.byte 0\n.previous\n");
extern const char fmu_engine[];
