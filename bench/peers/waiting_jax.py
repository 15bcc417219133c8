#!/usr/bin/env python3
"""What a user of Python would write with JAX or diffrax for the rows of bench/waiting.sh, as a whole program.

    waiting_jax.py jax|diffrax PROBLEM SIZE PRECISION T_END METHOD VALUE

PROBLEM is bruss2d, gray_scott, swift_hohenberg (SIZE points per side) or string (SIZE components); METHOD rkl2 with a
tolerance, or euler or rk4 with a number of steps. With JAX the methods are written by hand. diffrax takes Bosh3
where a tolerance is given, its fastest method on these problems, and leaves equal steps to JAX. Prints the seconds
of compiling ("build") and of solving ("kernel"), and what was done. WAITING_OUT names a file for the final state.
"""
import os
import sys
import time

peer, problem, size, precision, t_end, method, value = sys.argv[1:]
size, t_end, value = int(size), float(t_end), float(value)

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", precision == "double")
real = jnp.float64 if precision == "double" else jnp.float32


def laplace(w, mode):
    p = jnp.pad(w, 1, mode=mode)
    return (p[:-2, 1:-1] + p[2:, 1:-1]) + (p[1:-1, :-2] + p[1:-1, 2:]) - 4 * w


def bruss2d():
    d, place = 2e-3 * (size - 1) ** 2, np.arange(size) / (size - 1)

    def rhs(y):
        u, v = y
        w = u * u * v
        return 1 - 4.4 * u + w + d * laplace(u, "reflect"), 3.4 * u - w + d * laplace(v, "reflect")
    return rhs, (np.tile(0.5 + place[:, None], (1, size)), np.tile(1 + 5 * place, (size, 1))), 8 * d + 10


def gray_scott():
    def rhs(y):
        u, v = y
        w = u * v * v
        return 0.2 * laplace(u, "wrap") - w + 0.037 * (1 - u), 0.1 * laplace(v, "wrap") + w - 0.097 * v
    iy, ix = np.mgrid[:size, :size]
    seeded = np.maximum(abs(ix - (size - 1) / 2), abs(iy - (size - 1) / 2)) < 10
    uneven = 1 + 1e-4 * ((ix * 7919 + iy * 104729) % 201 - 100)
    return rhs, (np.where(seeded, uneven / 2, 1), np.where(seeded, uneven / 4, 0)), 8 * 0.2 + 1


def swift_hohenberg():
    def rhs(y):
        u, = y
        once = laplace(u, "wrap")
        return (0.3 * u - (u + 2 * once + laplace(once, "wrap")) - u ** 3,)
    iy, ix = np.mgrid[:size, :size]
    return rhs, (1e-3 * ((ix * 7919 + iy * 104729 + ix * iy) % 201 - 100),), 64


def string():
    points = size // 2

    def rhs(y):
        u, v = y
        p = jnp.pad(u, 1)
        return v, 25 * (p[:-2] - 2 * u + p[2:])
    return rhs, (np.sin(np.pi * np.arange(1, points + 1) / (points + 1)), np.zeros(points)), None


def combine(function, *states):
    return tuple(function(*parts) for parts in zip(*states))


def rkl2(rhs, radius, tolerance):
    """RKL2 (Meyer, Balsara, Aslam 2014) with the error estimate and the choice of stages of RKC. The stages are kept
    as differences from the state: in float the sums of the paper lose digits."""
    def b(j):
        return jnp.where(j < 2, 1 / 3, (j * j + j - 2) / (2 * j * (j + 1)))

    def step(y, f, h, stages):
        w = 4 / (stages * stages + stages - 2)

        def stage(j, carried):
            before, last = carried
            j = j.astype(real)
            mu, nu = (2 * j - 1) / j * b(j) / b(j - 1), -(j - 1) / j * b(j) / b(j - 2)
            slope = rhs(combine(lambda a, d: a + d, y, last))
            return last, combine(lambda d, c, s, f0: mu * d + nu * c + (mu * w * h) * (s - (1 - b(j - 1)) * f0), last, before, slope, f)
        first = combine(lambda f0: (w / 3 * h) * f0, f)
        zero = combine(jnp.zeros_like, y)
        return jax.lax.fori_loop(2, stages.astype(jnp.int32) + 1, stage, (zero, first))[1]

    def greatest(parts):
        return jnp.max(jnp.stack([jnp.max(p) for p in parts]))

    def run(y):
        atol = tuple(tolerance * jnp.max(abs(a)) for a in y)

        def advance(carried):
            t, h, y, f, evaluations, steps = carried
            h = jnp.minimum(h, t_end - t)
            # An odd number of stages damps best.
            stages = jnp.maximum(3, 2 * jnp.ceil(((jnp.sqrt(9 + 8 * h * radius) - 1) / 2 - 1) / 2) + 1).astype(real)
            change = step(y, f, h, stages)
            new = combine(lambda a, d: a + d, y, change)
            f_new = rhs(new)
            error = greatest(tuple(abs(0.4 * h * (f0 + f1) - 0.8 * d) / (a + tolerance * jnp.maximum(abs(p), abs(q)))
                                   for f0, f1, d, a, p, q in zip(f, f_new, change, atol, y, new)))
            accepted = error <= 1
            t = jnp.where(accepted, jnp.where(h >= t_end - t, t_end, t + h), t)
            y, f = (combine(lambda p, q: jnp.where(accepted, q, p), old, fresh) for old, fresh in ((y, new), (f, f_new)))
            return t, h * jnp.clip(0.8 * error ** (-1 / 3), 0.1, 5), y, f, evaluations + stages, steps + 1
        f = rhs(y)
        h = jnp.minimum(jnp.asarray(t_end, real), 10 / jnp.asarray(radius, real))
        return jax.lax.while_loop(lambda c: c[0] < t_end, advance, (jnp.zeros((), real), h, y, f, jnp.ones((), real), 0))[2:]
    return run


def equal_steps(rhs, count):
    h = t_end / count

    def euler(_, y):
        return combine(lambda a, f: a + h * f, y, rhs(y))

    def rk4(_, y):
        def moved(factor, f):
            return combine(lambda a, b: a + factor * b, y, f)
        k1 = rhs(y)
        k2 = rhs(moved(h / 2, k1))
        k3 = rhs(moved(h / 2, k2))
        k4 = rhs(moved(h, k3))
        return combine(lambda a, p, q, r, s: a + h / 6 * (p + 2 * q + 2 * r + s), y, k1, k2, k3, k4)
    step = {"euler": euler, "rk4": rk4}[method]
    return lambda y: (jax.lax.fori_loop(0, count, step, y), None, count * (4 if method == "rk4" else 1), count)


def bosh3(rhs, tolerance):
    import diffrax

    def run(y):
        done = diffrax.diffeqsolve(
            diffrax.ODETerm(lambda t, y, _: rhs(y)), diffrax.Bosh3(), 0.0, t_end, None, y, max_steps=None,
            stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance), saveat=diffrax.SaveAt(t1=True))
        return combine(lambda a: a[-1], done.ys), None, 3 * done.stats["num_steps"], done.stats["num_steps"]
    return run


rhs, y0, radius = {"bruss2d": bruss2d, "gray_scott": gray_scott, "swift_hohenberg": swift_hohenberg, "string": string}[problem]()
if peer == "diffrax":
    if method != "rkl2":
        sys.exit("diffrax: equal steps are left to JAX")
    run = bosh3(rhs, value)
else:
    run = rkl2(rhs, radius, value) if method == "rkl2" else equal_steps(rhs, int(value))
y0 = tuple(jnp.asarray(part, real) for part in y0)
start = time.perf_counter()
run = jax.jit(run).lower(y0).compile()
compiled = time.perf_counter()
y, _, evaluations, steps = jax.block_until_ready(run(y0))
seconds = time.perf_counter() - compiled
y = [np.asarray(part) for part in y]
if not all(np.isfinite(part).all() for part in y):
    sys.exit("the state is not finite")
print(f' "build": {compiled - start:.4g},\n "kernel": {seconds:.4g},\n "backend": "{peer} on {jax.default_backend()}"\n{int(evaluations)} evaluations in {int(steps)} steps')
if "WAITING_OUT" in os.environ:
    np.save(os.environ["WAITING_OUT"], np.stack(y, -1))
