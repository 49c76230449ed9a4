// A collector with the receiver that everybody runs, which prints what it gets as lines of JSON.
package main

import (
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/receiver/receivertest"
)

var (
	lines sync.Mutex
	out   = json.NewEncoder(os.Stdout)
)

func say(line map[string]any) {
	lines.Lock()
	defer lines.Unlock()
	_ = out.Encode(line)
}

func each(resource pcommon.Resource, line map[string]any) {
	line["resource"] = resource.Attributes().AsRaw()
	say(line)
}

func takeTraces(_ context.Context, traces ptrace.Traces) error {
	for _, of := range traces.ResourceSpans().All() {
		for _, scope := range of.ScopeSpans().All() {
			for _, span := range scope.Spans().All() {
				each(of.Resource(), map[string]any{
					"span": span.Name(), "kind": span.Kind().String(), "status": span.Status().Code().String(),
					"trace": span.TraceID().String(), "id": span.SpanID().String(), "parent": span.ParentSpanID().String(),
					"attributes": span.Attributes().AsRaw(), "events": span.Events().Len(),
					"microseconds": span.EndTimestamp().AsTime().Sub(span.StartTimestamp().AsTime()).Microseconds(),
				})
			}
		}
	}
	return nil
}

func takeMetrics(_ context.Context, metrics pmetric.Metrics) error {
	for _, of := range metrics.ResourceMetrics().All() {
		for _, scope := range of.ScopeMetrics().All() {
			for _, metric := range scope.Metrics().All() {
				each(of.Resource(), map[string]any{"metric": metric.Name(), "type": metric.Type().String(), "points": points(metric)})
			}
		}
	}
	return nil
}

func points(metric pmetric.Metric) int {
	switch metric.Type() {
	case pmetric.MetricTypeGauge:
		return metric.Gauge().DataPoints().Len()
	case pmetric.MetricTypeSum:
		return metric.Sum().DataPoints().Len()
	case pmetric.MetricTypeHistogram:
		return metric.Histogram().DataPoints().Len()
	}
	return 0
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	factory := otlpreceiver.NewFactory()
	config := factory.CreateDefaultConfig()
	endpoint := map[string]any{"protocols": map[string]any{"http": map[string]any{"endpoint": os.Getenv("LISTEN")}}}
	if err := confmap.NewFromStringMap(endpoint).Unmarshal(config); err != nil {
		panic(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	settings := receivertest.NewNopSettings(factory.Type())
	traces := must(factory.CreateTraces(ctx, settings, config, must(consumer.NewTraces(takeTraces))))
	metrics := must(factory.CreateMetrics(ctx, settings, config, must(consumer.NewMetrics(takeMetrics))))
	for _, one := range []component.Component{traces, metrics} {
		if err := one.Start(ctx, componenttest.NewNopHost()); err != nil {
			panic(err)
		}
	}
	say(map[string]any{"ready": true})
	<-ctx.Done()
	_ = traces.Shutdown(context.Background())
}
