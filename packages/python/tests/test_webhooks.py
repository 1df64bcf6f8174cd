from __future__ import annotations

import base64
import json
from datetime import datetime, timedelta, timezone

import pytest

from memory_service import WebhookVerificationError, sign_webhook, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a secret of twenty-four.").decode()
OTHER = "whsec_" + base64.b64encode(b"another secret than that").decode()
BODY = json.dumps({"id": "evt_1", "type": "webhook.test", "data": {"ä": 1}}, ensure_ascii=False)


def test_a_signed_message_is_read_in_any_case_of_headers_and_under_any_of_the_secrets() -> None:
    headers = sign_webhook("evt_1", BODY, SECRET)
    capital = {name.title(): value for name, value in headers.items()}
    for secrets in (SECRET, [OTHER, SECRET]):
        for body in (BODY, BODY.encode()):
            for given in (headers, capital):
                assert verify_webhook(given, body, secrets)["data"] == {"ä": 1}


def test_what_is_not_signed_with_the_secret_and_now_is_refused() -> None:
    headers = sign_webhook("evt_1", BODY, SECRET)
    now = datetime.now(timezone.utc)
    old, early = (sign_webhook("evt_1", BODY, SECRET, now + timedelta(minutes=n)) for n in (-6, 6))
    refused: list[tuple[dict[str, str], str | bytes, str | list[str]]] = [
        (headers, BODY + " ", SECRET),
        (headers, BODY, OTHER),
        (headers, BODY, []),
        (headers, BODY, ""),
        (headers, BODY, "whsec_"),
        (headers, b"\xff", SECRET),
        (old, BODY, SECRET),
        (early, BODY, SECRET),
        ({}, BODY, SECRET),
        ({**headers, "webhook-signature": "v1"}, BODY, SECRET),
        ({**headers, "webhook-signature": "v1,ä"}, BODY, SECRET),
        ({**headers, "webhook-timestamp": "now"}, BODY, SECRET),
        ({**headers, "webhook-id": "evt_2"}, BODY, SECRET),
        (sign_webhook("evt_1", "<html>", SECRET), "<html>", SECRET),
    ]
    for given, body, secrets in refused:
        with pytest.raises(WebhookVerificationError):
            verify_webhook(given, body, secrets)
