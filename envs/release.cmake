# For packages that are compiled when they are installed (fast-downward-textworld): without debugging symbols, which
# take a third of the time and nine tenths of the file.
add_compile_options(-g0)
