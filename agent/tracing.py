"""Traces for OpenTelemetry, by OpenInference's conventions: which steps a question took, how long, what a model was
asked. Opt-in (`HYBRIDRAG_TRACES_URL`, the extra `tracing`); what was asked and found is not in them unless wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from agent.settings import SettingsError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

SECONDS = 5.0
"""Longest that handing spans over may take, at the end of the program too."""
SHOWN = ("openinference.span.kind", "tool.name", "llm.model_name", "llm.token_count.")
"""Attributes that tell nothing of documents and questions, by name or by its beginning: all others stay here."""


@cache
def start_tracing(url: str, content: bool) -> TracerProvider:
    """Send each step of every question of this process to the OTLP/HTTP collector at `url`, from now on; the first call
    decides. `content`: with questions, evidence, prompts and answers. SettingsError without the extra."""
    try:
        from openinference.instrumentation import TraceConfig
        from openinference.instrumentation.langchain import LangChainInstrumentor
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
        from opentelemetry.trace import Status
    except ModuleNotFoundError as error:
        raise SettingsError(
            "HYBRIDRAG_TRACES_URL needs the extra 'tracing': pip install 'hybridrag[tracing]'."
        ) from error

    class WithoutContent(OTLPSpanExporter):
        """Hands over spans with the attributes that are `SHOWN`, and of an error no more than that there was one."""

        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            return super().export([shown(span) for span in spans])

    def shown(span: ReadableSpan) -> ReadableSpan:
        return ReadableSpan(
            name=span.name,
            context=span.context,
            parent=span.parent,
            resource=span.resource,
            attributes={name: it for name, it in (span.attributes or {}).items() if name.startswith(SHOWN)},
            kind=span.kind,
            status=Status(span.status.status_code),
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
        )

    provider = TracerProvider(resource=Resource.create({"service.name": "hybridrag"}))
    exporter = (OTLPSpanExporter if content else WithoutContent)(endpoint=url, timeout=SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    config = TraceConfig(hide_inputs=not content, hide_outputs=not content)
    LangChainInstrumentor().instrument(tracer_provider=provider, config=config)
    return provider
