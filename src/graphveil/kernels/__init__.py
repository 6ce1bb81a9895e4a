"""The compiled scans, one file per purpose.

Rules, so that Numba's disk cache is always right and a first run is short:

- a kernel calls only kernels of its own file (Numba notices a change in the file of the function it
  compiled, not in the files of the functions that one calls);
- arrays and scalars in and out; no jitclass, typed containers or functions as arguments;
- no signature strings (they would compile at import), `@jit` or `@parallel_jit` from `graphveil.kernels._jit`;
- `@inner_jit` for a kernel that only kernels call, and few arrays for one that Python calls: each costs compile time;
- no `np.empty`, `np.zeros`, `np.full` in what a first run needs: the caller brings the arrays;
- these modules are imported where the work starts, never at the top of `graphveil`;
- randomness comes in as arrays or numbers;
- every kernel also runs under ``NUMBA_DISABLE_JIT=1``.
"""
