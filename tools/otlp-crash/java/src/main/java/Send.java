import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Exports batches of spans with the OTLP exporters of OpenTelemetry's Java SDK until standard input ends, and says what
 * became of each. See ../../../../README.md for what a batch is.
 */
public final class Send {
  private static final int PAUSE_MS = 500;
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final Resource RESOURCE = Resource.getDefault()
      .merge(Resource.builder().put("service.name", System.getenv("OTEL_SERVICE_NAME")).build());
  private static volatile boolean isOver;

  public static void main(String[] args) throws Exception {
    int marked = Integer.parseInt(System.getenv("MARKED"));
    List<Thread> lanes = new ArrayList<>();
    for (int n = 0; n < Integer.parseInt(System.getenv("LANES")); n++) {
      Thread lane = new Thread(() -> send(marked));
      lane.start();
      lanes.add(lane);
    }
    System.in.readAllBytes();
    isOver = true;
    for (Thread lane : lanes) lane.join();
  }

  private static void send(int marked) {
    try (SpanExporter exporter = open()) {
      while (!isOver) {
        int n = NEXT.getAndIncrement();
        List<SpanData> spans = batch(n, marked);
        var result = exporter.export(spans).join(60, TimeUnit.SECONDS);
        while (!result.isSuccess()) {
          System.out.println("failed " + n + " " + result.getFailureThrowable());
          TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
          result = exporter.export(spans).join(60, TimeUnit.SECONDS);
        }
        System.out.println("acknowledged " + n);
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The variables are those that the autoconfiguration reads. */
  private static SpanExporter open() {
    String endpoint = System.getenv("OTEL_EXPORTER_OTLP_ENDPOINT");
    String[] header = System.getenv("OTEL_EXPORTER_OTLP_HEADERS").split("=", 2);
    String value = URLDecoder.decode(header[1], StandardCharsets.UTF_8);
    String compression = System.getenv("OTEL_EXPORTER_OTLP_COMPRESSION");
    if (System.getenv("OTEL_EXPORTER_OTLP_PROTOCOL").equals("grpc"))
      return OtlpGrpcSpanExporter.builder()
          .setEndpoint(endpoint).addHeader(header[0], value).setCompression(compression).build();
    return OtlpHttpSpanExporter.builder()
        .setEndpoint(endpoint + "/v1/traces").addHeader(header[0], value).setCompression(compression).build();
  }

  private static List<SpanData> batch(int n, int marked) {
    List<SpanData> spans = new ArrayList<>();
    for (int m = 0; m < marked; m++) {
      String key = "answer-" + n + "-" + m;
      spans.add(span(n, m + 2, 1, 0, Attributes.builder()
          .put("service.audit.idempotency_key", key)
          .put("service.audit.question_text", "the question " + key)
          .put("service.audit.answer_text", "the answer " + key)));
    }
    spans.add(span(n, 1, 2, 1, call("chat", n)));
    if (n > 0) spans.add(span(n - 1, 1, 1, 0, call("invoke_agent", n - 1)));
    return spans;
  }

  private static AttributesBuilder call(String operation, int n) {
    String message = "[{\"role\":\"%s\",\"parts\":[{\"type\":\"text\",\"content\":\"%s %d\"}]}]";
    return Attributes.builder()
        .put("gen_ai.operation.name", operation)
        .put("gen_ai.input.messages", message.formatted("user", "the question", n))
        .put("gen_ai.output.messages", message.formatted("assistant", "the answer", n));
  }

  private static SpanData span(int n, int trace, int id, int parent, AttributesBuilder attributes) {
    long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    return TestSpanData.builder()
        .setName("span")
        .setKind(SpanKind.INTERNAL)
        .setStatus(StatusData.unset())
        .setHasEnded(true)
        .setStartEpochNanos(now)
        .setEndEpochNanos(now)
        .setSpanContext(context(n, trace, id))
        .setParentSpanContext(parent == 0 ? SpanContext.getInvalid() : context(n, trace, parent))
        .setAttributes(attributes.build())
        .setResource(RESOURCE)
        .build();
  }

  private static SpanContext context(int n, int trace, int id) {
    return SpanContext.create(
        "%016x%016x".formatted(n, trace), "%016x".formatted(id), TraceFlags.getSampled(), TraceState.getDefault());
  }
}
