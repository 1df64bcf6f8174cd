"""Runs the steps of calls over HTTP, at once or asynchronously. What they are is said in `_core`, once for both."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, TypeVar

import anyio
import httpx

from ._answers import Answer, Stream
from ._core import Core, Ids, Renew, Request, Send, Steps, Wait, read_page, unless_known
from ._errors import APIConnectionError, APIError, APITimeoutError, MemoryServiceError
from ._events import Following, NotificationEvent, broken_off
from ._operation import Operation
from ._options import CallOptions
from ._sendable import Fields

T = TypeVar("T")


class SyncTransport:
    """
    Sends and waits, and returns when it is done. Threads may share it.

    Args:
        given: Sends the requests instead of a client of its own; whoever gives it closes it.
    """

    def __init__(self, core: Core, given: httpx.Client | None, wait: Callable[[float], None] = time.sleep) -> None:
        self.core = core
        self.wait = wait
        self._http = httpx.Client() if given is None else given
        self._is_own = given is None
        self._is_closed = False
        self._renewing = threading.Lock()

    def run(self, steps: Steps[T]) -> T:
        try:
            step = next(steps)
            while True:
                if isinstance(step, Send):
                    step = steps.send(self._send(step))
                elif isinstance(step, Wait):
                    self.wait(step.seconds)
                    step = next(steps)
                else:
                    step = steps.send(self._renew(step))
        except StopIteration as end:
            result: T = end.value
            return result

    def _renew(self, step: Renew) -> bool:
        # One thread gets new tokens, for all that wait for them.
        with self._renewing:
            tokens = self.core.tokens
            if tokens.access_token != step.refused:
                return tokens.access_token is not None
            if tokens.refresh_token is None:
                return False
            self.run(self.core.renewal())
            return True

    def _send(self, step: Send) -> Answer | MemoryServiceError:
        if self._is_closed or self._http.is_closed:
            return closed()
        answered = Answered(step.request)
        try:
            response = self._http.send(http_request(self._http, step), stream=True, follow_redirects=False)
            if opens_stream(step.request, response):
                return Stream(response.status_code, response.headers, b"", step.request.place, response)
            try:
                answered.begin(response)
                for chunk in response.iter_bytes():
                    answered.add(chunk)
            finally:
                response.close()
        except (httpx.TransportError, httpx.DecodingError) as error:
            return answered.broken(error)
        return answered.whole()

    def close(self) -> None:
        self._is_closed = True
        if self._is_own:
            self._http.close()


class AsyncTransport:
    """
    Sends and waits in an event loop of asyncio, whose tasks may share it; in one after another too, as several `asyncio.run` are.

    Args:
        given: Sends the requests instead of clients of its own; whoever gives it closes it.
    """

    def __init__(
        self, core: Core, given: httpx.AsyncClient | None, wait: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.core = core
        self.wait = wait
        self._given = given
        self._own: dict[asyncio.AbstractEventLoop, httpx.AsyncClient] = {}
        """A connection works in the loop that it was made in alone."""
        self._is_closed = False
        self._renewing: asyncio.Future[None] | None = None

    async def run(self, steps: Steps[T]) -> T:
        try:
            step = next(steps)
            while True:
                if isinstance(step, Send):
                    step = steps.send(await self._send(step))
                elif isinstance(step, Wait):
                    await self.wait(step.seconds)
                    step = next(steps)
                else:
                    step = steps.send(await self._renew(step))
        except StopIteration as end:
            result: T = end.value
            return result

    async def _renew(self, step: Renew) -> bool:
        tokens = self.core.tokens
        if tokens.access_token != step.refused:
            return tokens.access_token is not None
        if tokens.refresh_token is None:
            return False
        if self._renewing is None or self._renewing.get_loop() is not asyncio.get_running_loop():
            self._renewing = asyncio.ensure_future(self.run(self.core.renewal()))
            self._renewing.add_done_callback(self._renewed)
        # A refresh token works once: whoever is cancelled leaves the exchange to the others.
        await asyncio.shield(self._renewing)
        return True

    def _renewed(self, renewing: asyncio.Future[None]) -> None:
        self._renewing = None
        if not renewing.cancelled():
            renewing.exception()

    async def _send(self, step: Send) -> Answer | MemoryServiceError:
        if self._is_closed:
            return closed()
        http = self._http()
        if http.is_closed:
            return closed()
        answered = Answered(step.request)
        try:
            # The limits of httpx are for each wait alone: one for a connection, one for each piece of what comes.
            with anyio.fail_after(step.request.timeout) as limit:
                response = await http.send(http_request(http, step), stream=True, follow_redirects=False)
                if opens_stream(step.request, response):
                    return Stream(response.status_code, response.headers, b"", step.request.place, response)
                try:
                    answered.begin(response)
                    async for chunk in response.aiter_bytes():
                        answered.add(chunk)
                        if step.request.file:
                            limit.deadline = anyio.current_time() + step.request.timeout
                finally:
                    await response.aclose()
        except (httpx.TransportError, httpx.DecodingError, TimeoutError) as error:
            return answered.broken(error)
        return answered.whole()

    def _http(self) -> httpx.AsyncClient:
        """What sends in the running loop."""
        if self._given is not None:
            return self._given
        loop = asyncio.get_running_loop()
        if loop not in self._own:
            # What is left of a loop that is over can't be closed any more.
            for over in [each for each in list(self._own) if each.is_closed()]:
                self._own.pop(over, None)
            self._own[loop] = httpx.AsyncClient()
        return self._own[loop]

    async def close(self) -> None:
        """Ends an exchange of tokens that nobody waits for any more, and closes the connections of the running loop."""
        self._is_closed = True
        loop = asyncio.get_running_loop()
        if self._renewing is not None and self._renewing.get_loop() is loop:
            self._renewing.cancel()
        http = self._own.pop(loop, None)
        if http is not None:
            await http.aclose()


class SyncCalls:
    """Calls operations, for one end user where there is a subject."""

    def __init__(self, transport: SyncTransport, subject: str | None = None) -> None:
        self.transport = transport
        self.subject = subject

    def call(self, operation: Operation[T], ids: Ids, given: Any, options: CallOptions) -> T:
        return self.transport.run(self.transport.core.call(operation, ids, given, options, self.subject))

    def tagged(self, operation: Operation[T], ids: Ids, given: Any, options: CallOptions, known: str | None) -> T | None:
        """What an operation answers; None while it is what is known by its etag."""
        try:
            return self.call(operation, ids, given, options if known is None else unless_known(options, known))
        except APIError as error:
            if known is not None and error.status == 304:
                return None
            raise

    def pages(self, operation: Operation[Any], ids: Ids, given: Fields, options: CallOptions, items: str) -> Iterator[Any]:
        """Every item of a list, page after page as they are asked for."""
        query: Fields | None = given
        while query is not None:
            found, query = read_page(query, self.call(operation, ids, query, options), items)
            yield from found

    def events(
        self, operation: Operation[Stream], given: Fields, options: CallOptions, last_event_id: str | None
    ) -> Generator[NotificationEvent, None, None]:
        """Events as they come, over as many connections as it takes. No more than one is open, and none once this is closed."""
        following = Following(
            options, last_event_id, once="max_seconds" in given, max_retry_after=self.transport.core.settings.max_retry_after
        )
        pause: float | None = 0
        while pause is not None:
            if pause > 0:
                self.transport.wait(pause)
            try:
                stream = self.call(operation, (), given, following.connecting())
                try:
                    for chunk in stream.response.iter_bytes():
                        yield from following.read(chunk)
                except (httpx.TransportError, httpx.DecodingError) as error:
                    raise broken_off(stream, error) from error
                finally:
                    stream.response.close()
            except MemoryServiceError as error:
                pause = following.after_failure(error)
            else:
                pause = following.after_end()


class AsyncCalls:
    """Calls operations, for one end user where there is a subject."""

    def __init__(self, transport: AsyncTransport, subject: str | None = None) -> None:
        self.transport = transport
        self.subject = subject

    async def call(self, operation: Operation[T], ids: Ids, given: Any, options: CallOptions) -> T:
        return await self.transport.run(self.transport.core.call(operation, ids, given, options, self.subject))

    async def tagged(self, operation: Operation[T], ids: Ids, given: Any, options: CallOptions, known: str | None) -> T | None:
        """What an operation answers; None while it is what is known by its etag."""
        try:
            return await self.call(operation, ids, given, options if known is None else unless_known(options, known))
        except APIError as error:
            if known is not None and error.status == 304:
                return None
            raise

    async def pages(
        self, operation: Operation[Any], ids: Ids, given: Fields, options: CallOptions, items: str
    ) -> AsyncIterator[Any]:
        """Every item of a list, page after page as they are asked for."""
        query: Fields | None = given
        while query is not None:
            found, query = read_page(query, await self.call(operation, ids, query, options), items)
            for item in found:
                yield item

    async def events(
        self, operation: Operation[Stream], given: Fields, options: CallOptions, last_event_id: str | None
    ) -> AsyncGenerator[NotificationEvent, None]:
        """Events as they come, over as many connections as it takes. No more than one is open, and none once this is closed."""
        following = Following(
            options, last_event_id, once="max_seconds" in given, max_retry_after=self.transport.core.settings.max_retry_after
        )
        pause: float | None = 0
        while pause is not None:
            if pause > 0:
                await self.transport.wait(pause)
            try:
                stream = await self.call(operation, (), given, following.connecting())
                try:
                    async for chunk in stream.response.aiter_bytes():
                        for event in following.read(chunk):
                            yield event
                except (httpx.TransportError, httpx.DecodingError) as error:
                    raise broken_off(stream, error) from error
                finally:
                    await stream.response.aclose()
            except MemoryServiceError as error:
                pause = following.after_failure(error)
            else:
                pause = following.after_end()


class Answered:
    """What has come of an answer so far."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._deadline = time.monotonic() + request.timeout
        self._response: httpx.Response | None = None
        self._chunks: list[bytes] = []

    def begin(self, response: httpx.Response) -> None:
        self._response = response

    def add(self, chunk: bytes) -> None:
        """Raises httpx.ReadTimeout where it comes drop by drop."""
        self._chunks.append(chunk)
        if time.monotonic() > self._deadline and not self._request.file:
            raise httpx.ReadTimeout("The answer is too slow")

    def whole(self) -> Answer:
        assert self._response is not None
        return Answer(self._response.status_code, self._response.headers, b"".join(self._chunks))

    def broken(self, error: httpx.TransportError | httpx.DecodingError | TimeoutError) -> Answer | MemoryServiceError:
        """What an answer means that did not come to its end."""
        request = self._request
        what = f"{request.method} {request.place}"
        failure: MemoryServiceError
        if isinstance(error, (httpx.TimeoutException, TimeoutError)):
            failure = APITimeoutError(f"No whole answer to {what} within {request.timeout:g} s")
        elif self._response is None:
            failure = APIConnectionError(f"No answer to {what}: {error or type(error).__name__}")
        elif not self._response.is_success:
            # The status is known: a body that breaks off changes nothing.
            return self.whole()
        else:
            failure = APIConnectionError(f"The connection broke in the middle of the answer to {what}")
        failure.__cause__ = error
        return failure


def opens_stream(request: Request, response: httpx.Response) -> bool:
    """Whether an answer is the stream that was asked for; an error, or what somebody else answers, is read as any answer."""
    return request.streams and response.is_success and response.headers.get("content-type", "").startswith("text/event-stream")


def closed() -> MemoryServiceError:
    return MemoryServiceError("The client is closed: make a new one, or close it later")


def http_request(http: httpx.Client | httpx.AsyncClient, step: Send) -> httpx.Request:
    """What is sent. Raises TypeError for an address that can't be, such as one that is too long."""
    request = step.request
    try:
        return http.build_request(
            request.method, request.url, content=request.content, headers=step.headers, timeout=request.timeout
        )
    except httpx.InvalidURL as error:
        problem = TypeError(f"The address of {request.place} can't be asked: {error}")
    # Raised here it does not carry frames of httpx along, which have the headers.
    raise problem
