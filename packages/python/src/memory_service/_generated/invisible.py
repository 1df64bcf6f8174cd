# Written by packages/python/scripts/generate.ts from the service's own description.
from __future__ import annotations

import re

_VISIBLE = re.compile(
    "[^"
    "\U00000000-\U00000020"
    "\U0000007f-\U000000a0"
    "\U000000ad-\U000000ad"
    "\U0000034f-\U0000034f"
    "\U0000061c-\U0000061c"
    "\U0000115f-\U00001160"
    "\U00001680-\U00001680"
    "\U000017b4-\U000017b5"
    "\U0000180b-\U0000180f"
    "\U00002000-\U0000200f"
    "\U00002028-\U0000202f"
    "\U0000205f-\U0000206f"
    "\U00002800-\U00002800"
    "\U00003000-\U00003000"
    "\U00003164-\U00003164"
    "\U0000fe00-\U0000fe0f"
    "\U0000feff-\U0000feff"
    "\U0000ffa0-\U0000ffa0"
    "\U0000fff0-\U0000fffb"
    "\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
    "]"
)


def is_invisible(text: str) -> bool:
    """Whether a reader would see nothing of a text: the service takes it for empty, whatever its length."""
    return _VISIBLE.search(text) is None
