"""A private certificate authority, as a company's proxy or security software has one."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from pathlib import Path

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Authority:
    """The authority's root certificate, and a server's context with a certificate made by it."""

    root: Path
    server: ssl.SSLContext


def make(folder: Path, *, strict: bool = True) -> Authority:
    """Make an authority and a certificate for the loopback, in files below `folder`.

    `strict`: with the extensions that Python insists on from 3.13 on (VERIFY_X509_STRICT).
    """
    root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    name = _name("ChatRecall test authority")
    root = (
        _certificate(name, name, root_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=strict)
        .add_extension(_signs_certificates(), critical=strict)
        .sign(root_key, hashes.SHA256())
    )
    loopback = [x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName("localhost")]
    authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(root_key.public_key())
    signed = _certificate(_name("api"), name, key.public_key()).add_extension(
        x509.SubjectAlternativeName(loopback), critical=False
    )
    if strict:
        signed = signed.add_extension(authority, critical=False)
    leaf = signed.sign(root_key, hashes.SHA256())
    root_file, leaf_file, key_file = (
        folder / name for name in ("root.crt", "leaf.crt", "leaf.key")
    )
    root_file.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    leaf_file.write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(leaf_file, key_file)
    return Authority(root_file, context)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _signs_certificates() -> x509.KeyUsage:
    others = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment")
    more = ("key_agreement", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(key_cert_sign=True, **dict.fromkeys((*others, *more), False))


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + _DAY)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )
