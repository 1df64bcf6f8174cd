"""Runs the steps of calls over HTTP, at once or asynchronously. What they are is said in `_core`, once for both."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, TypeVar

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
    """Sends and waits, and returns when it is done. Threads may share it."""

    def __init__(self, core: Core, http: httpx.Client, wait: Callable[[float], None] = time.sleep) -> None:
        self.core = core
        self.http = http
        self.wait = wait
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
        answered = Answered(step.request)
        try:
            response = self.http.send(http_request(self.http, step), stream=True, follow_redirects=False)
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


class AsyncTransport:
    """Sends and waits in an event loop of asyncio. Its tasks may share it."""

    def __init__(self, core: Core, http: httpx.AsyncClient, wait: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self.core = core
        self.http = http
        self.wait = wait
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
        if self._renewing is None:
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
        answered = Answered(step.request)
        try:
            response = await self.http.send(http_request(self.http, step), stream=True, follow_redirects=False)
            if opens_stream(step.request, response):
                return Stream(response.status_code, response.headers, b"", step.request.place, response)
            try:
                answered.begin(response)
                async for chunk in response.aiter_bytes():
                    answered.add(chunk)
            finally:
                await response.aclose()
        except (httpx.TransportError, httpx.DecodingError) as error:
            return answered.broken(error)
        return answered.whole()

    async def close(self) -> None:
        """Ends an exchange of tokens that nobody waits for any more."""
        if self._renewing is not None:
            self._renewing.cancel()


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
        if time.monotonic() > self._deadline:
            raise httpx.ReadTimeout("The answer is too slow")

    def whole(self) -> Answer:
        assert self._response is not None
        return Answer(self._response.status_code, self._response.headers, b"".join(self._chunks))

    def broken(self, error: httpx.TransportError | httpx.DecodingError) -> Answer | MemoryServiceError:
        """What an answer means that did not come to its end."""
        request = self._request
        what = f"{request.method} {request.place}"
        failure: MemoryServiceError
        if isinstance(error, httpx.TimeoutException):
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


def http_request(http: httpx.Client | httpx.AsyncClient, step: Send) -> httpx.Request:
    request = step.request
    return http.build_request(request.method, request.url, content=request.content, headers=step.headers, timeout=request.timeout)
