"""The HTTP clients of a process."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from .options import Host
from .per_process import PerProcess

Loops = dict[asyncio.AbstractEventLoop, httpx.AsyncClient]


class Connections:
    """
    Connections to the service. A forked process makes its own, and so does each event loop. A transport of the
    application stays what it is in all of them.
    """

    def __init__(
        self, host: Host, transport: httpx.BaseTransport | None, async_transport: httpx.AsyncBaseTransport | None
    ) -> None:
        self.host, self.transport, self.async_transport = host, transport, async_transport
        self._client = PerProcess(self._make)
        self._loops: PerProcess[Loops] = PerProcess(dict)

    @property
    def client(self) -> httpx.Client:
        """That of this process."""
        return self._client.get()

    @property
    def async_client(self) -> httpx.AsyncClient:
        """That of the event loop that runs."""
        loops, loop = self._loops.get(), asyncio.get_running_loop()
        # What a connection is made of holds its loop.
        for ended in [one for one in loops if one.is_closed()]:
            del loops[ended]
        if loop not in loops:
            loops[loop] = httpx.AsyncClient(transport=self.async_transport, **self._options())
        return loops[loop]

    def close(self) -> None:
        """Closes those of this process that no event loop has."""
        client = self._client.made()
        if client is not None:
            client.close()

    async def aclose(self) -> None:
        """Closes those of this process and of the event loop that runs."""
        client = self._loops.get().pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()
        self.close()

    def _make(self) -> httpx.Client:
        return httpx.Client(transport=self.transport, **self._options())

    def _options(self) -> dict[str, Any]:
        # A redirect could carry the token elsewhere; it is a response that is not the service's.
        headers = {"Authorization": f"Bearer {self.host.token}", "User-Agent": "answer-evidence-python"}
        return {"base_url": self.host.url, "headers": headers, "follow_redirects": False}
