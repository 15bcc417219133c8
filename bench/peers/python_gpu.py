#!/usr/bin/env python3
"""Time STRING and BRUSS2D as a user of Python would write them: explicit Euler with JAX (fori_loop), diffrax and torch.compile.

Prints comma-separated values: peer, problem, n, steps, seconds (best of five), Gcs/s (1e9 component-steps per second). Single precision. Packages
that are not installed or find no GPU are skipped with a message on standard error. Run it as `python3 bench/peers/python_gpu.py [string:N | bruss2d:M]...`.
"""
import sys
import time

REPEATS = 5
DEFAULTS = ["string:20000", "string:80000", "string:1000000", "string:100000000", "bruss2d:100", "bruss2d:500", "bruss2d:2000", "bruss2d:8000"]


def best_seconds(run):
    run()                                                # compilation and warm-up
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def steps_for(n):
    """The number of steps that takes some tenths of a second at memory speed."""
    return max(64, min(4096, int(2e10 / n)))


def report(peer, problem, n, steps, run):
    try:
        seconds = best_seconds(run)
    except Exception as error:                           # a peer may lack memory or an operation; the others go on
        print(f"{peer}, {problem}: {str(error).splitlines()[0][:120]}", file=sys.stderr)
        return
    print(f"{peer},{problem},{n},{steps},{seconds:.4g},{n * steps / seconds * 1e-9:.4g}", flush=True)


def measure_jax(problem, size):
    import jax
    import jax.numpy as jnp
    if jax.default_backend() != "gpu":
        raise ImportError("no GPU")

    def string(y):                                       # fixed ends: 0 outside
        u, v = y
        beside = jnp.pad(u, 1)
        return v, 25.0 * (beside[:-2] - 2 * u + beside[2:])

    def bruss2d(y):                                      # mirrored: point -1 has the value of point 1
        u, v = y
        d = 2e-3 * (size - 1) ** 2

        def laplace(w):
            p = jnp.pad(w, 1, mode="reflect")
            return (p[:-2, 1:-1] + p[2:, 1:-1]) + (p[1:-1, :-2] + p[1:-1, 2:]) - 4 * w
        w = u * u * v
        return 1 - 4.4 * u + w + d * laplace(u), 3.4 * u - w + d * laplace(v)

    rhs, shape = (string, (size // 2,)) if problem == "string" else (bruss2d, (size, size))
    n = 2 * shape[0] * (shape[1] if len(shape) > 1 else 1)
    steps, h = steps_for(n), 1e-9
    y = tuple(jax.random.uniform(jax.random.PRNGKey(k), shape, jnp.float32) for k in range(2))

    @jax.jit
    def euler(y):
        return jax.lax.fori_loop(0, steps, lambda _, y: jax.tree.map(lambda a, f: a + h * f, y, rhs(y)), y)
    report("JAX fori_loop", f"{problem}:{size}", n, steps, lambda: jax.block_until_ready(euler(y)))
    try:
        import diffrax
    except ImportError:
        return
    few = min(steps, 512)
    solve = jax.jit(lambda y: diffrax.diffeqsolve(diffrax.ODETerm(lambda t, y, _: rhs(y)), diffrax.Euler(), 0.0, few * h, h, y, max_steps=few + 8,
                                                  saveat=diffrax.SaveAt(t1=True), adjoint=diffrax.ForwardMode()).ys)
    report("diffrax Euler", f"{problem}:{size}", n, few, lambda: jax.block_until_ready(solve(y)))


def measure_torch(problem, size):
    import torch
    import torch.nn.functional as functional
    if not torch.cuda.is_available():
        raise ImportError("no GPU")
    h = 1e-9

    def string(u, v):
        beside = functional.pad(u, (1, 1))
        return u + h * v, v + h * (25.0 * (beside[:-2] - 2 * u + beside[2:]))

    def bruss2d(u, v):
        d = 2e-3 * (size - 1) ** 2

        def laplace(w):
            p = functional.pad(w[None], (1, 1, 1, 1), mode="reflect")[0]
            return (p[:-2, 1:-1] + p[2:, 1:-1]) + (p[1:-1, :-2] + p[1:-1, 2:]) - 4 * w
        w = u * u * v
        return u + h * (1 - 4.4 * u + w + d * laplace(u)), v + h * (3.4 * u - w + d * laplace(v))

    shape = (size // 2,) if problem == "string" else (size, size)
    u, v = (torch.rand(shape, device="cuda") for _ in range(2))
    n = 2 * u.numel()
    steps = min(steps_for(n), 512)
    step = torch.compile(string if problem == "string" else bruss2d)

    def run():
        a, b = u, v
        with torch.no_grad():
            for _ in range(steps):
                a, b = step(a, b)
        torch.cuda.synchronize()
    report("torch.compile", f"{problem}:{size}", n, steps, run)


def main():
    print("peer,problem,n,steps,seconds,gcs_per_s")
    for argument in sys.argv[1:] or DEFAULTS:
        problem, _, size = argument.partition(":")
        if problem not in ("string", "bruss2d") or not size.isdigit() or int(size) < 4:
            sys.exit(f"{argument}: string:N or bruss2d:M")
        for measure in (measure_jax, measure_torch):
            try:
                measure(problem, int(size))
            except ImportError as error:
                print(f"{measure.__name__}: {error}", file=sys.stderr)


main()
