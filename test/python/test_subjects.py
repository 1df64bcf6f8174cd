"""Whose an adapter is, is left out or said: None is what a user looks like who was lost on the way."""

from collections.abc import Callable
from typing import Any

import pytest
from memory_service import MemoryClient, ValidationError
from memory_service.integrations import anthropic, langchain, llama_index, openai_agents

MAKERS: list[Callable[..., Any]] = [
    lambda client, **owner: langchain.MemoryServiceVectorStore(client, **owner),
    lambda client, **owner: langchain.MemoryServiceVectorStore.from_texts([], client=client, **owner),
    lambda client, **owner: langchain.MemoryServiceRetriever(client=client, **owner),
    lambda client, **owner: llama_index.MemoryServiceVectorStore(client, **owner),
    lambda client, **owner: openai_agents.MemoryServiceSession("chat", client, **owner),
    lambda client, **owner: anthropic.MemoryServiceMemoryTool(client, **owner),
]


@pytest.mark.parametrize("make", MAKERS)
def test_who_is_lost_is_neither_nobody_nor_everybody(client: MemoryClient, make: Callable[..., Any]) -> None:
    for lost in (None, "", " ", 5, ["ada"]):
        with pytest.raises(TypeError, match="A subject is the name of an end user, not "):
            make(client, subject=lost)
    assert make(client) is not None
    assert make(client, subject="ada") is not None


@pytest.mark.parametrize("filter", [[], "", 0, False])
def test_a_filter_that_is_no_filter_finds_nothing(client: MemoryClient, filter: Any) -> None:
    store = langchain.MemoryServiceVectorStore(client)
    for search in (store.similarity_search, store.max_marginal_relevance_search):
        with pytest.raises((ValidationError, TypeError)):
            search("Ada", filter=filter)
