"""The name of a project (first cut by the lead)."""

from __future__ import annotations


def project_name(path: str) -> str:
    """The last folder of a path of any system."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
