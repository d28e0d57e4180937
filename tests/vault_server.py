"""A small Vault for tests: the transit engine's API, with tokens that expire and a seal."""

import base64
import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_PATH = re.compile(r"/v1/transit/(keys|encrypt|decrypt|rewrap)/([\w.-]+)(?:/(rotate|config))?")


@dataclass
class _Key:
    """A named key of the engine, in versions."""

    versions: list[bytes] = field(default_factory=lambda: [os.urandom(32)])
    min_decryption_version: int = 1
    deletion_allowed: bool = False


class Refused(Exception):
    """What the server answers in place of data."""

    def __init__(self, status: int, *errors: str) -> None:
        super().__init__(*errors)
        self.status = status
        self.errors = list(errors)


@dataclass
class VaultServer:
    """Its state, which a test changes as an operator would."""

    url: str = ""
    #: Tokens that are good now.
    tokens: set[str] = field(default_factory=lambda: {"root"})
    is_sealed: bool = False
    keys: dict[str, _Key] = field(default_factory=dict)

    def answer(self, method: str, path: str, token: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """What Vault answers. Raises Refused."""
        if self.is_sealed:
            raise Refused(503, "Vault is sealed")
        if token not in self.tokens:
            raise Refused(403, "permission denied")
        match = _PATH.fullmatch(path)
        if match is None:
            raise Refused(404)
        what, name, part = match.groups()
        if what == "keys":
            return self._administer(method, name, part, body)
        key = self.keys.get(name)
        if key is None:
            raise Refused(400, "encryption key not found")
        if what == "encrypt":
            return {"ciphertext": _encrypted(key, base64.b64decode(body["plaintext"]))}
        plaintext = _decrypted(key, str(body["ciphertext"]))
        if what == "rewrap":
            return {"ciphertext": _encrypted(key, plaintext)}
        return {"plaintext": base64.b64encode(plaintext).decode()}

    def _administer(self, method: str, name: str, part: str | None, body: dict[str, Any]) -> dict[str, Any] | None:
        if method == "DELETE":
            if name not in self.keys or not self.keys[name].deletion_allowed:
                raise Refused(400, "deletion is not allowed for this key")
            del self.keys[name]
        elif part == "rotate":
            self.keys[name].versions.append(os.urandom(32))
        elif part == "config":
            key = self.keys[name]
            key.deletion_allowed = bool(body.get("deletion_allowed", key.deletion_allowed))
            key.min_decryption_version = int(body.get("min_decryption_version", key.min_decryption_version))
        elif method in {"POST", "PUT"}:
            self.keys.setdefault(name, _Key())
        elif name not in self.keys:
            raise Refused(404)
        else:
            return {"name": name, "latest_version": len(self.keys[name].versions), "type": "aes256-gcm96"}
        return None


def _encrypted(key: _Key, plaintext: bytes) -> str:
    nonce = os.urandom(12)
    sealed = nonce + AESGCM(key.versions[-1]).encrypt(nonce, plaintext, None)
    return f"vault:v{len(key.versions)}:{base64.b64encode(sealed).decode()}"


def _decrypted(key: _Key, ciphertext: str) -> bytes:
    match = re.fullmatch(r"vault:v(\d+):(.+)", ciphertext)
    if match is None:
        raise Refused(400, "invalid ciphertext: no prefix")
    version, sealed = int(match[1]), base64.b64decode(match[2])
    if version < key.min_decryption_version:
        raise Refused(400, "ciphertext or signature version is disallowed by policy (too old)")
    if version > len(key.versions):
        raise Refused(400, "invalid ciphertext: version is too new")
    try:
        return AESGCM(key.versions[version - 1]).decrypt(sealed[:12], sealed[12:], None)
    except InvalidTag as error:
        raise Refused(400, "cipher: message authentication failed") from error


@contextmanager
def vault_server() -> Iterator[VaultServer]:
    """One on a free port of this computer, with the token ``root`` and no key."""
    vault = VaultServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(vault))
    vault.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield vault
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(vault: VaultServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            try:
                body = json.loads(content) if content else {}
                data = vault.answer(self.command, self.path, self.headers.get("x-vault-token", ""), body)
                document: dict[str, Any] | None = {"data": data} if data is not None else None
                status = 204 if document is None else 200
            except Refused as refusal:
                status, document = refusal.status, {"errors": refusal.errors}
            encoded = b"" if document is None else json.dumps(document).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(encoded)))
            self.end_headers()
            self.wfile.write(encoded)

        do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815 - names of the standard library

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its signature
            """Nothing."""

    return Handler
