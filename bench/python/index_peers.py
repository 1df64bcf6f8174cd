#!/usr/bin/env python3
"""A vector index as one takes it in Python, in one thread: bench/index.ts runs it with its own vectors.

    python index_peers.py --peer hnswlib --rows rows.f32 --queries queries.f32 --dimensions 384

Prints a JSON line when the index is built, and one for each line on standard input: the times and the ten nearest of
each query, at each setting of the search.
"""
import argparse
import json
import sys
import time

import numpy

K = 10
# Links of a node, and candidates while it is linked: what these libraries' own comparisons use for such data.
LINKS = 16
BUILD_CANDIDATES = 200
SEARCH_CANDIDATES = [32, 64, 128, 256, 512]
# Rows with the best codes that are then scored by float32.
RESCORED = [20, 30, 40, 50, 60, 80, 100, 130, 160, 200, 300, 400, 600, 1000]
# Bits of a query's numbers, as in RaBitQ's own measurements; faiss takes float32 otherwise, a hundred times as long.
QUERY_BITS = 4


def resident_bytes():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))


class Hnswlib:
    settings = SEARCH_CANDIDATES
    setting = "ef {}"

    def __init__(self, rows):
        import hnswlib

        self.index = hnswlib.Index(space="cosine", dim=rows.shape[1])
        self.index.set_num_threads(1)
        self.index.init_index(len(rows), M=LINKS, ef_construction=BUILD_CANDIDATES)
        self.index.add_items(rows)
        self.index.set_num_threads(1)

    def set(self, candidates):
        self.index.set_ef(candidates)

    def search(self, query):
        return self.index.knn_query(query, K)[0][0]


class Usearch:
    settings = SEARCH_CANDIDATES
    setting = "ef {}"

    def __init__(self, rows, dtype="f32"):
        from usearch.index import Index

        self.index = Index(
            ndim=rows.shape[1], metric="cos", dtype=dtype, connectivity=LINKS, expansion_add=BUILD_CANDIDATES
        )
        self.index.add(numpy.arange(len(rows)), rows, threads=1)

    def set(self, candidates):
        self.index.expansion_search = candidates

    def search(self, query):
        return self.index.search(query, K, threads=1).keys


class UsearchBytes(Usearch):
    def __init__(self, rows):
        super().__init__(rows, "i8")


class Faiss:
    """Unit vectors, so that inner products are cosines."""

    settings = [0]
    setting = ""
    description = "Flat"

    def __init__(self, rows):
        import faiss

        faiss.omp_set_num_threads(1)
        self.index = faiss.index_factory(rows.shape[1], self.description, faiss.METRIC_INNER_PRODUCT)
        if not self.index.is_trained:
            self.index.train(rows)
        self.index.add(rows)

    def set(self, candidates):
        pass

    def search(self, query):
        return self.index.search(query[None], K)[1][0]


class FaissBytes(Faiss):
    description = "SQ8"


class FaissHnsw(Faiss):
    settings = SEARCH_CANDIDATES
    setting = "ef {}"
    description = f"HNSW{LINKS},Flat"

    def set(self, candidates):
        self.index.hnsw.efSearch = candidates


class FaissRabitq(Faiss):
    """Codes of one bit a number, scanned in full; float32 keys beside them settle the order of the best."""

    settings = RESCORED
    setting = "{} rescored"
    description = "RaBitQ,RFlat"
    query_bits = QUERY_BITS

    def __init__(self, rows):
        super().__init__(rows)
        import faiss

        faiss.downcast_index(self.index.base_index).qb = self.query_bits

    def set(self, candidates):
        self.index.k_factor = candidates / K


class FaissRabitqFastScan(FaissRabitq):
    """The same with sums from tables in registers and, as faiss has it, 8 bits of a query's numbers."""

    description = "RaBitQfs,RFlat"
    query_bits = 8


PEERS = {
    "hnswlib": Hnswlib,
    "usearch": Usearch,
    "usearch int8": UsearchBytes,
    "faiss flat": Faiss,
    "faiss SQ8": FaissBytes,
    "faiss HNSW": FaissHnsw,
    "faiss RaBitQ": FaissRabitq,
    "faiss RaBitQ fast scan": FaissRabitqFastScan,
}


def measure(peer, queries):
    for setting in peer.settings:
        peer.set(setting)
        for query in queries[:20]:
            peer.search(query)
        times, found = [], []
        for query in queries:
            started = time.perf_counter()
            ids = peer.search(query)
            times.append(1000 * (time.perf_counter() - started))
            found.append([int(i) for i in ids])
        yield {"setting": peer.setting.format(setting), "ms": times, "found": found}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", choices=PEERS, required=True)
    parser.add_argument("--rows", required=True)
    parser.add_argument("--queries", required=True)
    parser.add_argument("--dimensions", type=int, required=True)
    options = parser.parse_args()
    rows = numpy.fromfile(options.rows, dtype=numpy.float32).reshape(-1, options.dimensions)
    queries = numpy.fromfile(options.queries, dtype=numpy.float32).reshape(-1, options.dimensions)
    # What importing the library takes is not the index's.
    PEERS[options.peer](rows[:1000])
    before = resident_bytes()
    started = time.perf_counter()
    peer = PEERS[options.peer](rows)
    built = {"buildMs": 1000 * (time.perf_counter() - started), "residentBytes": resident_bytes() - before}
    # Every library has its own copy, and all candidates are in memory at a time.
    del rows
    print(json.dumps(built), flush=True)
    for _ in sys.stdin:
        print(json.dumps(list(measure(peer, queries))), flush=True)


if __name__ == "__main__":
    main()
