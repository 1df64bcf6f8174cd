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


def resident_bytes():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))


class Hnswlib:
    settings = SEARCH_CANDIDATES

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
    description = f"HNSW{LINKS},Flat"

    def set(self, candidates):
        self.index.hnsw.efSearch = candidates


PEERS = {
    "hnswlib": Hnswlib,
    "usearch": Usearch,
    "usearch int8": UsearchBytes,
    "faiss flat": Faiss,
    "faiss SQ8": FaissBytes,
    "faiss HNSW": FaissHnsw,
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
        yield {"setting": f"ef {setting}" if setting else "", "ms": times, "found": found}


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
    print(json.dumps(built), flush=True)
    for _ in sys.stdin:
        print(json.dumps(list(measure(peer, queries))), flush=True)


if __name__ == "__main__":
    main()
