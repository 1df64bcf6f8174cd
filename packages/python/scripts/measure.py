"""
Prints what the client costs, as JSON: the time to import it, its size as a wheel, what a call takes longer than by httpx
alone, and how long a newcomer waits from `pip install` to the first memory that is recalled. `npm run bench -- python-client`
runs it with a Python that has the client and hatchling, and MEMORY_SERVICE_URL and MEMORY_SERVICE_API_KEY of a service
whose space it writes into.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import httpx

from memory_service import MemoryClient

PACKAGE = Path(__file__).resolve().parent.parent
ROUNDS = 2_000
IMPORTS = 15


def main() -> None:
    turns = [(import_time("memory_service"), import_time("httpx")) for _ in range(IMPORTS)]
    whole, alone = (1_000 * median(times) for times in zip(*turns, strict=True))
    mine, bare = overhead()
    install, first = newcomer()
    figures = {
        "imports": IMPORTS,
        "importMs": whole,
        "importHttpxMs": alone,
        "wheelBytes": wheel_size(),
        "calls": ROUNDS,
        "clientMs": mine,
        "httpxMs": bare,
        "installS": install,
        "firstMemoryS": first,
    }
    print(json.dumps(figures))


def import_time(module: str) -> float:
    timed = f"import time; began = time.process_time(); import {module}; print(time.process_time() - began)"
    return float(subprocess.run([sys.executable, "-c", timed], check=True, capture_output=True, text=True).stdout)


def wheel_size() -> int:
    with tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        subprocess.run(build, check=True, capture_output=True, cwd=PACKAGE)
        [wheel] = Path(folder).glob("*.whl")
        return wheel.stat().st_size


def overhead() -> tuple[float, float]:
    """Medians in ms of one search by the client and by httpx alone, by turns."""
    url = os.environ["MEMORY_SERVICE_URL"] + "/v1/memory/text/retrieve"
    headers = {"X-API-Key": os.environ["MEMORY_SERVICE_API_KEY"]}
    times: dict[str, list[float]] = {"client": [], "httpx": []}
    with MemoryClient() as memory, httpx.Client(headers=headers) as http:
        memory.text.store(text="Ada moved to Lisbon in May.", external_id="measure")

        def by_client() -> int:
            return len(memory.text.retrieve(query="Where did Ada move?", top_k=1)["results"])

        def by_httpx() -> int:
            answer = http.post(url, json={"query": "Where did Ada move?", "top_k": 1})
            answer.raise_for_status()
            return len(answer.json()["results"])

        for n in range(ROUNDS + 100):
            turns = [("client", by_client), ("httpx", by_httpx)]
            for name, ask in turns if n % 2 == 0 else reversed(turns):
                began = time.perf_counter()
                assert ask() == 1
                # The first ones fill the caches of everybody.
                if n >= 100:
                    times[name].append(time.perf_counter() - began)
    return 1_000 * median(times["client"]), 1_000 * median(times["httpx"])


def newcomer() -> tuple[float, float]:
    """Seconds in an environment without anything: for installing, and for a program that stores and recalls."""
    program = (
        "from memory_service import MemoryClient\n"
        "memory = MemoryClient()\n"
        "memory.text.store(text='Ada moved to Lisbon in May.', subject='newcomer')\n"
        "print(memory.text.recall(query='Where did Ada move?', subject='newcomer')['results'][0]['text'])"
    )
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = f"{folder}/bin/python"
        began = time.perf_counter()
        subprocess.run([python, "-m", "pip", "install", "--quiet", str(PACKAGE)], check=True, stderr=subprocess.DEVNULL)
        installed = time.perf_counter()
        said = subprocess.run([python, "-c", program], check=True, capture_output=True, text=True).stdout
        done = time.perf_counter()
        assert said.strip() == "Ada moved to Lisbon in May."
    return installed - began, done - installed


if __name__ == "__main__":
    main()
