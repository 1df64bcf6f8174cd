"""The encoder of the service, as LangChain names one."""

from langchain_core.embeddings import Embeddings

from .service import Service


class ServiceEmbeddings(Embeddings):
    """The embeddings by which the service itself searches texts."""

    dims = 384

    def __init__(self, service: Service) -> None:
        self._service = service

    def embed_query(self, text: str) -> list[float]:
        return self._service.post("/v1/memory/text/embed", {"text": text})["embedding"]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        # As many as one request may have.
        parts = (texts[at : at + 256] for at in range(0, len(texts), 256))
        return [one for part in parts for one in self._service.post("/v1/memory/text/embed", {"texts": part})["embeddings"]]
