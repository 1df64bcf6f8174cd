# Written by packages/python/scripts/generate.ts from the service's own description.
from __future__ import annotations

__version__ = "0.5.0"
