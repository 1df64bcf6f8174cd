# Written by packages/python/scripts/generate.ts from the service's OpenAPI document.
from __future__ import annotations

LIST_MAX = 200
VERSIONS_MAX = 50
