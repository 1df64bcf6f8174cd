# Written by packages/python/scripts/generate.ts from the service's own description.
from __future__ import annotations

import builtins
from collections.abc import Generator, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, overload

from .._given import OMIT, Nobody, Numbers, Omit, given
from . import operations as op

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types as t
    from .._calls import SyncCalls
    from .._events import NotificationEvent
    from .._options import CallOptions


class Text:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def store(
        self,
        *,
        text: str,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        expires_at: str | datetime | None | Omit = OMIT,
        occurred_at: str | datetime | None | Omit = OMIT,
        external_id: str | None | Omit = OMIT,
        subject: str | Nobody | Omit = OMIT,
        protected: bool | None | Omit = OMIT,
        valid_from: str | datetime | None | Omit = OMIT,
        valid_to: str | datetime | None | Omit = OMIT,
        supersedes: str | None | Omit = OMIT,
        on_conflict: Literal["replace", "skip", "error"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.StoreTextResponse:
        """Store a text.

        Embeds the text and stores it. It is found by searches as soon as this answers.

        An API key needs the scope `memory:write`.

        Args:
            metadata: Any JSON object of up to 16 KiB and 8 levels.
            expires_at: From this moment the pattern is in no answer; null never. Must be in the future.
            occurred_at: When the fact was stated, for imports. Default: now.
            external_id: Your own id for it, one of a kind in the space.
            subject: The end user whose it is; not `.` or `..`.
            protected: Whether consolidation must leave it alone. Default: what was said of the pattern whose
                `external_id` it has; else, and where it is null, what its metadata and category say.
            valid_from: From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and
                lists show what is valid now, and what is yet to come from that time on.
            valid_to: Until when it holds. Default: without end.
            supersedes: The pattern that it takes the place of, `pattern_id` or `ext:` and an own id: that one
                is valid until this one’s `valid_from`, which must not be earlier than when that one was said to
                begin.
            on_conflict: What happens where an `external_id` is there already: replace its text, vectors,
                metadata and times, said or not (`pattern_id` and `pattern_idx` stay, and `subject` and
                `protected` where nothing is said of them; what is the same makes no version), skip what is
                sent, or refuse all of it with 409. What is of another `subject` than is named is not replaced:
                that is a 409 too.
        """
        return self._calls.call(op.STORE_TEXT, (), given(text=text, metadata=metadata, expires_at=expires_at, occurred_at=occurred_at, external_id=external_id, subject=subject, protected=protected, valid_from=valid_from, valid_to=valid_to, supersedes=supersedes, on_conflict=on_conflict), options)

    def batch_store(
        self,
        *,
        items: Sequence[t.BatchStoreTextsItem],
        on_conflict: Literal["replace", "skip", "error"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.BatchStoreTextsResponse:
        """Store up to 50 texts.

        One transaction. Near the plan’s limit what fits is stored, in order, and the rest counts as failed.
        Texts that take more than 50 seconds to encode are answered with 503 and `Retry-After`: nothing is
        stored, and the same request, sent again, goes on from there.

        An API key needs the scope `memory:write`.

        A longer list of items goes in parts, a request each.

        Args:
            on_conflict: What happens where an `external_id` is there already: replace its text, vectors,
                metadata and times, said or not (`pattern_id` and `pattern_idx` stay, and `subject` and
                `protected` where nothing is said of them; what is the same makes no version), skip what is
                sent, or refuse all of it with 409. What is of another `subject` than is named is not replaced:
                that is a 409 too.
        """
        return self._calls.call(op.BATCH_STORE_TEXTS, (), given(items=items, on_conflict=on_conflict), options)

    def retrieve(
        self,
        *,
        query: str,
        top_k: int | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        min_similarity: float | None | Omit = OMIT,
        explain: bool | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        as_of: str | datetime | None | Omit = OMIT,
        include_superseded: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.RetrieveTextsResponse:
        """Find the texts nearest in meaning.

        Cosine similarity over all text patterns of the space, best first; ties in store order.

        An API key needs the scope `memory:read`.

        Args:
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            min_similarity: Leave out what is less similar than this.
            explain: Say in `scores` what each part of the ranking added to a result.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
            as_of: Answer from what was recorded and valid at this time, in the versions of then, as far as they
                are kept. Every key is compared, which takes longer, and nothing is learned.
            include_superseded: Those too that are not valid any more, or not yet.
        """
        return self._calls.call(op.RETRIEVE_TEXTS, (), given(query=query, top_k=top_k, filter=filter, subject=subject, after=after, before=before, min_similarity=min_similarity, explain=explain, read_only=read_only, as_of=as_of, include_superseded=include_superseded), options)

    def recall(
        self,
        *,
        query: str,
        top_k: int | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        min_similarity: float | None | Omit = OMIT,
        reference_time: str | datetime | None | Omit = OMIT,
        time: bool | Omit = OMIT,
        explain: bool | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        as_of: str | datetime | None | Omit = OMIT,
        include_superseded: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.RecallTextsResponse:
        """Find the texts that answer best.

        Orders candidates by meaning, words, associations from use, neighbourhood in store order and salience.
        What is asked and used teaches the space which of these count. A long text is also found by its
        passages. `similarity` stays the cosine of the whole text.

        An API key needs the scope `memory:read`.

        Args:
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            min_similarity: Leave out what is less similar than this.
            reference_time: From when “yesterday” or “last week” in the query is seen. Default: now.
            time: Prefer texts of the time that the query names (`info.time`), if it surely names one:
                yesterday, last week, in March, 7 May 2024 and the like, in English, French, German, Spanish,
                Italian, Portuguese, Dutch, Chinese and Japanese, in UTC. Others are found too; `after` and
                `before` leave them out.
            explain: Say in `scores` what each part of the ranking added to a result.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
            as_of: As at text retrieve, by meaning alone: what was learned since is of another time.
            include_superseded: Those too that are not valid any more, or not yet.
        """
        return self._calls.call(op.RECALL_TEXTS, (), given(query=query, top_k=top_k, filter=filter, subject=subject, after=after, before=before, min_similarity=min_similarity, reference_time=reference_time, time=time, explain=explain, read_only=read_only, as_of=as_of, include_superseded=include_superseded), options)

    @overload
    def context(
        self,
        *,
        query: str | None | Omit = OMIT,
        token_budget: int | Omit = OMIT,
        format: Literal["text", "messages", "json"] | Omit = OMIT,
        since: str | datetime | None | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        if_none_match: str | None,
        **options: Unpack[CallOptions],
    ) -> t.ReadContextResponse | None: ...

    @overload
    def context(
        self,
        *,
        query: str | None | Omit = OMIT,
        token_budget: int | Omit = OMIT,
        format: Literal["text", "messages", "json"] | Omit = OMIT,
        since: str | datetime | None | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ReadContextResponse: ...

    def context(
        self,
        *,
        query: str | None | Omit = OMIT,
        token_budget: int | Omit = OMIT,
        format: Literal["text", "messages", "json"] | Omit = OMIT,
        since: str | datetime | None | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        if_none_match: str | None = None,
        **options: Unpack[CallOptions],
    ) -> t.ReadContextResponse | None:
        """What an assistant should know now.

        Standing facts (protected, personal and most used texts that are valid now) and what recall finds for
        the query, a line each with its id and date, within a budget of tokens and fenced as data. The standing
        facts come first and are the same bytes whatever is asked, while none of them changes. No language model
        is involved. Counts as one query.

        An API key needs the scope `memory:read`.

        Args:
            query: Without it standing facts alone are answered, as many as the budget has room for.
            token_budget: What the context takes at most, marks of the fence included, counted by the service’s
                own encoder: other models count otherwise, most of them less.
            format: `text`: one fenced text; `messages`: one message of what stands and one of what was found,
                to be put where they belong; `json`: the lines as objects, counted as `text` would have them.
            since: Answer in place of the standing facts what was added, changed or has ended since this time,
                the last first: `as_of` of an earlier answer.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
            if_none_match: The `etag` of an earlier answer: while nothing of it has changed, the call gives
                None.
        """
        return self._calls.tagged(op.READ_CONTEXT, (), given(query=query, token_budget=token_budget, format=format, since=since, subject=subject, filter=filter, read_only=read_only), options, if_none_match)

    def predict(
        self,
        *,
        query: str,
        top_k: int | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.PredictTextsResponse:
        """Which texts are likely to be asked for next.

        Learned from which texts were found one after the other; the text of the same subject that was stored
        next counts a little. The text that the query is about is left out, unless it was seen to follow itself.

        An API key needs the scope `memory:read`.

        Args:
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
        """
        return self._calls.call(op.PREDICT_TEXTS, (), given(query=query, top_k=top_k, filter=filter, subject=subject, after=after, before=before, read_only=read_only), options)

    def explain(
        self,
        *,
        query: str,
        lang: Literal["fr", "en"] | None | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        as_of: str | datetime | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ExplainTextResponse:
        """What the memory has on a query, and why that was found.

        Quotes up to three stored texts as they are, and says of each how near it is to the query, which words
        they share and whether it is often used shortly before or after the first. Of a very long text whole
        sentences are quoted, or a part of one that is very long itself. Nothing is generated.

        An API key needs the scope `memory:read`.

        Args:
            lang: Language of the explanation; null that of the query, English when it is neither. Quotes stay
                in theirs.
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
            as_of: As at text retrieve: what is said is what was known then. What was learned of use since is
                left out.
        """
        return self._calls.call(op.EXPLAIN_TEXT, (), given(query=query, lang=lang, filter=filter, subject=subject, after=after, before=before, read_only=read_only, as_of=as_of), options)

    def forget(
        self,
        *,
        query: str | None | Omit = OMIT,
        category: str | None | Omit = OMIT,
        threshold: float | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        dry_run: bool | Omit = OMIT,
        guard: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ForgetTextsResponse:
        """Forget selectively.

        Removes the patterns that meet every condition given: texts about as similar to the query as the
        threshold says, a category, metadata, an end user. With a query only texts are removed, and none that
        contradicts it: those are in `kept`. What an earlier version of a pattern held that stays is erased
        where the version meets the query, category, filter and subject.

        An API key needs the scope `memory:write`.

        Args:
            category: Such as identity, location or health. Compared exactly; those that the service finds are
                in lower case.
            threshold: Least similarity to the query; a higher one forgets fewer.
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`. An empty one is refused, and null: they
                would select everything.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            dry_run: Only say what would be removed. It reads: a key needs `memory:read` too.
            guard: Keep texts that are as similar as the threshold says but contradict the query, in a number,
                say; false goes by the similarity alone.
        """
        return self._calls.call(op.FORGET_TEXTS, (), given(query=query, category=category, threshold=threshold, filter=filter, subject=subject, dry_run=dry_run, guard=guard), options)

    def similarity(
        self,
        *,
        text_a: str,
        text_b: str,
        **options: Unpack[CallOptions],
    ) -> t.CompareTextsResponse:
        """Cosine similarity of two texts.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.COMPARE_TEXTS, (), given(text_a=text_a, text_b=text_b), options)

    def embed(
        self,
        *,
        text: str | Omit = OMIT,
        texts: Sequence[str] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.EmbedTextResponse:
        """Embedding of a text, or of several.

        Of one `text` in `embedding`, of `texts` in `embeddings`, in their order. Texts that take more than 50
        seconds to encode are answered with 503 and `Retry-After`: the same request, sent again, goes on from
        there.

        An API key needs the scope `memory:read`.

        A longer list of texts goes in parts, a request each.

        Args:
            text: Required, unless `texts` is given.
            texts: In place of `text`.
        """
        return self._calls.call(op.EMBED_TEXT, (), given(text=text, texts=texts), options)

    def create_embeddings(
        self,
        *,
        input: str | Sequence[str],
        model: str | None | Omit = OMIT,
        encoding_format: Literal["float", "base64"] | Omit = OMIT,
        dimensions: int | None | Omit = OMIT,
        user: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.CreateEmbeddingsResponse:
        """Embeddings, as clients of OpenAI ask for them.

        Takes and answers what OpenAI’s endpoint of this name does, so that its clients, and what is built on
        them, embed with this service: give them `/v1` of its address and an API key. Lists of token numbers are
        refused: they are numbers of another model. Texts that take more than 50 seconds to encode are answered
        with 503 and `Retry-After`: the same request, sent again, goes on from there.

        An API key needs the scope `memory:read`.

        A longer list of input goes in parts, a request each.

        Args:
            model: Whatever is named, there is one model: the answer says which.
            encoding_format: `base64`: of the numbers as float32, little-endian.
            dimensions: No other than the model has.
            user: Not looked at.
        """
        return self._calls.call(op.CREATE_EMBEDDINGS, (), given(input=input, model=model, encoding_format=encoding_format, dimensions=dimensions, user=user), options)

    def important(
        self,
        **options: Unpack[CallOptions],
    ) -> t.ImportantResponse:
        """Personal facts that the space holds.

        Texts with a category other than `preference`, newest first, at most 1000. A text gets its category when
        it is stored or changed: what the metadata name, else what its wording seems to state; one stored before
        this endpoint was there keeps what it had until then.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.LIST_IMPORTANT, (), {}, options)

    def stats(
        self,
        **options: Unpack[CallOptions],
    ) -> t.TextStatisticsResponse:
        """Texts stored and the space they take.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.TEXT_STATISTICS, (), {}, options)


class Vectors:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def store(
        self,
        *,
        key: Sequence[float] | Numbers,
        value: Sequence[float] | Numbers,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        source_dim: int | None | Omit = OMIT,
        expires_at: str | datetime | None | Omit = OMIT,
        occurred_at: str | datetime | None | Omit = OMIT,
        external_id: str | None | Omit = OMIT,
        subject: str | Nobody | Omit = OMIT,
        protected: bool | None | Omit = OMIT,
        valid_from: str | datetime | None | Omit = OMIT,
        valid_to: str | datetime | None | Omit = OMIT,
        supersedes: str | None | Omit = OMIT,
        on_conflict: Literal["replace", "skip", "error"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.StoreVectorResponse:
        """Store a key and its value.

        It is found by searches as soon as this answers.

        An API key needs the scope `memory:write`.

        Args:
            key: What the pattern is found by; kept as float32. It need not be unique.
            value: What is found, of any length; kept as float32.
            metadata: Any JSON object of up to 16 KiB and 8 levels.
            source_dim: Dimension that key and value were projected down from, at least the key’s length.
                Queries of that length find the pattern too.
            expires_at: From this moment the pattern is in no answer; null never. Must be in the future.
            occurred_at: When the fact was stated, for imports. Default: now.
            external_id: Your own id for it, one of a kind in the space.
            subject: The end user whose it is; not `.` or `..`.
            protected: Whether consolidation must leave it alone. Default: what was said of the pattern whose
                `external_id` it has; else, and where it is null, what its metadata and category say.
            valid_from: From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and
                lists show what is valid now, and what is yet to come from that time on.
            valid_to: Until when it holds. Default: without end.
            supersedes: The pattern that it takes the place of, `pattern_id` or `ext:` and an own id: that one
                is valid until this one’s `valid_from`, which must not be earlier than when that one was said to
                begin.
            on_conflict: What happens where an `external_id` is there already: replace its text, vectors,
                metadata and times, said or not (`pattern_id` and `pattern_idx` stay, and `subject` and
                `protected` where nothing is said of them; what is the same makes no version), skip what is
                sent, or refuse all of it with 409. What is of another `subject` than is named is not replaced:
                that is a 409 too.
        """
        return self._calls.call(op.STORE_VECTOR, (), given(key=key, value=value, metadata=metadata, source_dim=source_dim, expires_at=expires_at, occurred_at=occurred_at, external_id=external_id, subject=subject, protected=protected, valid_from=valid_from, valid_to=valid_to, supersedes=supersedes, on_conflict=on_conflict), options)

    def batch_store(
        self,
        *,
        patterns: Sequence[t.BatchStoreVectorsPattern],
        on_conflict: Literal["replace", "skip", "error"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.BatchStoreVectorsResponse:
        """Store up to 5,000 keys and values.

        One transaction. Near the plan’s limit what fits is stored, in order, and the rest counts as failed. The
        body may have 64 MiB.

        An API key needs the scope `memory:write`.

        A longer list of patterns goes in parts, a request each.

        Args:
            on_conflict: What happens where an `external_id` is there already: replace its text, vectors,
                metadata and times, said or not (`pattern_id` and `pattern_idx` stay, and `subject` and
                `protected` where nothing is said of them; what is the same makes no version), skip what is
                sent, or refuse all of it with 409. What is of another `subject` than is named is not replaced:
                that is a 409 too.
        """
        return self._calls.call(op.BATCH_STORE_VECTORS, (), given(patterns=patterns, on_conflict=on_conflict), options)

    def query(
        self,
        *,
        embedding: Sequence[float] | Numbers,
        top_k: int | Omit = OMIT,
        return_native_dim: bool | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        min_similarity: float | None | Omit = OMIT,
        pathway: Literal["exact", "energy", "auto"] | Omit = OMIT,
        as_of: str | datetime | None | Omit = OMIT,
        include_superseded: bool | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.QueryVectorsResponse:
        """Values of the nearest keys.

        Cosine similarity over all patterns whose key has the query’s length, or was projected down from it;
        best first, ties in store order. Texts are found by their embedding.

        An API key needs the scope `memory:read`.

        Args:
            return_native_dim: Bring values to the query’s length: by the inverse of the projection, or cut or
                padded.
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            min_similarity: Leave out what is less similar than this.
            pathway: exact: by cosine. energy: the query settles among the patterns nearest to it, as in a
                Hopfield network, which clears noise up; ordered by the cosine of where it settled. auto: what
                promises more; a cosine of 0.95 is answered exactly.
            as_of: As at text retrieve, by cosine alone, among keys of the query’s length.
            include_superseded: Those too that are not valid any more, or not yet.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
        """
        return self._calls.call(op.QUERY_VECTORS, (), given(embedding=embedding, top_k=top_k, return_native_dim=return_native_dim, filter=filter, subject=subject, after=after, before=before, min_similarity=min_similarity, pathway=pathway, as_of=as_of, include_superseded=include_superseded, read_only=read_only), options)

    def batch_retrieve(
        self,
        *,
        queries: Sequence[t.BatchRetrieveVectorsQuery],
        **options: Unpack[CallOptions],
    ) -> t.BatchRetrieveVectorsResponse:
        """Values of the nearest keys for up to 1,000 queries.

        Each query counts as one against the plan’s day; those that do not fit whole are refused whole. The body
        may have 64 MiB and the answer 256 MiB. What is valid now is searched: queries of a time (`as_of`) go
        one by one to `/v1/memory/query`.

        An API key needs the scope `memory:read`.

        A longer list of queries goes in parts, a request each.
        """
        return self._calls.call(op.BATCH_RETRIEVE_VECTORS, (), given(queries=queries), options)

    def retrieve(
        self,
        *,
        embedding: Sequence[float] | Numbers,
        top_k: int | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        min_similarity: float | None | Omit = OMIT,
        as_of: str | datetime | None | Omit = OMIT,
        include_superseded: bool | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.RetrieveVectorsResponse:
        """Metadata of the nearest keys.

        Orders the nearest keys, and what was used or stored together with them, by cosine, associations from
        use, neighbourhood in store order and salience; answers metadata and scores. In a space that was not
        used, and whose order of storing means nothing, that is the order by cosine. `semantic_score` is the
        cosine.

        An API key needs the scope `memory:read`.

        Args:
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            min_similarity: Leave out what is less similar than this.
            as_of: As at text retrieve, by cosine alone, among keys of the query’s length.
            include_superseded: Those too that are not valid any more, or not yet.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
        """
        return self._calls.call(op.RETRIEVE_VECTORS, (), given(embedding=embedding, top_k=top_k, filter=filter, subject=subject, after=after, before=before, min_similarity=min_similarity, as_of=as_of, include_superseded=include_superseded, read_only=read_only), options)

    def query_semantic(
        self,
        *,
        embedding: Sequence[float] | Numbers,
        top_k: int | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.RetrieveVectorsResponse:
        """Metadata of the nearest keys.

        Deprecated.

        Answers as `/v1/memory/retrieve` does, which replaces it.

        An API key needs the scope `memory:read`.

        Args:
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
        """
        return self._calls.call(op.QUERY_SEMANTIC, (), given(embedding=embedding, top_k=top_k, filter=filter, subject=subject, after=after, before=before), options)

    def compose(
        self,
        *,
        keys: Sequence[Sequence[float] | Numbers] | Numbers | None | Omit = OMIT,
        texts: Sequence[str] | None | Omit = OMIT,
        weights: Sequence[float] | Numbers | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ComposeVectorsResponse:
        """The direction between several.

        The weighted mean of normalised keys, or of the texts’ embeddings, normalised.

        An API key needs the scope `memory:read`.

        Args:
            keys: Of one length.
            texts: In place of keys.
            weights: One a key or text, not all zero, may be negative. Default: equal.
        """
        return self._calls.call(op.COMPOSE_VECTORS, (), given(keys=keys, texts=texts, weights=weights), options)

    def compose_fractional(
        self,
        *,
        key_a: Sequence[float] | Numbers | None | Omit = OMIT,
        key_b: Sequence[float] | Numbers | None | Omit = OMIT,
        text_a: str | None | Omit = OMIT,
        text_b: str | None | Omit = OMIT,
        pattern_a_id: str | None | Omit = OMIT,
        pattern_b_id: str | None | Omit = OMIT,
        alpha: float | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ComposeFractionalResponse:
        """A point on the way from A to B.

        Interpolates directions on the sphere and lengths linearly. Give one of the pairs: keys, texts or
        patterns.

        An API key needs the scope `memory:read`.

        Args:
            pattern_a_id: Its id, or `ext:` and your own.
            pattern_b_id: Its id, or `ext:` and your own.
            alpha: 0 gives A, 1 gives B.
        """
        return self._calls.call(op.COMPOSE_FRACTIONAL, (), given(key_a=key_a, key_b=key_b, text_a=text_a, text_b=text_b, pattern_a_id=pattern_a_id, pattern_b_id=pattern_b_id, alpha=alpha), options)

    def update(
        self,
        *,
        key: Sequence[float] | Numbers,
        new_value: Sequence[float] | Numbers,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Change the value of a key.

        Of several patterns with this key the newest that is valid now is changed. Metadata are replaced whole,
        null clears them, absent leaves them.

        An API key needs the scope `memory:write`.

        Args:
            metadata: Any JSON object of up to 16 KiB and 8 levels.
        """
        return self._calls.call(op.CHANGE_VECTOR, (), given(key=key, new_value=new_value, metadata=metadata), options)

    def delete(
        self,
        key: Sequence[float] | Numbers,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Delete every pattern with a key.

        The body is the key itself. Keys are equal when they are as float32. Where texts that differ have the
        key, none is deleted.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.DELETE_VECTORS, (), key, options)

    def get(
        self,
        pattern_idx: int,
        **options: Unpack[CallOptions],
    ) -> t.VectorPattern:
        """One pattern by its index.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.GET_VECTOR, (pattern_idx,), {}, options)


class Patterns:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        order: Literal["created_at", "-created_at", "updated_at", "-updated_at", "occurred_at", "-occurred_at"] | Omit = OMIT,
        filter: Mapping[str, Any] | str | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | Omit = OMIT,
        before: str | datetime | Omit = OMIT,
        q: str | Omit = OMIT,
        include_superseded: bool | Omit = OMIT,
        as_of: str | datetime | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.PatternList:
        """List patterns.

        In store order, unless asked for in another; those that a filter and words describe, if given.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before, which must have been asked for in the same order.
            order: By a time, the oldest first; with - the newest. `created_at` is store order.
            filter: As JSON. What patterns must be: a value that a field equals, a list of which any, or `$eq
                $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A
                field is a key of the metadata, dots walk into objects; or `$subject $external_id $category
                $tier $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant; the search takes several, or none.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            q: Only texts that contain this, in whatever case.
            include_superseded: Those too that are not valid any more, or not yet.
            as_of: What was recorded and valid at this time, in the versions of then, as far as they are kept;
                in store order.
        """
        return self._calls.call(op.LIST_PATTERNS, (), given(cursor=cursor, limit=limit, order=order, filter=filter, subject=subject, after=after, before=before, q=q, include_superseded=include_superseded, as_of=as_of), options)

    def search(
        self,
        *,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        q: str | None | Omit = OMIT,
        include_superseded: bool | Omit = OMIT,
        as_of: str | datetime | None | Omit = OMIT,
        order: Literal["created_at", "-created_at", "updated_at", "-updated_at", "occurred_at", "-occurred_at"] | Omit = OMIT,
        cursor: str | None | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.PatternList:
        """List patterns by a filter that is long.

        As the list, with the filter in the body.

        An API key needs the scope `memory:read`.

        Args:
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            q: Only texts that contain this, in whatever case.
            include_superseded: Those too that are not valid any more, or not yet.
            as_of: What was recorded and valid at this time, in the versions of then, as far as they are kept;
                in store order.
            order: By a time, the oldest first; with - the newest. `created_at` is store order.
            cursor: `next_cursor` of the page before, which must have been asked for in the same order.
        """
        return self._calls.call(op.SEARCH_PATTERNS, (), given(filter=filter, subject=subject, after=after, before=before, q=q, include_superseded=include_superseded, as_of=as_of, order=order, cursor=cursor, limit=limit), options)

    def count(
        self,
        *,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        q: str | None | Omit = OMIT,
        include_superseded: bool | Omit = OMIT,
        as_of: str | datetime | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.CountPatternsResponse:
        """How many patterns a filter describes.

        An API key needs the scope `memory:read`.

        Args:
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            q: Only texts that contain this, in whatever case.
            include_superseded: Those too that are not valid any more, or not yet.
            as_of: What was recorded and valid at this time, in the versions of then, as far as they are kept;
                in store order.
        """
        return self._calls.call(op.COUNT_PATTERNS, (), given(filter=filter, subject=subject, after=after, before=before, q=q, include_superseded=include_superseded, as_of=as_of), options)

    def map(
        self,
        *,
        limit: int | Omit = OMIT,
        filter: Mapping[str, Any] | str | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        dimensions: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.SpaceMapResponse:
        """A map of the space.

        Places in a square for the patterns that are valid now, near each other where their keys are: principal
        components, moved so that neighbours stay neighbours. The same patterns give the same map. Where there
        are more than `limit`, it shows so many, evenly spread in store order. Clusters are of keys, sqrt(n /
        25) of them and 20 at most, named by the words that tell their texts from the others'. Lists have an
        element for each pattern; texts are got by ids. It counts as a query.

        An API key needs the scope `memory:read`.

        Args:
            filter: As JSON. What patterns must be: a value that a field equals, a list of which any, or `$eq
                $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A
                field is a key of the metadata, dots walk into objects; or `$subject $external_id $category
                $tier $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant. Default: all.
            dimensions: Length of the vectors that are shown. Default: that of most patterns.
        """
        return self._calls.call(op.SPACE_MAP, (), given(limit=limit, filter=filter, subject=subject, dimensions=dimensions), options)

    def all(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        order: Literal["created_at", "-created_at", "updated_at", "-updated_at", "occurred_at", "-occurred_at"] | Omit = OMIT,
        filter: Mapping[str, Any] | str | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | Omit = OMIT,
        before: str | datetime | Omit = OMIT,
        q: str | Omit = OMIT,
        include_superseded: bool | Omit = OMIT,
        as_of: str | datetime | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.Pattern]:
        """List patterns, page after page as they are asked for.

        In store order, unless asked for in another; those that a filter and words describe, if given.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before, which must have been asked for in the same order.
            order: By a time, the oldest first; with - the newest. `created_at` is store order.
            filter: As JSON. What patterns must be: a value that a field equals, a list of which any, or `$eq
                $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A
                field is a key of the metadata, dots walk into objects; or `$subject $external_id $category
                $tier $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant; the search takes several, or none.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            q: Only texts that contain this, in whatever case.
            include_superseded: Those too that are not valid any more, or not yet.
            as_of: What was recorded and valid at this time, in the versions of then, as far as they are kept;
                in store order.
        """
        return self._calls.pages(op.LIST_PATTERNS, (), given(cursor=cursor, limit=limit, order=order, filter=filter, subject=subject, after=after, before=before, q=q, include_superseded=include_superseded, as_of=as_of), options, "patterns")

    def get(
        self,
        pattern_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Pattern:
        """One pattern.

        Also one that is not valid any more, or not yet.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.GET_PATTERN, (pattern_id,), {}, options)

    def get_many(
        self,
        *,
        pattern_ids: Sequence[str] | Omit = OMIT,
        external_ids: Sequence[str] | Omit = OMIT,
        pattern_indexes: Sequence[int] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.GetPatternsResponse:
        """Up to 200 patterns by id.

        By `pattern_id`, then by `external_id`, then by `pattern_idx`, each in the order asked; null where there
        is none.

        An API key needs the scope `memory:read`.

        A longer list of pattern_ids and external_ids goes in parts, a request each.

        Args:
            pattern_indexes: Each the `pattern_idx` of one, as pairs of an exploration name it.
        """
        return self._calls.call(op.GET_PATTERNS, (), given(pattern_ids=pattern_ids, external_ids=external_ids, pattern_indexes=pattern_indexes), options)

    def update(
        self,
        pattern_id: str,
        *,
        text: str | Omit = OMIT,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        metadata_patch: Mapping[str, Any] | Omit = OMIT,
        expires_at: str | datetime | None | Omit = OMIT,
        occurred_at: str | datetime | None | Omit = OMIT,
        protected: bool | None | Omit = OMIT,
        external_id: str | None | Omit = OMIT,
        subject: str | Nobody | Omit = OMIT,
        valid_from: str | datetime | None | Omit = OMIT,
        valid_to: str | datetime | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Pattern:
        """Change a pattern.

        What is absent stays, and null clears. A new text is embedded again; id and index stay. Metadata are
        replaced whole. What it was before is kept as a version; what it has already is no change, and makes
        none.

        An API key needs the scope `memory:write`.

        Args:
            metadata: Any JSON object of up to 16 KiB and 8 levels.
            metadata_patch: A merge patch of the metadata (RFC 7396): fields to set, and null for those to
                remove.
            expires_at: From this moment the pattern is in no answer; null never. Must be in the future.
            occurred_at: When the fact was stated; null for when it was stored.
            protected: Whether consolidation must leave it alone; null for what its metadata and category say.
            external_id: Your own id for it, one of a kind in the space.
            subject: The end user whose it is; not `.` or `..`.
            valid_from: From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and
                lists show what is valid now, and what is yet to come from that time on.
            valid_to: Until when it holds. Default: without end.
        """
        return self._calls.call(op.CHANGE_PATTERN, (pattern_id,), given(text=text, metadata=metadata, metadata_patch=metadata_patch, expires_at=expires_at, occurred_at=occurred_at, protected=protected, external_id=external_id, subject=subject, valid_from=valid_from, valid_to=valid_to), options)

    def delete(
        self,
        pattern_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Delete one pattern.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.DELETE_PATTERN, (pattern_id,), {}, options)

    def delete_many(
        self,
        *,
        pattern_ids: Sequence[str] | Omit = OMIT,
        external_ids: Sequence[str] | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        dry_run: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.DeletePatternsResponse:
        """Delete up to 1000 patterns by id, or all of an end user or that a filter describes.

        Those that are there go, all at once, with all their versions; by `filter`, `subject` or both those too
        that are not valid any more.

        An API key needs the scope `memory:write`.

        Args:
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`. An empty one is refused, and null: they
                would select everything.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            dry_run: Only say what would be deleted. It reads: a key needs `memory:read` too.
        """
        return self._calls.call(op.DELETE_PATTERNS, (), given(pattern_ids=pattern_ids, external_ids=external_ids, filter=filter, subject=subject, dry_run=dry_run), options)

    def history(
        self,
        pattern_id: str,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.PatternHistory:
        """Versions of a pattern.

        Newest first, the one that is there now at the head. The last `MEMORY_VERSIONS_KEPT` that others
        replaced are kept, each for a year; they go with the pattern.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
        """
        return self._calls.call(op.LIST_VERSIONS, (pattern_id,), given(cursor=cursor, limit=limit), options)

    def all_history(
        self,
        pattern_id: str,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.PatternVersion]:
        """Versions of a pattern, page after page as they are asked for.

        Newest first, the one that is there now at the head. The last `MEMORY_VERSIONS_KEPT` that others
        replaced are kept, each for a year; they go with the pattern.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
        """
        return self._calls.pages(op.LIST_VERSIONS, (pattern_id,), given(cursor=cursor, limit=limit), options, "versions")

    def revert(
        self,
        pattern_id: str,
        *,
        version: int,
        **options: Unpack[CallOptions],
    ) -> t.Pattern:
        """Make a pattern what it was.

        Text or vectors, metadata and times are those of the version, in a new version; `external_id` and
        `subject` stay. An expiry that is over is left out.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.REVERT_PATTERN, (pattern_id,), given(version=version), options)

    def redact(
        self,
        pattern_id: str,
        version: int,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Erase what a version held.

        That it was there, when and by whom stays. The version that is there now is changed or deleted instead.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.REDACT_VERSION, (pattern_id, version,), {}, options)

    def conflicts(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        status: Literal["open", "kept", "superseded", "dismissed"] | Omit = OMIT,
        kind: Literal["near_duplicate", "possible_contradiction", "superseded_candidate"] | Omit = OMIT,
        subject: str | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ConflictList:
        """Texts that say nearly the same, or contradict each other.

        Newest first. Sleep finds them: it compares the texts that were stored or changed since the last one
        with the 16 nearest of the same end user, and changes nothing; of each it reports 3 pairs at most. Texts
        of more than 1,000 characters are not compared. An open conflict is shown while both texts are valid;
        what is stored or changed of an end user with 1,000 open ones is not compared, and in a space without
        end users it waits until some are resolved.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
            kind: Default: all.
            subject: The end user whose texts are meant. Default: all.
        """
        return self._calls.call(op.LIST_CONFLICTS, (), given(cursor=cursor, limit=limit, status=status, kind=kind, subject=subject), options)

    def all_conflicts(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        status: Literal["open", "kept", "superseded", "dismissed"] | Omit = OMIT,
        kind: Literal["near_duplicate", "possible_contradiction", "superseded_candidate"] | Omit = OMIT,
        subject: str | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.Conflict]:
        """Texts that say nearly the same, or contradict each other, page after page as they are asked for.

        Newest first. Sleep finds them: it compares the texts that were stored or changed since the last one
        with the 16 nearest of the same end user, and changes nothing; of each it reports 3 pairs at most. Texts
        of more than 1,000 characters are not compared. An open conflict is shown while both texts are valid;
        what is stored or changed of an end user with 1,000 open ones is not compared, and in a space without
        end users it waits until some are resolved.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
            kind: Default: all.
            subject: The end user whose texts are meant. Default: all.
        """
        return self._calls.pages(op.LIST_CONFLICTS, (), given(cursor=cursor, limit=limit, status=status, kind=kind, subject=subject), options, "conflicts")

    def resolve_conflict(
        self,
        conflict_id: str,
        *,
        resolution: Literal["keep", "supersede", "dismiss"],
        winner: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Conflict:
        """Say what a conflict is.

        The pair is not reported again unless one of its texts changes. The same again answers the same; another
        resolution is refused.

        An API key needs the scope `memory:write`.

        Args:
            resolution: keep: both are true. supersede: one takes the place of the other, as with `supersedes`
                of a store: the other one is valid until the `valid_from` of the one, or until now where that is
                no later than its own; its version before is kept. dismiss: it is no conflict.
            winner: Which of the two takes the place of the other, `pattern_id` or `ext:` and your own; with
                `supersede` alone. Default: the newer.
        """
        return self._calls.call(op.RESOLVE_CONFLICT, (conflict_id,), given(resolution=resolution, winner=winner), options)

    def reopen_conflict(
        self,
        conflict_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Conflict:
        """Take back what was said of a conflict.

        It is open again, while both texts are valid; one that is open stays so. Where one pattern took the
        place of the other, that one is reverted to its version before first.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.REOPEN_CONFLICT, (conflict_id,), {}, options)

    def delete_all(
        self,
        *,
        confirm: Literal["all"],
        **options: Unpack[CallOptions],
    ) -> t.EmptiedSpace:
        """Delete every pattern of the space.

        An API key needs the scope `memory:write`.

        Args:
            confirm: Must be `all`.
        """
        return self._calls.call(op.EMPTY_SPACE, (), given(confirm=confirm), options)

    def receipts(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ReceiptList:
        """Receipts of what was erased, newest first.

        A receipt is signed and stored in the transaction that erases, and kept for good. It holds hashes and
        counts, neither texts nor ids of patterns.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
        """
        return self._calls.call(op.LIST_RECEIPTS, (), given(cursor=cursor, limit=limit), options)

    def all_receipts(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.ListedReceipt]:
        """Receipts of what was erased, newest first, page after page as they are asked for.

        A receipt is signed and stored in the transaction that erases, and kept for good. It holds hashes and
        counts, neither texts nor ids of patterns.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
        """
        return self._calls.pages(op.LIST_RECEIPTS, (), given(cursor=cursor, limit=limit), options, "receipts")

    def verify_receipt(
        self,
        *,
        receipt: str,
        pattern_ids: Sequence[str] | Omit = OMIT,
        selector: Mapping[str, Any] | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.VerifiedReceipt:
        """Check a receipt, and that nothing of it is there.

        Checks the signature, and that the receipt is one that the service has kept. The service keeps no ids of
        what it erased: whoever has them gives them, and learns whether they are those of the receipt and
        whether any of these patterns is there now. Without them `checked_ids` is false, and the answer says
        nothing about what is there.

        An API key needs the scope `memory:read`.

        Args:
            pattern_ids: All that the receipt is about, in any order; none where only versions of patterns were
                emptied.
            selector: What the patterns were chosen by, for comparison with the receipt: the body that was sent
                will do.
        """
        return self._calls.call(op.VERIFY_RECEIPT, (), given(receipt=receipt, pattern_ids=pattern_ids, selector=selector), options)

    def feedback(
        self,
        *,
        pattern_id: str,
        useful: bool,
        query: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Say whether a pattern was useful.

        Teaches the space: a useful pattern grows stronger, the heads that ranked it first count more, and the
        way it was found is relied on more. Without a query, the answer is meant that the same actor got within
        the last five minutes; with it, what that query recalls now.

        An API key needs the scope `memory:write`.

        Args:
            query: What was asked when the pattern was useful, or was not.
        """
        return self._calls.call(op.GIVE_FEEDBACK, (), given(pattern_id=pattern_id, useful=useful, query=query), options)


class Subjects:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        prefix: str | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.SubjectList:
        """The end users of whom something is stored.

        In the order of their names.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
            prefix: What their names begin with.
        """
        return self._calls.call(op.LIST_SUBJECTS, (), given(cursor=cursor, limit=limit, prefix=prefix), options)

    def all(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        prefix: str | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.StoredSubject]:
        """The end users of whom something is stored, page after page as they are asked for.

        In the order of their names.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
            prefix: What their names begin with.
        """
        return self._calls.pages(op.LIST_SUBJECTS, (), given(cursor=cursor, limit=limit, prefix=prefix), options, "subjects")

    def get(
        self,
        subject: str,
        **options: Unpack[CallOptions],
    ) -> t.Subject:
        """What is stored of one end user.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.GET_SUBJECT, (subject,), {}, options)

    def export(
        self,
        subject: str,
        *,
        filter: Mapping[str, Any] | str | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> bytes:
        """Every pattern of one end user.

        Lines of JSON in store order, as the archive of an account has them: `npm run import` stores them
        anywhere. Those that a filter describes, if given; also what is not valid now.

        An API key needs the scope `memory:read`.

        Args:
            filter: As JSON. What patterns must be: a value that a field equals, a list of which any, or `$eq
                $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A
                field is a key of the metadata, dots walk into objects; or `$subject $external_id $category
                $tier $created_at $updated_at $occurred_at $expires_at $text`.
        """
        return self._calls.call(op.EXPORT_SUBJECT, (subject,), given(filter=filter), options)

    def erase(
        self,
        subject: str,
        **options: Unpack[CallOptions],
    ) -> t.ErasedSubject:
        """Erase one end user.

        Removes every pattern of the subject with its versions, passages and links, what was learned of its use,
        and answers that are kept for its requests, all in one transaction, and answers a receipt. Keys and
        tokens that are bound to the subject go on.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.ERASE_SUBJECT, (subject,), {}, options)

    def token(
        self,
        *,
        subject: str,
        scopes: Sequence[Literal["memory:read", "memory:write"]] | Omit = OMIT,
        shared: bool | Omit = OMIT,
        ttl_s: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.SubjectToken:
        """A token for one end user, which a browser may have.

        A bearer token (JWT, typ `st+jwt`) that opens what a key with this subject would, for some time. It ends
        with the key or the session that made it, and lets its bearer do no more than that.

        An API key needs the scope `memory:read`.

        Args:
            scopes: Default: both, as far as whoever asks has them.
            shared: Its bearer also reads patterns of no subject, and changes none of them.
            ttl_s: Seconds for which it holds.
        """
        return self._calls.call(op.ISSUE_SUBJECT_TOKEN, (), given(subject=subject, scopes=scopes, shared=shared, ttl_s=ttl_s), options)


class Engine:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def brain(
        self,
        **options: Unpack[CallOptions],
    ) -> t.ReadBrainResponse:
        """The state of a space at a glance.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.READ_BRAIN, (), {}, options)

    def sleep(
        self,
        *,
        batch_size: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.SleepResponse:
        """Consolidate the space.

        Replays the most urgent patterns with their neighbours, which grow stronger; weakens what was unused for
        a week; makes compositions of pairs that exploration found valid, of which a space keeps the strongest
        1000; merges texts that were stored twice with the same metadata, and not changed since, into the
        oldest; moves patterns to the tier that their use calls for; and finds texts that say nearly the same or
        contradict each other, see /v1/memory/conflicts. One run looks at 10000 patterns, and the next goes on
        from there.

        An API key needs the scope `memory:write`.

        Args:
            batch_size: Patterns to replay.
        """
        return self._calls.call(op.SLEEP, (), given(batch_size=batch_size), options)

    def runs(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        kind: Literal["sleep", "exploration"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.RunList:
        """Sleeps and explorations of the space, and what each did.

        Newest first; the last 200 are kept. A sleep that the regime bypassed did nothing and is no run.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
            kind: Default: both.
        """
        return self._calls.call(op.LIST_RUNS, (), given(cursor=cursor, limit=limit, kind=kind), options)

    def all_runs(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        kind: Literal["sleep", "exploration"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.Run]:
        """Sleeps and explorations of the space, and what each did, page after page as they are asked for.

        Newest first; the last 200 are kept. A sleep that the regime bypassed did nothing and is no run.

        An API key needs the scope `memory:read`.

        Args:
            cursor: `next_cursor` of the page before.
            kind: Default: both.
        """
        return self._calls.pages(op.LIST_RUNS, (), given(cursor=cursor, limit=limit, kind=kind), options, "runs")

    def explore(
        self,
        *,
        batch_size: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ExploreResponse:
        """Try compositions of pairs of patterns.

        Associated, near and random pairs of which a trial tells most. A composition is valid in a trial when
        both parts are near it in a random half of the memory, the memory does not take it for another pattern,
        and unbinding the one gives back the other.

        An API key needs the scope `memory:write`.

        Args:
            batch_size: Pairs to try.
        """
        return self._calls.call(op.EXPLORE, (), given(batch_size=batch_size), options)

    def suggestions(
        self,
        **options: Unpack[CallOptions],
    ) -> t.ExploreSuggestionsResponse:
        """Pairs that are worth a trial.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.EXPLORE_SUGGESTIONS, (), {}, options)

    def consolidation_candidates(
        self,
        *,
        min_priority: float | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ConsolidationCandidatesResponse:
        """Pairs that sleep may make compositions of.

        Explored pairs that are none yet, those of highest priority first, 100 at most. Sleep takes those that
        at least 2 trials found valid, and at least 60 % of all, where one more trial of each outcome is counted
        in.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.CONSOLIDATION_CANDIDATES, (), given(min_priority=min_priority), options)

    def detect_spurious(
        self,
        **options: Unpack[CallOptions],
    ) -> t.DetectSpuriousResponse:
        """Look for spurious attractors.

        Pairs of near neighbours, the strongest 2000 at most, whose middle the memory takes for a mixture of
        patterns instead of one of them. After 5 s the answer is of those that were checked. Each process runs
        one in a space at a time.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.DETECT_SPURIOUS, (), {}, options)

    def classify_belief(
        self,
        *,
        query: str,
        read_only: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ClassifyBeliefResponse:
        """Whether a statement is known.

        Compares a statement with the text patterns of the space: `exact_match`, one of them states the same, be
        it in one of its sentences; `composition`, it puts several of them together; `novel`, it says something
        else. In an empty space everything is novel.

        An API key needs the scope `memory:read`.

        Args:
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
        """
        return self._calls.call(op.CLASSIFY_BELIEF, (), given(query=query, read_only=read_only), options)

    def decide_routing(
        self,
        *,
        query: str,
        context: str | None | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.DecideRoutingResponse:
        """Which pathway a query should take.

        exact: by cosine; energy: where the query settles; attention: as recall orders. The one of least
        expected free energy, unless the regime of the space forces exact.

        An API key needs the scope `memory:read`.

        Args:
            context: What was said before the query; read together with it.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
        """
        return self._calls.call(op.DECIDE_ROUTING, (), given(query=query, context=context, read_only=read_only), options)

    def evaluate_efe(
        self,
        *,
        query: str,
        pathways: Sequence[Literal["exact", "energy", "attention"]] | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.EvaluateEfeResponse:
        """Expected free energy of pathways.

        Expected free energy of answering a query by each pathway: what the answer would leave unknown, and how
        little of what is wanted it would bring. efe = -epistemic_value - pragmatic_value, in nats (natural
        units of information); lower is better.

        An API key needs the scope `memory:read`.

        Args:
            pathways: Those to evaluate; one that is named twice counts once.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
        """
        return self._calls.call(op.EVALUATE_EFE, (), given(query=query, pathways=pathways, read_only=read_only), options)

    def regime(
        self,
        **options: Unpack[CallOptions],
    ) -> t.RegimeResponse:
        """The regime that the space is in.

        normal; high_surprise, when searches and stores are newer than usual; anomaly, when they are so for
        long; recovery, until it has been calm for ten steps. A step is a search, other than in
        `batch/retrieve`, or a store, or, in anomaly and recovery, a second without one. Reading is no step.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.REGIME, (), {}, options)

    def regime_history(
        self,
        *,
        last_n: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.RegimeHistoryResponse:
        """The latest regimes.

        One for each search, store, injection and change by time alone, oldest first; the last 1000 are kept.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.REGIME_HISTORY, (), given(last_n=last_n), options)

    def inject_anomaly(
        self,
        *,
        magnitude: float | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.InjectAnomalyResponse:
        """Begin an anomaly.

        For tests of what the policy overrides do. It ends by itself; the audit log keeps it.

        An API key needs the scope `memory:write`.

        Args:
            magnitude: What the signal rises by.
        """
        return self._calls.call(op.INJECT_ANOMALY, (), given(magnitude=magnitude), options)

    def neuromodulation(
        self,
        **options: Unpack[CallOptions],
    ) -> t.ModulationResponse:
        """The signal that the regime follows, and what it is measured against.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.MODULATION_STATE, (), {}, options)

    def neuromodulation_history(
        self,
        *,
        window: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ModulationHistoryResponse:
        """The latest signals.

        The records of the regime’s history, oldest first; the three lists go together.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.MODULATION_HISTORY, (), given(window=window), options)

    def calibrate(
        self,
        *,
        reason: str | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.CalibrateModulationResponse:
        """Begin the statistics anew.

        Mean and deviation of searches are those of the latest hundred, or those of a new space where there are
        fewer than ten; those of stores are as in a new space, and the signal is 0. The regime follows with the
        next search or store.

        An API key needs the scope `memory:write`.

        Args:
            reason: Comes back.
        """
        return self._calls.call(op.CALIBRATE_MODULATION, (), given(reason=reason), options)

    def tiered_retrieve(
        self,
        *,
        query: str,
        top_k: int | Omit = OMIT,
        tier: Literal["hot", "warm", "cold"] | None | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        subject: str | Sequence[str] | Nobody | Omit = OMIT,
        after: str | datetime | None | Omit = OMIT,
        before: str | datetime | None | Omit = OMIT,
        min_similarity: float | None | Omit = OMIT,
        read_only: bool | Omit = OMIT,
        as_of: str | datetime | None | Omit = OMIT,
        include_superseded: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.RetrieveTieredResponse:
        """Find the texts nearest in meaning, with their tiers.

        Cosine similarity over all text patterns of the space, or over those of one tier; best first, ties in
        store order.

        An API key needs the scope `memory:read`.

        Args:
            tier: Only patterns of this tier; null all.
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            subject: The end user whose patterns are meant, or several of them; null for patterns of none.
                Default: all.
            after: Only what occurred (`occurred_at`) at this time or later.
            before: Only what occurred (`occurred_at`) earlier than this time, which is not included.
            min_similarity: Leave out what is less similar than this.
            read_only: Look without leaving a trace in the memory: nothing is learned, counted as an access or
                prefetched. It still counts as a query.
            as_of: As at text retrieve; tiers are those of now, of which no history is kept.
            include_superseded: Those too that are not valid any more, or not yet.
        """
        return self._calls.call(op.RETRIEVE_TIERED, (), given(query=query, top_k=top_k, tier=tier, filter=filter, subject=subject, after=after, before=before, min_similarity=min_similarity, read_only=read_only, as_of=as_of, include_superseded=include_superseded), options)

    def tier_distribution(
        self,
        **options: Unpack[CallOptions],
    ) -> t.TierDistributionResponse:
        """Patterns by tier.

        New patterns are hot. Those that are little used move to warm, then to cold; being among an answer’s
        first three moves them up again.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.TIER_DISTRIBUTION, (), {}, options)

    def tier_stats(
        self,
        **options: Unpack[CallOptions],
    ) -> t.TierStatisticsResponse:
        """Which tiers answers come from.

        An access is a pattern in an answer. Answers are counted within about a second.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.TIER_STATISTICS, (), {}, options)

    def warm_prefetch(
        self,
        *,
        context_keys: Sequence[Sequence[float] | Numbers] | Numbers | None | Omit = OMIT,
        filter: Mapping[str, Any] | Omit = OMIT,
        depth: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.WarmPrefetchResponse:
        """Read into memory what will probably be asked for.

        Begins with the 5 patterns nearest to each key, or the 16 used last, and hops to what followed them,
        what was used with them and what they compose with: the 16 most strongly reached in each hop. Their
        payloads are then in the memory of the process that answers, and searches that find them need not read
        them.

        An API key needs the scope `memory:write`.

        Args:
            context_keys: Of any length. Null: the patterns used last.
            filter: What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt
                $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a
                key of the metadata, dots walk into objects; or `$subject $external_id $category $tier
                $created_at $updated_at $occurred_at $expires_at $text`.
            depth: Number of hops.
        """
        return self._calls.call(op.WARM_PREFETCH, (), given(context_keys=context_keys, filter=filter, depth=depth), options)

    def invalidate_prefetch(
        self,
        **options: Unpack[CallOptions],
    ) -> t.PrefetchInvalidated:
        """Drop the payloads of the space from memory.

        Of the process that answers. They are read again when an answer needs them.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.INVALIDATE_PREFETCH, (), {}, options)

    def warm_cluster(
        self,
        *,
        embedding: Sequence[float] | Numbers,
        **options: Unpack[CallOptions],
    ) -> t.WarmClusterResponse:
        """Read into memory what is around a key.

        What `/v1/memory/prefetch/warmup` does with one key and one hop.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.WARM_CLUSTER, (), given(embedding=embedding), options)

    def invalidate_cluster(
        self,
        **options: Unpack[CallOptions],
    ) -> t.PrefetchInvalidated:
        """Drop the payloads of the space from memory.

        Of the process that answers. They are read again when an answer needs them.

        An API key needs the scope `memory:write`.
        """
        return self._calls.call(op.INVALIDATE_CLUSTER, (), {}, options)

    def acceleration(
        self,
        **options: Unpack[CallOptions],
    ) -> t.AccelerationStatus:
        """Whether native kernels are in use, and what they gain.

        An API key needs the scope `memory:read`.
        """
        return self._calls.call(op.ACCELERATION_STATUS, (), {}, options)

    def benchmark(
        self,
        *,
        operations: Sequence[Literal["cosine", "einsum", "hdc_bind", "top_k", "hopfield", "quantized_top_k", "slerp"]] | Omit = OMIT,
        n_iterations: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.RunBenchmarkResponse:
        """Time the native kernels against the fallback.

        Both compute the same on the same data, and their answers are checked to agree before they are timed. It
        takes one thread at a time in short slices between other requests, and one benchmark runs at a time.
        After 30 seconds it answers with what it has.

        An API key needs the scope `ops:run`.

        Args:
            operations: A repeated one counts once.
        """
        return self._calls.call(op.RUN_ACCELERATION_BENCHMARK, (), given(operations=operations, n_iterations=n_iterations), options)


class Auth:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def register(
        self,
        *,
        email: str,
        password: str,
        full_name: str | None | Omit = OMIT,
        name: str | None | Omit = OMIT,
        organization_name: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.RegisterResponse:
        """Create an account and an organization that it owns.

        The account can be used at once. A link that verifies the address is sent to it.

        Args:
            password: At most 1024 bytes in UTF-8; measured and compared in Unicode NFKC, and not changed in any
                other way.
            name: Another name of `full_name`.
        """
        return self._calls.call(op.REGISTER, (), given(email=email, password=password, full_name=full_name, name=name, organization_name=organization_name), options)

    def login(
        self,
        *,
        email: str,
        password: str,
        mfa_code: str | None | Omit = OMIT,
        recovery_code: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.TokenResponse:
        """Sign in.

        With a second factor, send its code along, or finish with POST /v1/auth/mfa/login. Attempts that fail
        are limited.
        """
        return self._calls.call(op.LOGIN, (), given(email=email, password=password, mfa_code=mfa_code, recovery_code=recovery_code), options)

    def mfa_login(
        self,
        *,
        code: str,
        token: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.MfaLoginResponse:
        """Finish signing in with a code.

        The token of the login is good for five attempts within five minutes.

        Args:
            code: Six digits from the app, or a recovery code.
            token: `mfa_token` of the login.
        """
        return self._calls.call(op.MFA_LOGIN, (), given(code=code, token=token), options)

    def refresh(
        self,
        *,
        refresh_token: str,
        **options: Unpack[CallOptions],
    ) -> t.TokenResponse:
        """Exchange a refresh token for new tokens.

        A refresh token works once and lives 30 days; a session lives 90 days. Presenting a spent token ends its
        session. Of several requests at the same time with one token, one succeeds and the others are answered
        409.
        """
        return self._calls.call(op.REFRESH, (), given(refresh_token=refresh_token), options)

    def logout(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """End this session.

        Its tokens are refused from the answer on.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.LOGOUT, (), {}, options)

    def logout_all(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """End all sessions of the user, this one too.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.LOGOUT_ALL, (), {}, options)

    def verify_email(
        self,
        *,
        token: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Verify the email address by the token that was sent to it.

        The token lives 24 hours and works once; a newer one takes its place.
        """
        return self._calls.call(op.VERIFY_EMAIL, (), given(token=token), options)

    def resend_verification(
        self,
        *,
        email: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Send the link that verifies an address once more.

        Answers 200 whether or not the address has an account. A few mails an hour are sent at most.
        """
        return self._calls.call(op.RESEND_VERIFICATION, (), given(email=email), options)

    def forgot_password(
        self,
        *,
        email: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Send a link to set a new password.

        Answers 200 whether or not the address has an account. A few mails an hour are sent at most.
        """
        return self._calls.call(op.FORGOT_PASSWORD, (), given(email=email), options)

    def reset_password(
        self,
        *,
        token: str,
        new_password: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Set a new password by the token that was sent.

        The token lives an hour and works once; a newer one takes its place. Every session ends, and a mail
        tells the user.

        Args:
            new_password: At most 1024 bytes in UTF-8; measured and compared in Unicode NFKC, and not changed in
                any other way.
        """
        return self._calls.call(op.RESET_PASSWORD, (), given(token=token, new_password=new_password), options)

    def enable_mfa(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Begin to enrol an authenticator app.

        Repeated, it changes nothing.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.ENABLE_MFA, (), {}, options)

    def set_up_mfa(
        self,
        **options: Unpack[CallOptions],
    ) -> t.SetUpMfaResponse:
        """Get the secret for the authenticator app.

        Begins enrolment where it has not begun. Repeated, it answers the same secret.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.SET_UP_MFA, (), {}, options)

    def verify_mfa(
        self,
        *,
        code: str,
        **options: Unpack[CallOptions],
    ) -> t.VerifyMfaResponse:
        """Finish enrolment with a code from the app.

        From then on signing in needs a code. Every other session is signed out. The recovery codes are shown
        this once.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.VERIFY_MFA, (), given(code=code), options)

    def disable_mfa(
        self,
        *,
        code: str | Omit = OMIT,
        recovery_code: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Sign in without codes again.

        Without the authenticator app, by a recovery code.

        Needs a user’s access token; API keys are refused.

        Args:
            recovery_code: In place of a code from the app.
        """
        return self._calls.call(op.DISABLE_MFA, (), given(code=code, recovery_code=recovery_code), options)


class Users:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def me(
        self,
        **options: Unpack[CallOptions],
    ) -> t.User:
        """Who the user is.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.GET_PROFILE, (), {}, options)

    def update(
        self,
        *,
        full_name: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.User:
        """Change the user’s name.

        Needs a user’s access token; API keys are refused.

        Args:
            full_name: Null or blank takes the name away; left out, it stays.
        """
        return self._calls.call(op.CHANGE_PROFILE, (), given(full_name=full_name), options)

    def delete(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Delete the account.

        Its sessions end at once, and so does everything of the organizations that only this user belongs to:
        their API keys open nothing any more. Within 30 days whoever runs the service can restore it all; then
        it is erased. The last owner of an organization with other members has to make one of them its owner
        first.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.DELETE_ACCOUNT, (), {}, options)

    def change_password(
        self,
        *,
        current_password: str,
        new_password: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Change the user’s password.

        Every other session is signed out at once, and a mail tells the user.

        Needs a user’s access token; API keys are refused.

        Args:
            new_password: At most 1024 bytes in UTF-8; measured and compared in Unicode NFKC, and not changed in
                any other way.
        """
        return self._calls.call(op.CHANGE_PASSWORD, (), given(current_password=current_password, new_password=new_password), options)

    def request_export(
        self,
        **options: Unpack[CallOptions],
    ) -> t.RequestExportResponse:
        """Export the user’s data.

        Builds a ZIP archive in the background: profile, organizations, audit entries, sessions, and the
        patterns of organizations that the user owns. A mail says when it is ready. One at a time, and five a
        day.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.REQUEST_EXPORT, (), {}, options)

    def get_export(
        self,
        export_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Export:
        """How far an export is.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.GET_EXPORT, (export_id,), {}, options)

    def download_export(
        self,
        export_id: str,
        **options: Unpack[CallOptions],
    ) -> bytes:
        """Download an export.

        For its user alone, for 7 days.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.DOWNLOAD_EXPORT, (export_id,), {}, options)


class Security:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def audit_log(
        self,
        *,
        page: int | Omit = OMIT,
        limit: int | Omit = OMIT,
        action: Literal["register", "login", "login_failed", "logout", "logout_all", "token_refresh_reuse", "password_changed", "password_reset_requested", "password_reset", "email_verified", "mfa_enabled", "mfa_disabled", "mfa_recovery_used", "key_created", "key_updated", "key_revoked", "session_revoked", "client_authorized", "member_invited", "invitation_withdrawn", "member_joined", "member_removed", "role_changed", "organization_updated", "plan_changed", "webhook_created", "webhook_updated", "webhook_deleted", "webhook_disabled", "secret_rotated", "export_requested", "account_deleted", "account_restored", "account_suspended", "account_activated", "job_retried", "job_removed", "memory_forgotten", "anomaly_injected"] | Omit = OMIT,
        success: bool | Omit = OMIT,
        actor_email: str | Omit = OMIT,
        since: str | datetime | Omit = OMIT,
        until: str | datetime | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.AuditLog:
        """What was done, by whom, from where.

        Newest first. Organization admins see the organization’s entries and their own, everybody else their
        own. page × limit is at most 10,000; since and until lead further.

        Needs a user’s access token; API keys are refused.

        Args:
            success: Only what succeeded, or what did not.
            actor_email: Exactly this one, in any case.
            since: Nothing earlier.
            until: Only what is earlier.
        """
        return self._calls.call(op.READ_AUDIT_LOG, (), given(page=page, limit=limit, action=action, success=success, actor_email=actor_email, since=since, until=until), options)

    def all_audit_entries(
        self,
        *,
        page: int | Omit = OMIT,
        limit: int | Omit = OMIT,
        action: Literal["register", "login", "login_failed", "logout", "logout_all", "token_refresh_reuse", "password_changed", "password_reset_requested", "password_reset", "email_verified", "mfa_enabled", "mfa_disabled", "mfa_recovery_used", "key_created", "key_updated", "key_revoked", "session_revoked", "client_authorized", "member_invited", "invitation_withdrawn", "member_joined", "member_removed", "role_changed", "organization_updated", "plan_changed", "webhook_created", "webhook_updated", "webhook_deleted", "webhook_disabled", "secret_rotated", "export_requested", "account_deleted", "account_restored", "account_suspended", "account_activated", "job_retried", "job_removed", "memory_forgotten", "anomaly_injected"] | Omit = OMIT,
        success: bool | Omit = OMIT,
        actor_email: str | Omit = OMIT,
        since: str | datetime | Omit = OMIT,
        until: str | datetime | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.AuditEntry]:
        """What was done, by whom, from where, page after page as they are asked for.

        Newest first. Organization admins see the organization’s entries and their own, everybody else their
        own. page × limit is at most 10,000; since and until lead further.

        Needs a user’s access token; API keys are refused.

        Args:
            success: Only what succeeded, or what did not.
            actor_email: Exactly this one, in any case.
            since: Nothing earlier.
            until: Only what is earlier.
        """
        return self._calls.pages(op.READ_AUDIT_LOG, (), given(page=page, limit=limit, action=action, success=success, actor_email=actor_email, since=since, until=until), options, "entries")

    def sessions(
        self,
        **options: Unpack[CallOptions],
    ) -> builtins.list[t.Session]:
        """Where the user is signed in.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.LIST_SESSIONS, (), {}, options)

    def revoke_session(
        self,
        session_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Sign a session out.

        Its access and refresh tokens are refused at once.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.REVOKE_SESSION, (session_id,), {}, options)


class ApiKeys:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        **options: Unpack[CallOptions],
    ) -> builtins.list[t.ApiKey]:
        """List API keys.

        Keys that are not revoked, oldest first; expired ones among them. For every member.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.LIST_API_KEYS, (), {}, options)

    def create(
        self,
        *,
        name: str,
        environment: Literal["live", "test"] | Omit = OMIT,
        scopes: Sequence[Literal["memory:read", "memory:write", "usage:read", "notifications:read", "notifications:write", "webhooks:read", "webhooks:write", "ops:run"]] | None | Omit = OMIT,
        expires_at: str | datetime | None | Omit = OMIT,
        subject: str | Nobody | Omit = OMIT,
        shared: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.CreatedApiKey:
        """Create an API key.

        The value of the key is in this answer and nowhere else. For administrators.

        Needs a user’s access token; API keys are refused.

        Args:
            scopes: null: full access. An empty list grants nothing. `memory:write` includes what a change
                answers: the pattern as it is then, or the ids of what went.
            expires_at: From this moment the key is refused; null never. Must be in the future.
            subject: Binds the key to an end user: it stores, finds, changes and removes patterns of this
                subject alone, and opens nothing of the space or the organization as a whole. It stays so, and
                its scopes are `memory:read` and `memory:write` at most.
            shared: With a subject: the key also reads patterns of no subject, and changes none of them.
        """
        return self._calls.call(op.CREATE_API_KEY, (), given(name=name, environment=environment, scopes=scopes, expires_at=expires_at, subject=subject, shared=shared), options)

    def update(
        self,
        key_id: str,
        *,
        name: str | None | Omit = OMIT,
        scopes: Sequence[Literal["memory:read", "memory:write", "usage:read", "notifications:read", "notifications:write", "webhooks:read", "webhooks:write", "ops:run"]] | None | Omit = OMIT,
        expires_at: str | datetime | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ApiKey:
        """Change an API key.

        Fields that are absent stay. What changes holds for every request from the answer on. For
        administrators.

        Needs a user’s access token; API keys are refused.

        Args:
            name: null: stays.
            scopes: null: full access. An empty list grants nothing. `memory:write` includes what a change
                answers: the pattern as it is then, or the ids of what went.
            expires_at: From this moment the key is refused; null never. Must be in the future.
        """
        return self._calls.call(op.CHANGE_API_KEY, (key_id,), given(name=name, scopes=scopes, expires_at=expires_at), options)

    def revoke(
        self,
        key_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Revoke an API key.

        From the answer on, requests with the key are refused. For administrators.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.REVOKE_API_KEY, (key_id,), {}, options)


class Organizations:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.ListOrganizationsResponse:
        """List your organizations.

        Those that the caller is a member of, oldest membership first.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.LIST_ORGANIZATIONS, (), {}, options)

    def get(
        self,
        org_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Organization:
        """Read an organization.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.GET_ORGANIZATION, (org_id,), {}, options)

    def update(
        self,
        org_id: str,
        *,
        name: str | None | Omit = OMIT,
        subject_limits: t.ChangeOrganizationSubjectLimits | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Organization:
        """Change an organization.

        For administrators.

        Needs a user’s access token; API keys are refused.

        Args:
            name: null: stays.
            subject_limits: What each subject may have and ask. What is absent stays; null ends a limit.
        """
        return self._calls.call(op.CHANGE_ORGANIZATION, (org_id,), given(name=name, subject_limits=subject_limits), options)

    def members(
        self,
        org_id: str,
        **options: Unpack[CallOptions],
    ) -> t.ListMembersResponse:
        """List members.

        Oldest membership first. For every member.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.LIST_MEMBERS, (org_id,), {}, options)

    def update_member(
        self,
        org_id: str,
        user_id: str,
        *,
        role: Literal["owner", "admin", "member"],
        **options: Unpack[CallOptions],
    ) -> t.Member:
        """Change a member’s role.

        For administrators; who becomes an owner or ceases to be one is for owners to say.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.CHANGE_MEMBER, (org_id, user_id,), given(role=role), options)

    def remove_member(
        self,
        org_id: str,
        user_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Remove a member, or leave.

        For administrators, and for every member on themselves. Owners are removed by owners. The last owner
        stays. Whoever is a member of no other organization keeps the account, which then opens no memory until
        somebody invites them.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.REMOVE_MEMBER, (org_id, user_id,), {}, options)

    def invitations(
        self,
        org_id: str,
        **options: Unpack[CallOptions],
    ) -> t.ListInvitationsResponse:
        """List pending invitations.

        Those that can still be accepted, oldest first. For administrators.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.LIST_INVITATIONS, (org_id,), {}, options)

    def invite(
        self,
        org_id: str,
        *,
        email: str,
        role: Literal["owner", "admin", "member"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Invitation:
        """Invite somebody.

        Mails a link that works once, for 7 days. Inviting an address again takes the place of its earlier
        invitation. For administrators; owners are invited by owners.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.INVITE, (org_id,), given(email=email, role=role), options)

    def withdraw_invitation(
        self,
        org_id: str,
        invitation_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Withdraw an invitation.

        Its link works no longer. For administrators.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.WITHDRAW_INVITATION, (org_id, invitation_id,), {}, options)

    def accept_invitation(
        self,
        *,
        token: str,
        **options: Unpack[CallOptions],
    ) -> t.AcceptInvitationResponse:
        """Accept an invitation.

        With the token of the link, by the user whose email address was invited.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.ACCEPT_INVITATION, (), given(token=token), options)

    def api_keys(
        self,
        org_id: str,
        **options: Unpack[CallOptions],
    ) -> builtins.list[t.ApiKey]:
        """List API keys.

        Keys that are not revoked, oldest first; expired ones among them. For every member.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.LIST_ORGANIZATION_API_KEYS, (org_id,), {}, options)

    def create_api_key(
        self,
        org_id: str,
        *,
        name: str,
        environment: Literal["live", "test"] | Omit = OMIT,
        scopes: Sequence[Literal["memory:read", "memory:write", "usage:read", "notifications:read", "notifications:write", "webhooks:read", "webhooks:write", "ops:run"]] | None | Omit = OMIT,
        expires_at: str | datetime | None | Omit = OMIT,
        subject: str | Nobody | Omit = OMIT,
        shared: bool | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.CreatedApiKey:
        """Create an API key.

        The value of the key is in this answer and nowhere else. For administrators.

        Needs a user’s access token; API keys are refused.

        Args:
            scopes: null: full access. An empty list grants nothing. `memory:write` includes what a change
                answers: the pattern as it is then, or the ids of what went.
            expires_at: From this moment the key is refused; null never. Must be in the future.
            subject: Binds the key to an end user: it stores, finds, changes and removes patterns of this
                subject alone, and opens nothing of the space or the organization as a whole. It stays so, and
                its scopes are `memory:read` and `memory:write` at most.
            shared: With a subject: the key also reads patterns of no subject, and changes none of them.
        """
        return self._calls.call(op.CREATE_ORGANIZATION_API_KEY, (org_id,), given(name=name, environment=environment, scopes=scopes, expires_at=expires_at, subject=subject, shared=shared), options)

    def update_api_key(
        self,
        org_id: str,
        key_id: str,
        *,
        name: str | None | Omit = OMIT,
        scopes: Sequence[Literal["memory:read", "memory:write", "usage:read", "notifications:read", "notifications:write", "webhooks:read", "webhooks:write", "ops:run"]] | None | Omit = OMIT,
        expires_at: str | datetime | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.ApiKey:
        """Change an API key.

        Fields that are absent stay. What changes holds for every request from the answer on. For
        administrators.

        Needs a user’s access token; API keys are refused.

        Args:
            name: null: stays.
            scopes: null: full access. An empty list grants nothing. `memory:write` includes what a change
                answers: the pattern as it is then, or the ids of what went.
            expires_at: From this moment the key is refused; null never. Must be in the future.
        """
        return self._calls.call(op.CHANGE_ORGANIZATION_API_KEY, (org_id, key_id,), given(name=name, scopes=scopes, expires_at=expires_at), options)

    def revoke_api_key(
        self,
        org_id: str,
        key_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Revoke an API key.

        From the answer on, requests with the key are refused. For administrators.

        Needs a user’s access token; API keys are refused.
        """
        return self._calls.call(op.REVOKE_ORGANIZATION_API_KEY, (org_id, key_id,), {}, options)


class Usage:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def summary(
        self,
        **options: Unpack[CallOptions],
    ) -> t.UsageSummary:
        """What the space has used this month.

        Requests under /v1/memory that succeeded. Those that ended in an error count nothing, as they count no
        query.

        An API key needs the scope `usage:read`.
        """
        return self._calls.call(op.SUMMARIZE_USAGE, (), {}, options)

    def history(
        self,
        *,
        period: Literal["7d", "30d", "90d", "365d"] | Omit = OMIT,
        granularity: Literal["hourly", "daily", "weekly"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.UsageHistory:
        """How the use of the space developed.

        Every point is there, whether anything happened or not; the last one has begun. Weeks begin on Monday,
        and the first counts from the period’s first day. Hours are kept for eight days: of a day before that
        the first hour has all.

        An API key needs the scope `usage:read`.
        """
        return self._calls.call(op.READ_USAGE_HISTORY, (), given(period=period, granularity=granularity), options)

    def latency(
        self,
        *,
        period: Literal["1h", "6h", "24h", "7d"] | Omit = OMIT,
        operation: Literal["store", "retrieve", "recall", "explain", "consolidate"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.UsageLatency:
        """How long the space’s requests took.

        From the arrival of a request to the sending of its answer, for requests that succeeded. Accurate to 2
        %; 0 where there were none. The period reaches back to a multiple of five minutes, seven days to a full
        hour.

        An API key needs the scope `usage:read`.
        """
        return self._calls.call(op.READ_LATENCIES, (), given(period=period, operation=operation), options)

    def breakdown(
        self,
        *,
        by: Literal["operation", "key", "subject"] | Omit = OMIT,
        since: str | datetime | Omit = OMIT,
        until: str | datetime | Omit = OMIT,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.UsageBreakdown:
        """What the space’s use is made of.

        By operation and by key: requests as the summary counts them, most first. By subject: patterns that are
        there now, in the order of the subjects’ names, and how many of them were stored within the time; that
        also takes the scope `memory:read`. Requests are kept by the hour, and by the day once they are eight
        days old: `since` and `until` are rounded down to such an hour or day, and the answer has them so. Times
        that follow on each other, asked at one time, count nothing twice; one that begins and ends in the same
        hour or day is empty.

        An API key needs the scope `usage:read`.

        Args:
            since: The beginning of this month unless said.
            until: No longer of it; unless said, all up to now, with the hour that has begun.
            cursor: `next_cursor` of the page before.
        """
        return self._calls.call(op.BREAK_DOWN_USAGE, (), given(by=by, since=since, until=until, cursor=cursor, limit=limit), options)

    def all_of_breakdown(
        self,
        *,
        by: Literal["operation", "key", "subject"] | Omit = OMIT,
        since: str | datetime | Omit = OMIT,
        until: str | datetime | Omit = OMIT,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.UsageShare]:
        """What the space’s use is made of, page after page as they are asked for.

        By operation and by key: requests as the summary counts them, most first. By subject: patterns that are
        there now, in the order of the subjects’ names, and how many of them were stored within the time; that
        also takes the scope `memory:read`. Requests are kept by the hour, and by the day once they are eight
        days old: `since` and `until` are rounded down to such an hour or day, and the answer has them so. Times
        that follow on each other, asked at one time, count nothing twice; one that begins and ends in the same
        hour or day is empty.

        An API key needs the scope `usage:read`.

        Args:
            since: The beginning of this month unless said.
            until: No longer of it; unless said, all up to now, with the hour that has begun.
            cursor: `next_cursor` of the page before.
        """
        return self._calls.pages(op.BREAK_DOWN_USAGE, (), given(by=by, since=since, until=until, cursor=cursor, limit=limit), options, "items")

    def organization(
        self,
        org_id: str,
        **options: Unpack[CallOptions],
    ) -> t.OrganizationUsage:
        """What an organization has used this month.

        Both spaces, live and test. For API keys of the organization, and for its administrators.

        An API key needs the scope `usage:read`.
        """
        return self._calls.call(op.READ_ORGANIZATION_USAGE, (org_id,), {}, options)


class Notifications:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        unread_only: bool | Omit = OMIT,
        page: int | Omit = OMIT,
        per_page: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Notifications:
        """What the organization was told.

        Newest first. Keys and members see the same list. Kept for 180 days.

        An API key needs the scope `notifications:read`.
        """
        return self._calls.call(op.LIST_NOTIFICATIONS, (), given(unread_only=unread_only, page=page, per_page=per_page), options)

    def all(
        self,
        *,
        unread_only: bool | Omit = OMIT,
        page: int | Omit = OMIT,
        per_page: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.Notification]:
        """What the organization was told, page after page as they are asked for.

        Newest first. Keys and members see the same list. Kept for 180 days.

        An API key needs the scope `notifications:read`.
        """
        return self._calls.pages(op.LIST_NOTIFICATIONS, (), given(unread_only=unread_only, page=page, per_page=per_page), options, "data")

    def stream(
        self,
        *,
        last_event_id: str | None = None,
        max_seconds: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Generator[NotificationEvent, None, None]:
        """Be told of notifications as they come.

        An iterator without an end, which connects again by itself, goes on after the last event that it has
        told, and raises what connecting again does not help. Leaving its loop closes the connection when nobody
        holds it any more, its method `close` (`aclose` of an asynchronous one) at once.

        An API key needs the scope `notifications:read`.

        Args:
            last_event_id: The `id` of the last event that is known: all after it are told. Without it what
                comes from now on is.
            max_seconds: It ends after so long, and does not connect again: for programs that look in now and
                then.
            timeout: After so many seconds of silence it connects again. The service says something every ten
                seconds; 45 unless given.
            max_retries: How often in a row it tries to connect; without end unless given.
        """
        return self._calls.events(op.STREAM_NOTIFICATIONS, given(max_seconds=max_seconds), options, last_event_id)

    def read(
        self,
        notification_id: str,
        **options: Unpack[CallOptions],
    ) -> t.NotificationRead:
        """Mark a notification as read.

        `read_at` stays when it was read before.

        An API key needs the scope `notifications:write`.
        """
        return self._calls.call(op.READ_NOTIFICATION, (notification_id,), {}, options)

    def read_all(
        self,
        **options: Unpack[CallOptions],
    ) -> t.NotificationsRead:
        """Mark every notification as read.

        An API key needs the scope `notifications:write`.
        """
        return self._calls.call(op.READ_ALL_NOTIFICATIONS, (), {}, options)

    def delete(
        self,
        notification_id: str,
        **options: Unpack[CallOptions],
    ) -> t.NotificationDeleted:
        """Delete a notification.

        An API key needs the scope `notifications:write`.
        """
        return self._calls.call(op.DELETE_NOTIFICATION, (notification_id,), {}, options)

    def delete_read(
        self,
        **options: Unpack[CallOptions],
    ) -> t.NotificationsDeleted:
        """Delete the notifications that were read.

        An API key needs the scope `notifications:write`.
        """
        return self._calls.call(op.DELETE_READ_NOTIFICATIONS, (), {}, options)


class Webhooks:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Webhooks:
        """List the webhooks.

        Oldest first.

        An API key needs the scope `webhooks:read`.
        """
        return self._calls.call(op.LIST_WEBHOOKS, (), {}, options)

    def create(
        self,
        *,
        url: str,
        event_types: Sequence[Literal["memory.regime_changed", "memory.consolidation_completed", "memory.pattern_limit_warning", "memory.pattern_limit_reached", "billing.payment_failed", "account.key_expiring", "organization.member_joined", "account.export_ready"]] | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.WebhookWithSecret:
        """Register a receiver of events.

        Events are sent as Standard Webhooks have it (`webhook-id`, `webhook-timestamp`, `webhook-signature`):
        {id, type, timestamp, organization_id, environment, data}. At least once: after anything but 2xx within
        15 seconds again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, or later where `Retry-After`
        says so; then the webhook is disabled. An organization has at most 20. Users must be administrators.

        An API key needs the scope `webhooks:write`.

        Args:
            url: https, without credentials, and leading to public addresses only, now and at every attempt
                (WEBHOOK_ALLOW_CIDRS opens others). A host that does not resolve now is accepted.
            event_types: null: all.
        """
        return self._calls.call(op.CREATE_WEBHOOK, (), given(url=url, event_types=event_types, description=description), options)

    def get(
        self,
        webhook_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Webhook:
        """Read a webhook.

        An API key needs the scope `webhooks:read`.
        """
        return self._calls.call(op.GET_WEBHOOK, (webhook_id,), {}, options)

    def update(
        self,
        webhook_id: str,
        *,
        url: str | Omit = OMIT,
        event_types: Sequence[Literal["memory.regime_changed", "memory.consolidation_completed", "memory.pattern_limit_warning", "memory.pattern_limit_reached", "billing.payment_failed", "account.key_expiring", "organization.member_joined", "account.export_ready"]] | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        status: Literal["active", "disabled"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Webhook:
        """Change a webhook.

        Fields that are absent stay. Disabling gives up what has not been delivered; events that happen while it
        is disabled are not sent later. Users must be administrators.

        An API key needs the scope `webhooks:write`.

        Args:
            url: https, without credentials, and leading to public addresses only, now and at every attempt
                (WEBHOOK_ALLOW_CIDRS opens others). A host that does not resolve now is accepted.
            event_types: null: all.
        """
        return self._calls.call(op.CHANGE_WEBHOOK, (webhook_id,), given(url=url, event_types=event_types, description=description, status=status), options)

    def delete(
        self,
        webhook_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Delete a webhook with its deliveries.

        An API key needs the scope `webhooks:write`.
        """
        return self._calls.call(op.DELETE_WEBHOOK, (webhook_id,), {}, options)

    def rotate_secret(
        self,
        webhook_id: str,
        **options: Unpack[CallOptions],
    ) -> t.WebhookWithSecret:
        """Replace the secret.

        For 24 hours what is sent is signed with both secrets; then with the new one. Rotated again within that
        time, the first one signs no more. Users must be administrators.

        An API key needs the scope `webhooks:write`.
        """
        return self._calls.call(op.ROTATE_WEBHOOK_SECRET, (webhook_id,), {}, options)

    def test(
        self,
        webhook_id: str,
        **options: Unpack[CallOptions],
    ) -> t.WebhookDelivery:
        """Send a test event.

        Sends `webhook.test`, whatever the webhook’s event types are, once; how it went is among the deliveries.
        Users must be administrators.

        An API key needs the scope `webhooks:write`.
        """
        return self._calls.call(op.TEST_WEBHOOK, (webhook_id,), {}, options)

    def deliveries(
        self,
        webhook_id: str,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        status: Literal["pending", "delivered", "failed"] | Omit = OMIT,
        event_type: Literal["memory.regime_changed", "memory.consolidation_completed", "memory.pattern_limit_warning", "memory.pattern_limit_reached", "billing.payment_failed", "account.key_expiring", "organization.member_joined", "account.export_ready", "webhook.test"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.WebhookDeliveries:
        """List what was sent, and what will be.

        Newest first. Finished ones are kept for 30 days.

        An API key needs the scope `webhooks:read`.
        """
        return self._calls.call(op.LIST_WEBHOOK_DELIVERIES, (webhook_id,), given(cursor=cursor, limit=limit, status=status, event_type=event_type), options)

    def all_deliveries(
        self,
        webhook_id: str,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        status: Literal["pending", "delivered", "failed"] | Omit = OMIT,
        event_type: Literal["memory.regime_changed", "memory.consolidation_completed", "memory.pattern_limit_warning", "memory.pattern_limit_reached", "billing.payment_failed", "account.key_expiring", "organization.member_joined", "account.export_ready", "webhook.test"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.WebhookDelivery]:
        """List what was sent, and what will be, page after page as they are asked for.

        Newest first. Finished ones are kept for 30 days.

        An API key needs the scope `webhooks:read`.
        """
        return self._calls.pages(op.LIST_WEBHOOK_DELIVERIES, (webhook_id,), given(cursor=cursor, limit=limit, status=status, event_type=event_type), options, "deliveries")

    def delivery(
        self,
        webhook_id: str,
        delivery_id: str,
        **options: Unpack[CallOptions],
    ) -> t.WebhookDeliveryDetails:
        """Read a delivery with the attempts at it.

        What a receiver answered is as it came: text of a stranger.

        An API key needs the scope `webhooks:read`.
        """
        return self._calls.call(op.GET_WEBHOOK_DELIVERY, (webhook_id, delivery_id,), {}, options)

    def redeliver(
        self,
        webhook_id: str,
        delivery_id: str,
        **options: Unpack[CallOptions],
    ) -> t.WebhookDelivery:
        """Send a delivery again.

        At once, with the same `webhook-id` and body. One that was finished begins its attempts anew. Users must
        be administrators.

        An API key needs the scope `webhooks:write`.
        """
        return self._calls.call(op.REDELIVER_WEBHOOK, (webhook_id, delivery_id,), {}, options)


class Admin:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def plans(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Plans:
        """The plans and what they allow.

        Cheapest first. They are the same in every installation of a release.

        Needs the access token of a platform admin.
        """
        return self._calls.call(op.LIST_PLANS, (), {}, options)

    def organizations(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        search: str | Omit = OMIT,
        plan: Literal["free", "starter", "pro", "scale", "enterprise"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.AdministeredOrganizations:
        """All organizations.

        Newest first, the deleted ones until they are erased. What they hold is that of their live and test
        spaces together.

        Needs the access token of a platform admin.

        Args:
            cursor: `next_cursor` of the page before.
            search: Part of the name, or the whole id.
        """
        return self._calls.call(op.LIST_ALL_ORGANIZATIONS, (), given(cursor=cursor, limit=limit, search=search, plan=plan), options)

    def all_organizations(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        search: str | Omit = OMIT,
        plan: Literal["free", "starter", "pro", "scale", "enterprise"] | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.AdministeredOrganization]:
        """All organizations, page after page as they are asked for.

        Newest first, the deleted ones until they are erased. What they hold is that of their live and test
        spaces together.

        Needs the access token of a platform admin.

        Args:
            cursor: `next_cursor` of the page before.
            search: Part of the name, or the whole id.
        """
        return self._calls.pages(op.LIST_ALL_ORGANIZATIONS, (), given(cursor=cursor, limit=limit, search=search, plan=plan), options, "organizations")

    def users(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        search: str | Omit = OMIT,
        status: Literal["active", "suspended", "deleted"] | Omit = OMIT,
        organization_id: str | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.AdministeredUsers:
        """All users.

        Newest first, the deleted ones until they are erased.

        Needs the access token of a platform admin.

        Args:
            cursor: `next_cursor` of the page before.
            search: Part of the address or of the name, or the whole id.
            organization_id: Members of this one only.
        """
        return self._calls.call(op.LIST_ALL_USERS, (), given(cursor=cursor, limit=limit, search=search, status=status, organization_id=organization_id), options)

    def all_users(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        search: str | Omit = OMIT,
        status: Literal["active", "suspended", "deleted"] | Omit = OMIT,
        organization_id: str | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.AdministeredUser]:
        """All users, page after page as they are asked for.

        Newest first, the deleted ones until they are erased.

        Needs the access token of a platform admin.

        Args:
            cursor: `next_cursor` of the page before.
            search: Part of the address or of the name, or the whole id.
            organization_id: Members of this one only.
        """
        return self._calls.pages(op.LIST_ALL_USERS, (), given(cursor=cursor, limit=limit, search=search, status=status, organization_id=organization_id), options, "users")

    def get_user(
        self,
        user_id: str,
        **options: Unpack[CallOptions],
    ) -> t.AdministeredUserDetails:
        """Read a user.

        Needs the access token of a platform admin.
        """
        return self._calls.call(op.GET_ANY_USER, (user_id,), {}, options)

    def suspend_user(
        self,
        user_id: str,
        *,
        reason: str | None | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Suspend a user.

        Refuses the user’s access tokens and sign-in until the account is activated. API keys of organizations
        go on. Of a suspended account nothing changes.

        Needs the access token of a platform admin.

        Args:
            reason: Stands in the audit log, which the user can read.
        """
        return self._calls.call(op.SUSPEND_USER, (user_id,), given(reason=reason), options)

    def activate_user(
        self,
        user_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """End the suspension of a user.

        Of an active account nothing changes.

        Needs the access token of a platform admin.
        """
        return self._calls.call(op.ACTIVATE_USER, (user_id,), {}, options)

    def usage(
        self,
        *,
        days: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.TotalUsage:
        """What all organizations hold and ask.

        What is there now, without deleted organizations and users; and the requests under /v1/memory that
        succeeded by UTC day, oldest first. Each process counts its own every few seconds.

        Needs the access token of a platform admin.

        Args:
            days: The last of them is today.
        """
        return self._calls.call(op.READ_TOTAL_USAGE, (), given(days=days), options)

    def change_plan(
        self,
        org_id: str,
        *,
        plan: Literal["free", "starter", "pro", "scale", "enterprise"],
        **options: Unpack[CallOptions],
    ) -> t.ChangePlanResponse:
        """Change an organization’s plan.

        A smaller plan keeps what is stored and refuses more of it.

        Needs the access token of a platform admin.
        """
        return self._calls.call(op.CHANGE_PLAN, (org_id,), given(plan=plan), options)

    def restore_user(
        self,
        user_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Restore a deleted account.

        With the organizations that were deleted together with it, and their API keys. Its sessions stay ended.
        Within 30 days of the deletion; later the account is not found.

        Needs the access token of a platform admin.
        """
        return self._calls.call(op.RESTORE_ACCOUNT, (user_id,), {}, options)

    def health(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Health:
        """How the process that answers is.

        What runs, what it stands on, and what it has measured. Where several processes answer, it is of one of
        them; `/metrics` of each has more.

        Needs the access token of a platform admin.
        """
        return self._calls.call(op.READ_HEALTH, (), {}, options)

    def backups(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.BackupsFound:
        """The backups that lie on the service’s disk.

        What `npm run backup` has made in `MEMORY_BACKUP_DIR`, as the process that answers sees it, by name with
        the last first: names that have dates then have the newest first. Backups elsewhere are not known.

        Needs the access token of a platform admin.

        Args:
            cursor: `next_cursor` of the page before.
        """
        return self._calls.call(op.LIST_BACKUPS, (), given(cursor=cursor, limit=limit), options)

    def all_backups(
        self,
        *,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.BackupFound]:
        """The backups that lie on the service’s disk, page after page as they are asked for.

        What `npm run backup` has made in `MEMORY_BACKUP_DIR`, as the process that answers sees it, by name with
        the last first: names that have dates then have the newest first. Backups elsewhere are not known.

        Needs the access token of a platform admin.

        Args:
            cursor: `next_cursor` of the page before.
        """
        return self._calls.pages(op.LIST_BACKUPS, (), given(cursor=cursor, limit=limit), options, "backups")

    def receipts(
        self,
        *,
        organization_id: str | Omit = OMIT,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.AdministeredReceipts:
        """Receipts of what was erased of all organizations.

        Newest first, also those of organizations that are erased. They hold hashes and counts, neither texts
        nor ids of patterns.

        Needs the access token of a platform admin.

        Args:
            organization_id: Of this one only.
            cursor: `next_cursor` of the page before.
        """
        return self._calls.call(op.LIST_ALL_RECEIPTS, (), given(organization_id=organization_id, cursor=cursor, limit=limit), options)

    def all_receipts(
        self,
        *,
        organization_id: str | Omit = OMIT,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.AdministeredReceipt]:
        """Receipts of what was erased of all organizations, page after page as they are asked for.

        Newest first, also those of organizations that are erased. They hold hashes and counts, neither texts
        nor ids of patterns.

        Needs the access token of a platform admin.

        Args:
            organization_id: Of this one only.
            cursor: `next_cursor` of the page before.
        """
        return self._calls.pages(op.LIST_ALL_RECEIPTS, (), given(organization_id=organization_id, cursor=cursor, limit=limit), options, "receipts")

    def queues(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Queues:
        """The queues of background work.

        How many jobs each has in each state, of the finished only those that are kept: the last 100 that were
        completed, for a day, and the last 1,000 that failed, for 14 days.

        Needs the access token of a platform admin.
        """
        return self._calls.call(op.LIST_QUEUES, (), {}, options)

    def jobs(
        self,
        queue: str,
        *,
        state: Literal["waiting", "active", "delayed", "completed", "failed"] | Omit = OMIT,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> t.Jobs:
        """The jobs of a queue.

        Those in one state: what waits in its order, what is finished with the latest first. Jobs have ids, no
        texts. They move on while pages are read, so that one may come twice or not at all.

        Needs the access token of a platform admin.

        Args:
            cursor: `next_cursor` of the page before.
        """
        return self._calls.call(op.LIST_JOBS, (queue,), given(state=state, cursor=cursor, limit=limit), options)

    def all_jobs(
        self,
        queue: str,
        *,
        state: Literal["waiting", "active", "delayed", "completed", "failed"] | Omit = OMIT,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> Iterator[t.Job]:
        """The jobs of a queue, page after page as they are asked for.

        Those in one state: what waits in its order, what is finished with the latest first. Jobs have ids, no
        texts. They move on while pages are read, so that one may come twice or not at all.

        Needs the access token of a platform admin.

        Args:
            cursor: `next_cursor` of the page before.
        """
        return self._calls.pages(op.LIST_JOBS, (queue,), given(state=state, cursor=cursor, limit=limit), options, "jobs")

    def retry_job(
        self,
        queue: str,
        job_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Do a failed job once more.

        It waits again, and is tried as often as a new one. The audit log has it from before it is done; a
        second entry, with `success` false, says where it failed or nobody knows.

        Needs the access token of a platform admin.
        """
        return self._calls.call(op.RETRY_JOB, (queue, job_id,), {}, options)

    def remove_job(
        self,
        queue: str,
        job_id: str,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Remove a failed job.

        Of what is kept to be seen; what comes by itself goes on coming. The audit log has it as for a retry.

        Needs the access token of a platform admin.
        """
        return self._calls.call(op.REMOVE_JOB, (queue, job_id,), {}, options)

    def receive_billing_event(
        self,
        event: t.PaymentFailed | t.SubscriptionUpdated | t.SubscriptionDeleted,
        **options: Unpack[CallOptions],
    ) -> t.Message:
        """Receive an event of the payment provider.

        Signed as Standard Webhooks has it (`webhook-id`, `webhook-timestamp`, `webhook-signature`) with
        MEMORY_BILLING_SECRET; 404 where that is not set. Each `webhook-id` takes effect once. A change of the
        subscription that arrives after a later one is passed over, and so are other types of events.
        """
        return self._calls.call(op.RECEIVE_BILLING_EVENT, (), event, options)


class Service:
    __slots__ = ("_calls",)

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def health(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Liveness:
        """Whether the process is alive."""
        return self._calls.call(op.LIVENESS, (), {}, options)

    def ready(
        self,
        **options: Unpack[CallOptions],
    ) -> t.Readiness:
        """Whether the service can answer requests.

        503 while it starts, drains or has no database, and once another process was started with another
        encoder. `degraded`: requests are answered, but background work waits for the job queue, the database
        only reads (its disk is nearly full, or PostgreSQL is a standby or read-only), or `fsync` is off in
        PostgreSQL.
        """
        return self._calls.call(op.READINESS, (), {}, options)

    def signing_keys(
        self,
        **options: Unpack[CallOptions],
    ) -> t.SigningKeys:
        """The public keys that access tokens and receipts of erasures are signed with, as a JWK set.

        Whoever verifies access tokens on their own may keep this answer for as long as `Cache-Control` says.
        Keys of receipts stay in it for good; an access token names none of them.
        """
        return self._calls.call(op.LIST_SIGNING_KEYS, (), {}, options)


class Memory:
    """Every operation of the service, by what it is about: of a client, or of one for an end user."""

    def __init__(self, calls: SyncCalls) -> None:
        self.text: Text = Text(calls)
        self.vectors: Vectors = Vectors(calls)
        self.patterns: Patterns = Patterns(calls)
        self.subjects: Subjects = Subjects(calls)
        self.engine: Engine = Engine(calls)
        self.auth: Auth = Auth(calls)
        self.users: Users = Users(calls)
        self.security: Security = Security(calls)
        self.api_keys: ApiKeys = ApiKeys(calls)
        self.organizations: Organizations = Organizations(calls)
        self.usage: Usage = Usage(calls)
        self.notifications: Notifications = Notifications(calls)
        self.webhooks: Webhooks = Webhooks(calls)
        self.admin: Admin = Admin(calls)
        self.service: Service = Service(calls)
