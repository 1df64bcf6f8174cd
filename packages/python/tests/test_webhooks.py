from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import traceback
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from memory_service import WebhookVerificationError, sign_webhook, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a secret of twenty-four.").decode()
OTHER = "whsec_" + base64.b64encode(b"another secret than that").decode()
NONE: Any = None
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


@pytest.mark.parametrize(
    "secret", ["", "whsec_", "whsec_...", "   ", "whsec_ ", "whsec_====", SECRET + " ", SECRET[6:], b"whsec_YQ==", NONE]
)
def test_what_is_no_secret_signs_nothing(secret: Any) -> None:
    # As whoever knows that there is none would sign.
    timestamp = str(int(time.time()))
    for key in (b"", b"."):
        mac = hmac.new(key, f"evt_1.{timestamp}.{BODY}".encode(), hashlib.sha256).digest()
        forged = {
            "webhook-id": "evt_1",
            "webhook-timestamp": timestamp,
            "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
        }
        for secrets in (secret, [OTHER, secret]):
            with pytest.raises(WebhookVerificationError, match="a secret begins with whsec_ and goes on in base64"):
                verify_webhook(forged, BODY, secrets)
    with pytest.raises(WebhookVerificationError, match="a secret begins with whsec_"):
        sign_webhook("evt_1", BODY, secret)


def test_signatures_that_are_not_known_may_stand_beside_one_that_is() -> None:
    headers = sign_webhook("evt_1", BODY, SECRET)
    signature = headers["webhook-signature"]
    other_secret = sign_webhook("evt_1", BODY, OTHER)["webhook-signature"]
    others = ["junk", "v1", "v1,A", "v1,é", "v1,", "v1a,AAAA", "v2,a,b", "", ",", other_secret]
    for other in others:
        for value in (f"{other} {signature}", f"{signature} {other}", f"{other} {signature} {other}"):
            assert verify_webhook({**headers, "webhook-signature": value}, BODY, SECRET)["id"] == "evt_1"
        with pytest.raises(WebhookVerificationError):
            verify_webhook({**headers, "webhook-signature": other}, BODY, SECRET)


def test_a_body_is_taken_as_bytes_of_any_class_and_not_as_what_it_was_parsed_to() -> None:
    content = BODY.encode()
    for body in (content, bytearray(content), memoryview(content), memoryview(b"<" + content)[1:]):
        assert sign_webhook("evt_1", body, SECRET) == sign_webhook("evt_1", BODY, SECRET)
        assert verify_webhook(sign_webhook("evt_1", BODY, SECRET), body, SECRET)["id"] == "evt_1"
    wrong: list[Any] = [json.loads(BODY), None, 7, [content]]
    for parsed in wrong:
        with pytest.raises(TypeError, match=f"should be bytes or text as they came, and is of {type(parsed).__name__}"):
            verify_webhook(sign_webhook("evt_1", BODY, SECRET), parsed, SECRET)


def test_no_trace_shows_the_signature_that_was_expected() -> None:
    headers = sign_webhook("evt_1", BODY, SECRET)
    with pytest.raises(WebhookVerificationError) as raised:
        verify_webhook({**headers, "webhook-signature": sign_webhook("evt_1", BODY, OTHER)["webhook-signature"]}, BODY, SECRET)
    shown = "".join(traceback.TracebackException.from_exception(raised.value, capture_locals=True).format())
    expected = base64.b64decode(headers["webhook-signature"].removeprefix("v1,"))
    assert repr(expected) not in shown
