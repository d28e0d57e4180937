"""Logging: events with ids and figures, never a text of a memory. A caller's own structlog settings are left alone."""

from __future__ import annotations

import structlog


def default_to_standard_logging() -> None:
    """Where structlog was not configured, send events through the standard library: quiet below a warning."""
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.KeyValueRenderer(key_order=["event"]),
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        # The loggers of modules that are imported already follow a later configuration.
        cache_logger_on_first_use=False,
    )
