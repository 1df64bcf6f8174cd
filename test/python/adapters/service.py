"""The service over HTTP, by the standard library alone."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


class Refused(Exception):
    """An answer that is an error: its status and `detail`."""

    def __init__(self, status: int, detail: Any) -> None:
        super().__init__(f"{status}: {detail}")
        self.status, self.detail = status, detail


class Service:
    """A space of the service, which an API key opens."""

    def __init__(self, url: str, key: str) -> None:
        self._url = url
        self._headers = {
            "X-API-Key": key,
            "Content-Type": "application/json",
            # A field that the service does not know is an error.
            "Prefer": "handling=strict",
        }

    def get(self, path: str) -> Any:
        """Raises Refused, as the others do."""
        return self._send("GET", path)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self._send("POST", path, body)

    def delete(self, path: str) -> Any:
        return self._send("DELETE", path)

    def empty(self) -> None:
        """Deletes every pattern of the space."""
        self.delete("/v1/memory/patterns?confirm=all")

    def store_texts(self, items: Sequence[dict[str, Any]]) -> list[bool]:
        """Stores texts. Returns of each whether its own id was new."""
        created: list[bool] = []
        for some in chunks(items, 50):
            answer = self.post("/v1/memory/text/batch-store", {"items": some})
            if answer["failed"] > 0:
                raise Refused(200, f"{answer['failed']} of {len(some)} texts were not stored")
            created += answer["created"]
        return created

    def find_patterns(self, external_ids: Sequence[str]) -> list[dict[str, Any]]:
        """Those that are there, by their own ids and in that order."""
        found: list[dict[str, Any]] = []
        for some in chunks(external_ids, 200):
            answer = self.post("/v1/memory/patterns/get", {"external_ids": some})
            found += [pattern for pattern in answer["patterns"] if pattern is not None]
        return found

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        request = urllib.request.Request(
            self._url + path,
            method=method,
            data=None if body is None else json.dumps(body, allow_nan=False).encode(),
            headers=self._headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(error.code, error.read().decode()) from None


def chunks(values: Sequence[T], size: int) -> Iterator[list[T]]:
    """The values, so many at a time."""
    for start in range(0, len(values), size):
        yield list(values[start : start + size])
