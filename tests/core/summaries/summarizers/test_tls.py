from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from core import paths
from core.summaries.reasons import Reason, SummaryError
from core.summaries.summarizers.api import ApiSummarizer
from tests.core.summaries.summarizers.test_api import CONVERSATION
from tests.support import api_server, authority, proxy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.api_server import Api
    from tests.support.authority import Authority

SYSTEM_STORE = Path("/usr/local/share/ca-certificates/chatrecall-test.crt")

SUMMARIZE = """
import sys
from core.summaries.summarizers.api import ApiSummarizer
from tests.core.summaries.summarizers.test_api import CONVERSATION
print(ApiSummarizer("sk-ant-test", "claude-haiku-5-5").summarize(CONVERSATION).topics[0])
"""


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return authority.make(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def api(company: Authority, monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    with api_server.serve(company.server) as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        yield api


@pytest.fixture
def in_the_system_store(company: Authority) -> Iterator[None]:
    if os.environ.get("CI") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("changes the system's trust store: only as root with CI set")
    if not shutil.which("update-ca-certificates"):
        pytest.skip("update-ca-certificates is missing")
    shutil.copy(company.root, SYSTEM_STORE)
    subprocess.run(["update-ca-certificates"], check=True, capture_output=True)
    yield
    SYSTEM_STORE.unlink()
    subprocess.run(["update-ca-certificates", "--fresh"], check=True, capture_output=True)


def summarize() -> tuple[str, ...]:
    return ApiSummarizer("sk-ant-test", "claude-haiku-5-5").summarize(CONVERSATION).topics


def test_an_unknown_authority_is_named_with_what_to_do(api: Api) -> None:
    with pytest.raises(SummaryError) as caught:
        summarize()

    assert caught.value.reason is Reason.CERTIFICATE
    assert caught.value.title == "The API's certificate is not trusted"
    assert "unable to get local issuer certificate" in caught.value.advice
    assert "SSL_CERT_FILE" in caught.value.advice
    assert api.asked == []


@pytest.mark.usefixtures("in_the_system_store")
def test_an_authority_in_the_system_store_is_trusted(api: Api) -> None:
    assert summarize()


def test_an_authority_in_ssl_cert_file_is_trusted(
    api: Api, company: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(company.root))

    assert summarize()


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_an_authority_that_leaves_extensions_out_is_trusted_all_the_same(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sloppy = authority.make(tmp_path, strict=False)
    _be_strict(monkeypatch)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv(variable, _named_by(variable, sloppy.root))
    with api_server.serve(sloppy.server) as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        assert summarize()


def _named_by(variable: str, root: Path) -> str:
    if variable == "SSL_CERT_FILE":
        return str(root)
    if not shutil.which("openssl"):
        pytest.skip("openssl is missing")
    subprocess.run(["openssl", "rehash", root.parent], check=True, capture_output=True)
    return str(root.parent)


def _be_strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Python make its contexts as from 3.13 on."""
    create = ssl.create_default_context

    def create_strict(*arguments: Any, **named: Any) -> ssl.SSLContext:
        context = create(*arguments, **named)
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        return context

    monkeypatch.setattr(ssl, "create_default_context", create_strict)


def test_an_ssl_cert_file_that_is_missing_is_named(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/root.crt")

    with pytest.raises(SummaryError) as caught:
        summarize()

    assert caught.value.reason is Reason.CERTIFICATE


def test_a_proxy_of_the_environment_is_used(
    api: Api, company: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(company.root))
    with proxy.serve() as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", tunnel.url)
        summarize()

    assert tunnel.targets == [f"CONNECT {api.url.removeprefix('https://')}"]


def test_a_proxy_that_wants_a_login_is_named(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    with proxy.serve() as tunnel:
        tunnel.wants_login = True
        monkeypatch.setenv("HTTPS_PROXY", tunnel.url)
        with pytest.raises(SummaryError) as caught:
            summarize()

    assert caught.value.reason is Reason.OFFLINE
    assert "407 Proxy Authentication Required" in caught.value.advice


@pytest.mark.parametrize("missing", ["", "sys.modules['truststore'] = None"])
def test_tls_works_with_and_without_truststore(api: Api, company: Authority, missing: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys; {missing}\n{SUMMARIZE}"],
        env={**os.environ, "SSL_CERT_FILE": str(company.root)},
        cwd=paths.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.stdout.strip() == "auth_test.py", ended.stderr


def test_without_truststore_an_unknown_authority_is_still_refused(api: Api) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.modules['truststore'] = None\n{SUMMARIZE}"],
        cwd=paths.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert "certificate is not trusted" in ended.stderr
