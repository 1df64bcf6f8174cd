"""The service's projection of vectors, bit for bit: arrays of float32 round every step as it does."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import sqrt
from typing import Any

from ._given import Numbers
from ._sendable import listed

_DIMENSIONS_MAX = 8_192

_ROUNDS = 4
"""Of random signs and a transform each."""

_SEED = 0x6D656D6F
"""Part of the published definition: another seed is another rotation."""


def project(vector: Sequence[float] | Numbers, kept: int) -> list[float]:
    """
    Projects a vector to its first `kept` coordinates under the service's fixed rotation: bit for bit what the service does with
    a query whose length is a pattern's `source_dim`. Store keys that are projected so, with `source_dim`, and queries of the
    whole length find them. The rows are orthonormal: cosines need no factor, and the transpose leads back.

    Raises:
        ValueError: The vector has no or more than 8,192 numbers, or fewer than `kept`.
    """
    given: Any = listed(vector)
    _check(len(given), kept)
    numbers = array("f", given)
    for turn in range(_ROUNDS):
        _multiply_signs(turn, numbers)
        _transform(turn, numbers)
        _walk(turn, numbers)
    return numbers[:kept].tolist()


def unproject(projected: Sequence[float] | Numbers, dimensions: int) -> list[float]:
    """
    The transpose of `project`: the vector of `dimensions` numbers that projects to `projected`.

    Raises:
        ValueError: `projected` has more.
    """
    given: Any = listed(projected)
    _check(dimensions, len(given))
    numbers = array("f", given)
    numbers.extend([0.0] * (dimensions - len(given)))
    for turn in reversed(range(_ROUNDS)):
        _walk(turn, numbers)
        _transform(turn, numbers)
        _multiply_signs(turn, numbers)
    return numbers.tolist()


def _check(dimensions: int, kept: int) -> None:
    if not 1 <= dimensions <= _DIMENSIONS_MAX:
        raise ValueError(f"A vector has 1 to {_DIMENSIONS_MAX} dimensions, not {dimensions}")
    if not 0 <= kept <= dimensions:
        raise ValueError(f"{dimensions} dimensions have no {kept} coordinates to keep")


def _block_of(dimensions: int) -> int:
    return 1 << (dimensions.bit_length() - 1)


def _transform(turn: int, vector: array[float]) -> None:
    """The fast Hadamard transform of the first, in odd turns the last, block of the largest power of two."""
    size = _block_of(len(vector))
    start = 0 if turn % 2 == 0 else len(vector) - size
    block = vector[start : start + size]
    half = 1
    while half < size:
        for first in range(0, size, 2 * half):
            for at in range(first, first + half):
                x, y = block[at], block[at + half]
                block[at] = x + y
                block[at + half] = x - y
        half *= 2
    scale = _float32(1 / sqrt(size))
    vector[start : start + size] = array("f", [number * scale for number in block])


def _walk(turn: int, vector: array[float]) -> None:
    """A step of Kac's walk: each coordinate of one half by 45 degrees with its partner in the other."""
    length = len(vector)
    if turn % 2 == 0 or _block_of(length) == length:
        return
    half = length // 2
    for at, partner in zip(range(half), range(length - half, length), strict=True):
        x, y = vector[at], vector[partner]
        vector[at] = _float32(x + y) * _FRAC_1_SQRT_2
        vector[partner] = _float32(x - y) * _FRAC_1_SQRT_2


def _multiply_signs(turn: int, vector: array[float]) -> None:
    """By -1 where the lowest bit of a hash is set (`lowbias32` of Wellons' hash prospector, 2018)."""
    for at in range(len(vector)):
        value = _SEED ^ ((turn << 16) | at)
        value ^= value >> 16
        value = value * 0x7FEB352D & 0xFFFFFFFF
        value ^= value >> 15
        value = value * 0x846CA68B & 0xFFFFFFFF
        value ^= value >> 16
        if value & 1:
            vector[at] = -vector[at]


def _float32(number: float) -> float:
    return array("f", [number])[0]


_FRAC_1_SQRT_2 = _float32(sqrt(0.5))
