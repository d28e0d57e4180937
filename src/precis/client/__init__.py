"""A client of the REST API that needs httpx and nothing else of precis.

>>> with Client("http://127.0.0.1:8766", key="...") as client:
...     client.memories.add([{"user_id": "ana", "text": "I moved to Lisbon."}])
...     client.recall(query="Where does Ana live?", user_id="ana")["results"]

``AsyncClient`` is the same with ``await``. `pip install precis-client` brings it without the server, as
``precis_client``.
"""

from .asynchronous import AsyncClient
from .calls import ApiError, Call, Retries
from .synchronous import Client

__all__ = ["ApiError", "AsyncClient", "Call", "Client", "Retries"]
