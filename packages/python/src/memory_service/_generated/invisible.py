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
    "\U0000fdd0-\U0000fdef"
    "\U0000fe00-\U0000fe0f"
    "\U0000feff-\U0000feff"
    "\U0000ffa0-\U0000ffa0"
    "\U0000fff0-\U0000fffb"
    "\U0000fffe-\U0000ffff"
    "\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a"
    "\U0001fffe-\U0001ffff"
    "\U0002fffe-\U0002ffff"
    "\U0003fffe-\U0003ffff"
    "\U0004fffe-\U0004ffff"
    "\U0005fffe-\U0005ffff"
    "\U0006fffe-\U0006ffff"
    "\U0007fffe-\U0007ffff"
    "\U0008fffe-\U0008ffff"
    "\U0009fffe-\U0009ffff"
    "\U000afffe-\U000affff"
    "\U000bfffe-\U000bffff"
    "\U000cfffe-\U000cffff"
    "\U000dfffe-\U000e0fff"
    "\U000efffe-\U000effff"
    "\U000ffffe-\U000fffff"
    "\U0010fffe-\U0010ffff"
    "]"
)


def is_invisible(text: str) -> bool:
    """Whether a reader would see nothing of a text: the service takes it for empty, whatever its length."""
    return _VISIBLE.search(text) is None
