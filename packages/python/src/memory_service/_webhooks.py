"""Webhooks, signed as Standard Webhooks has it."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any, Literal, TypedDict

import standardwebhooks

from ._errors import WebhookVerificationError


class WebhookEvent(TypedDict):
    """A message to a receiver. The same one may come again: under the same `id`."""

    id: str
    type: str
    """`memory.pattern_limit_warning`, for one."""
    timestamp: str
    organization_id: str
    environment: Literal["live", "test"] | None
    """None for what concerns the whole organization."""
    data: dict[str, Any]


Body = bytes | bytearray | memoryview | str
"""What came, or what will be sent."""


def verify_webhook(headers: Mapping[str, str], body: Body, secrets: str | Sequence[str]) -> WebhookEvent:
    """
    The event of a webhook's request, when it was signed with the webhook's secret within the last five minutes.

    Args:
        headers: As the request has them, in any case.
        body: As it came, not parsed and written anew.
        secrets: `whsec_…`; several while one is being replaced.

    Raises:
        WebhookVerificationError: It was not.
        TypeError: The body is neither bytes nor text, such as one that was parsed.
    """
    content = _content(body)
    tried: Exception | None = None
    for secret in secrets if isinstance(secrets, Iterable) and not isinstance(secrets, (str, bytes)) else [secrets]:
        try:
            event: WebhookEvent = _signer(secret).verify(content, _signed(headers))
            return event
        # Whatever else is wrong with what a stranger sends, it is not a message of the service.
        except Exception as error:
            tried = error
    # Its trace would show the signature that was expected.
    raise WebhookVerificationError(f"The message is not signed with the secret, or not now: {tried}")


def sign_webhook(id: str, body: Body, secret: str, at: datetime | None = None) -> dict[str, str]:
    """The headers that sign a message: what tests of receivers send."""
    content = _content(body)
    time = datetime.now(timezone.utc) if at is None else at.astimezone(timezone.utc)
    return {
        "webhook-id": id,
        "webhook-timestamp": str(int(time.timestamp())),
        "webhook-signature": _signer(secret).sign(id, time, content if isinstance(content, str) else content.decode()),
    }


def _content(body: object) -> bytes | str:
    if isinstance(body, str):
        return body
    try:
        return bytes(memoryview(body))  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"The body should be bytes or text as they came, and is of {type(body).__name__}") from None


_SECRET_PREFIX = "whsec_"
_SIGNATURE = re.compile(r"v1,[A-Za-z0-9+/]{43}=")
"""An HMAC-SHA256 in base64."""


def _signer(secret: object) -> standardwebhooks.Webhook:
    """What signs with a secret. Raises WebhookVerificationError for one that is empty, with which anybody could sign, or none."""
    key = b""
    if isinstance(secret, str) and secret.startswith(_SECRET_PREFIX):
        with suppress(ValueError):
            key = base64.b64decode(secret.removeprefix(_SECRET_PREFIX), validate=True)
    if key == b"":
        raise WebhookVerificationError(f"a secret begins with {_SECRET_PREFIX} and goes on in base64")
    return standardwebhooks.Webhook(key)


def _signed(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers by their names in small letters, with the signatures of this version alone: others may stand beside them."""
    named = {name.lower(): value for name, value in dict(headers).items()}
    signatures = [each for each in named.get("webhook-signature", "").split(" ") if _SIGNATURE.fullmatch(each)]
    if not signatures:
        raise WebhookVerificationError("it has no webhook-signature of v1")
    return {**named, "webhook-signature": " ".join(signatures)}
