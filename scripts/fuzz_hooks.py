"""What schemathesis calls a failure, and is none: requests whose fault JSON Schema cannot say."""

from __future__ import annotations

import os
import re
from typing import Any

import schemathesis
from schemathesis.core.failures import Failure

from precis.ids import faults_of

#: What schemathesis calls a case about the conditions of a filter in the search of a prompt. The short form tries them
#: on the route of the search alone, but for `user_id` and `created_at`, one of each kind.
_TRIED_ELSEWHERE = re.compile(
    "^(long_term_search -> |Object with valid 'long_term_search' value: Object with valid ')"
    "(session_id|namespace|topics|entities|memory_type|extraction_strategy|last_accessed|event_date)( -> |' value: )"
)


@schemathesis.serializer("application/x-ndjson")
def json_lines(_context: Any, text: Any) -> bytes:
    """JSON lines are sent as they are generated: any text."""
    return str(text).encode(errors="surrogatepass")


@schemathesis.hook
def filter_failure(_context: Any, failure: Failure, case: schemathesis.Case, response: Any) -> bool:
    """Keep the failure, unless it is the 422 of lines that are no export, or of a whole number of more than 64 bits.

    For JSON Schema 1e30 is a whole number, and it is stored like any other; 1000000000000000000000000000000 could not
    come back as it was sent. Bounds would forbid both.
    """
    refused = failure.code == "ST202" and response.status_code == 422
    if refused and case.operation.path == "/v1/import":
        return False
    return not (refused and any("64 bits" in fault for _, fault in faults_of(case.body)))


@schemathesis.hook
def filter_case(_context: Any, case: schemathesis.Case) -> bool:
    """Keep the case, unless the short form tries it elsewhere: a prompt holds a whole search, which has its own route.

    A prompt takes each filter, wrong types of each, and the conditions of two.
    """
    if "FUZZ_SHORT" not in os.environ or case.operation.path != "/v1/memory/prompt":
        return True
    return not _TRIED_ELSEWHERE.match(getattr(case.meta and case.meta.phase.data, "description", ""))
