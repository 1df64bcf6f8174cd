from __future__ import annotations

import math

import pytest

from memory_service import MemoryClient, project, unproject

from .test_service import KEY, URL


@pytest.mark.parametrize("dimensions", [1, 2, 3, 5, 96, 128, 300])
def test_the_transpose_leads_back(dimensions: int) -> None:
    vector = [math.sin(n) for n in range(dimensions)]
    assert unproject(project(vector, dimensions), dimensions) == pytest.approx(vector, abs=1e-5)
    assert math.hypot(*project(vector, dimensions)) == pytest.approx(math.hypot(*vector), rel=1e-5)


def test_what_has_no_such_coordinates_is_refused() -> None:
    for vector, kept in ([], 0), ([1.0] * 8_193, 1), ([1.0], 2), ([1.0], -1):
        with pytest.raises(ValueError, match="dimensions"):
            project(vector, kept)
    with pytest.raises(ValueError, match="dimensions"):
        unproject([1.0, 2.0], 1)


@pytest.mark.skipif(URL == "", reason="no service is named")
def test_a_whole_query_finds_a_key_that_was_projected_here() -> None:
    embedding = [math.sin(n) for n in range(300)]
    with MemoryClient(KEY, base_url=URL) as memory:
        memory.patterns.delete_all(confirm="all")
        memory.vectors.store(key=project(embedding, 64), value=[1.0], source_dim=len(embedding))
        [found] = memory.vectors.query(embedding=embedding)["results"]
        assert found["value"] == [1.0]
