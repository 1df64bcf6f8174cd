"""The client of the Memory Service: the memory that AI applications lack."""

from . import types
from ._client import AsyncMemoryClient, MemoryClient
from ._errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    InvalidAnswerError,
    MemoryServiceError,
    NotFoundError,
    Partial,
    PermissionDeniedError,
    PreconditionFailedError,
    RateLimitError,
    ServerError,
    TooLargeError,
    ValidationError,
    ValidationIssue,
    WebhookVerificationError,
)
from ._events import NotificationEvent
from ._export import ExportedPage, export_pages
from ._generated.aio import AsyncMemory
from ._generated.codes import ErrorCode
from ._generated.sync import Memory
from ._given import NOBODY
from ._options import AnswerHead, CallOptions
from ._projection import project, unproject
from ._settings import Attempt, Tokens
from ._version import __version__
from ._webhooks import WebhookEvent, sign_webhook, verify_webhook

__all__ = [
    "NOBODY",
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AnswerHead",
    "AsyncMemory",
    "AsyncMemoryClient",
    "Attempt",
    "AuthenticationError",
    "BadRequestError",
    "CallOptions",
    "ConflictError",
    "ErrorCode",
    "ExportedPage",
    "InvalidAnswerError",
    "Memory",
    "MemoryClient",
    "MemoryServiceError",
    "NotFoundError",
    "NotificationEvent",
    "Partial",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "RateLimitError",
    "ServerError",
    "Tokens",
    "TooLargeError",
    "ValidationError",
    "ValidationIssue",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "export_pages",
    "project",
    "sign_webhook",
    "types",
    "unproject",
    "verify_webhook",
]
