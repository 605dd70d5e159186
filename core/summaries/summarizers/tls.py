"""Whom TLS trusts: the operating system's store, so that company proxies work.

Nothing is injected into `ssl`, because httpx2, the client under `anthropic`, does it already.
Read in its source: 2.5 to 2.14 verify with `truststore` on every system; 2.16 does so on Windows
and macOS and loads OpenSSL's own paths on Linux, which is what truststore does there. In all of
them SSL_CERT_FILE and SSL_CERT_DIR come first.
"""

from __future__ import annotations

import os
import ssl
import sys
from types import ModuleType


def context() -> ssl.SSLContext | bool:
    """What to pass as `verify`: True, httpx2's own choice, or a context of Python's own.

    The latter where a variable names the certificates, or where truststore is gone. httpx2 can't
    even be imported without that, so an empty stand-in takes its place then. Python's own context
    reads the Windows store too; only what macOS keeps in its keychain is missing. To be called
    before `anthropic` is imported.

    Raises `OSError` where SSL_CERT_FILE names no readable file.
    """
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if not _has_truststore():
        stand_in = ModuleType("truststore")
        stand_in.SSLContext = ssl.SSLContext  # type: ignore[attr-defined]
        sys.modules["truststore"] = stand_in
    elif not file and not folder:
        return True
    own = ssl.create_default_context(cafile=file or None, capath=None if file else folder or None)
    # From 3.13 on, Python refuses certificates that a company's authority made without each
    # extension of RFC 5280. Systems' own checks take them, and so does httpx2 without variables.
    own.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return own


def _has_truststore() -> bool:
    try:
        import truststore  # noqa: PLC0415
    except ImportError:
        return False
    return hasattr(truststore, "inject_into_ssl")  # the stand-in has not
