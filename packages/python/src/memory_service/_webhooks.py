"""Webhooks, signed as Standard Webhooks has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def verify_webhook(headers: Mapping[str, str], body: bytes | str, secrets: str | Sequence[str]) -> WebhookEvent:
    """
    The event of a webhook's request, when it was signed with the webhook's secret within the last five minutes.

    Args:
        headers: As the request has them, in any case.
        body: As it came, not parsed and written anew.
        secrets: `whsec_…`; several while one is being replaced.

    Raises:
        WebhookVerificationError: It was not.
    """
    tried: Exception | None = None
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        try:
            event: WebhookEvent = standardwebhooks.Webhook(secret).verify(body, dict(headers))
            return event
        # Whatever else is wrong with what a stranger sends, it is not a message of the service.
        except Exception as error:
            tried = error
    raise WebhookVerificationError(f"The message is not signed with the secret, or not now: {tried}") from tried


def sign_webhook(id: str, body: str, secret: str, at: datetime | None = None) -> dict[str, str]:
    """The headers that sign a message: what tests of receivers send."""
    time = datetime.now(timezone.utc) if at is None else at.astimezone(timezone.utc)
    return {
        "webhook-id": id,
        "webhook-timestamp": str(int(time.timestamp())),
        "webhook-signature": standardwebhooks.Webhook(secret).sign(id, time, body),
    }
