# Written by packages/python/scripts/generate.ts from the service's own description.
from __future__ import annotations

LIST_MAX = 200
VERSIONS_MAX = 50
IDEMPOTENCY_KEY_MAX = 255
