"""What a worker that ends says."""

import asyncio
import logging

import pytest
from procrastinate.exceptions import ConnectorException
from procrastinate.utils import cancel_and_capture_errors

from precis.bootstrap import Runtime
from precis.jobs.worker import running_worker

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(("error", "told"), [(ConnectorException(), 0), (ValueError("a number"), 1)])
async def test_a_side_task_that_lost_its_connection_is_no_news(
    runtime: Runtime, caplog: pytest.LogCaptureFixture, error: Exception, told: int
) -> None:
    """procrastinate logs it with a traceback where the database goes at the moment in which the worker is stopped."""

    async def listen() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise error from None

    async with running_worker(runtime):
        pass
    listener = asyncio.create_task(listen(), name="listener")
    await asyncio.sleep(0)
    with caplog.at_level(logging.INFO, logger="procrastinate.utils"):
        await cancel_and_capture_errors([listener])
    assert len([record for record in caplog.records if record.exc_info]) == told
