# SPDX-License-Identifier: BSD-2-Clause
"""Live views: seconds to the first picture, pictures per second, and from a slider to a changed picture.
Needs the Python package with aiohttp, and Linux's taskset. Usage: python_live.py [SOURCES]"""
import asyncio
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import aiohttp

SOURCES = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
PROBLEM = [str(SOURCES / "examples/gray_scott.c"), "-p", "m=512"]


class Run:
    """A server, and a page that confirms each picture at once."""

    def __init__(self, *words):
        self._words = words

    async def __aenter__(self):
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "eulercl.live", *PROBLEM, *self._words, stdout=asyncio.subprocess.PIPE)
        self.pid = self._process.pid
        address = (await self._process.stdout.readline()).decode().strip()
        self._client = aiohttp.ClientSession()
        self._page = await self._client.ws_connect(address.replace("http", "ws").replace("/?", "/socket?"))
        return self

    async def __aexit__(self, *exception):
        await self._page.close()
        await self._client.close()
        self._process.terminate()
        await self._process.wait()

    async def send(self, **message):
        await self._page.send_json(message)

    async def frame(self, holds=lambda frame: True):
        while True:
            data = (await self._page.receive()).data
            content = json.loads(data[4:4 + int.from_bytes(data[:4], "little")])
            if content["type"] == "frame":
                await self.send(type="ack", frame=content["number"])
                if holds(content):
                    return content


async def first_pictures(cache, is_full, times):
    found = []
    for _ in range(times):
        if not is_full:
            shutil.rmtree(cache, ignore_errors=True)
        begin = time.perf_counter()
        async with Run() as run:
            await run.frame()
            first = time.perf_counter() - begin
            await run.frame(lambda frame: frame["steps"] > 0)
            found.append((first, time.perf_counter() - begin))
    print("full caches:" if is_full else "empty caches:", "first picture, first with steps (s)",
          *(f"{a:.2f} {b:.2f}" for a, b in found), sep="  ")


async def pictures(run, precision, speed):
    await run.send(type="speed", steps=speed)
    start = await run.frame()
    begun = await run.frame(lambda frame: frame["steps"] > start["steps"] + 6000)
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < 5:
        frame, count = await run.frame(), count + 1
    seconds, steps = time.perf_counter() - begin, frame["steps"] - begun["steps"]
    print(f"{precision}, one core, speed {speed or 'as fast as possible'}: {count / seconds:.1f} pictures/s of "
          f"{frame['size']} points, {steps / count:.0f} steps each, {steps / seconds:.0f} steps/s")


async def sliders(run, precision):
    waits = []
    for number in range(20):
        value, begin = 0.03 + 0.0005 * number, time.perf_counter()
        await run.send(type="set", name="F", value=value)
        # Steps with the new value come before its first picture.
        await run.frame(lambda frame: frame["state"]["parameters"]["F"] == value)
        waits.append(time.perf_counter() - begin)
        for _ in range(10):
            await run.frame()
    print(f"{precision}, one core: from a slider to a picture with it {1e3 * statistics.median(waits):.0f} ms, "
          f"at most {1e3 * max(waits):.0f} ms")


async def rates(precision):
    async with Run("--h", "1", "--component", "1", "--precision", precision) as run:
        subprocess.run(["taskset", "-acp", "0", str(run.pid)], stdout=subprocess.DEVNULL, check=True)
        for speed in (200, None):
            await pictures(run, precision, speed)
            await sliders(run, precision)


async def main():
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        await first_pictures(cache, False, 3)
        await first_pictures(cache, True, 5)
        for precision in ("double", "float"):
            await rates(precision)


asyncio.run(main())
