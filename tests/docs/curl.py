"""``curl`` where a machine has none: the options that pages use, and no others."""

from __future__ import annotations

import argparse
import sys
import urllib.error
import urllib.request
from pathlib import Path


def main() -> int:
    """One request; the answer goes to stdout."""
    parser = argparse.ArgumentParser(prog="curl")
    parser.add_argument("-s", action="store_true")
    parser.add_argument("-X", dest="method")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-d", dest="body")
    parser.add_argument("-o", dest="into")
    parser.add_argument("-w", dest="after", default="")
    parser.add_argument("url")
    options = parser.parse_args()
    body = options.body
    if body and body.startswith("@"):
        body = Path(body[1:]).read_text(encoding="utf-8")
    headers = dict(header.split(": ", 1) for header in options.headers)
    request = urllib.request.Request(options.url, body and body.encode(), headers, method=options.method)  # noqa: S310
    try:
        answer = urllib.request.urlopen(request)  # noqa: S310 - our own server
    except urllib.error.HTTPError as refused:
        answer = refused
    except urllib.error.URLError:
        return 7
    with answer:
        text = answer.read().decode()
    if options.into is None:
        sys.stdout.write(text)
    sys.stdout.write(options.after.replace("\\n", "\n").replace("%{http_code}", str(answer.status)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
