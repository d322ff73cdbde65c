// Exports batches of spans with the OTLP exporters of OpenTelemetry's Go SDK until standard input ends, and says what
// became of each. See ../README.md for what a batch is.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	api "go.opentelemetry.io/otel/trace"
)

const pause = 500 * time.Millisecond

func main() {
	marked := number("MARKED")
	var isOver atomic.Bool
	go func() {
		_, _ = io.Copy(io.Discard, bufio.NewReader(os.Stdin))
		isOver.Store(true)
	}()
	var next atomic.Int64
	var done sync.WaitGroup
	for range number("LANES") {
		done.Go(func() {
			exporter := open()
			for !isOver.Load() {
				n := int(next.Add(1) - 1)
				export(exporter, n, marked)
				time.Sleep(pause)
			}
		})
	}
	done.Wait()
}

func number(name string) int {
	value, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		panic(err)
	}
	return value
}

// open makes an exporter as an application does: everything is in its variables.
func open() *otlptrace.Exporter {
	var exporter *otlptrace.Exporter
	var err error
	if os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc" {
		exporter, err = otlptracegrpc.New(context.Background())
	} else {
		exporter, err = otlptracehttp.New(context.Background())
	}
	if err != nil {
		panic(err)
	}
	return exporter
}

// export sends a batch until it is acknowledged: the exporter retries first, then it is exported again.
func export(exporter *otlptrace.Exporter, n, marked int) {
	spans := batch(n, marked)
	for {
		err := exporter.ExportSpans(context.Background(), spans)
		if err == nil {
			fmt.Printf("acknowledged %d\n", n)
			return
		}
		fmt.Printf("failed %d %s\n", n, strings.ReplaceAll(err.Error(), "\n", " "))
		time.Sleep(pause)
	}
}

func batch(n, marked int) []trace.ReadOnlySpan {
	stubs := tracetest.SpanStubs{}
	for m := range marked {
		key := fmt.Sprintf("answer-%d-%d", n, m)
		stubs = append(stubs, span(n, m+2, 1, 0,
			attribute.String("service.audit.idempotency_key", key),
			attribute.String("service.audit.question_text", "the question "+key),
			attribute.String("service.audit.answer_text", "the answer "+key)))
	}
	stubs = append(stubs, span(n, 1, 2, 1, call("chat", n)...))
	if n > 0 {
		stubs = append(stubs, span(n-1, 1, 1, 0, call("invoke_agent", n-1)...))
	}
	return stubs.Snapshots()
}

func call(operation string, n int) []attribute.KeyValue {
	message := func(role, text string) string {
		return fmt.Sprintf(`[{"role":"%s","parts":[{"type":"text","content":"%s %d"}]}]`, role, text, n)
	}
	return []attribute.KeyValue{
		attribute.String("gen_ai.operation.name", operation),
		attribute.String("gen_ai.input.messages", message("user", "the question")),
		attribute.String("gen_ai.output.messages", message("assistant", "the answer")),
	}
}

func span(n, trace, id, parent int, attributes ...attribute.KeyValue) tracetest.SpanStub {
	context := func(id int) api.SpanContext {
		config := api.SpanContextConfig{TraceFlags: api.FlagsSampled}
		binary.BigEndian.PutUint64(config.TraceID[:8], uint64(n))
		binary.BigEndian.PutUint64(config.TraceID[8:], uint64(trace))
		binary.BigEndian.PutUint64(config.SpanID[:], uint64(id))
		return api.NewSpanContext(config)
	}
	stub := tracetest.SpanStub{
		Name:        "span",
		SpanContext: context(id),
		StartTime:   time.Now(),
		EndTime:     time.Now(),
		Attributes:  attributes,
		Resource:    resource.Default(),
	}
	if parent != 0 {
		stub.Parent = context(parent)
	}
	return stub
}
