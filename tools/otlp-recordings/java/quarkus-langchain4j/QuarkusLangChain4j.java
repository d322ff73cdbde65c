package recorded;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.UserMessage;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.quarkiverse.langchain4j.RegisterAiService;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.mutiny.Multi;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Quarkus LangChain4j. */
@QuarkusMain
public class QuarkusLangChain4j {
  @ApplicationScoped
  public static class Shelf {
    @Tool("Looks a word up.")
    public String lookup(String word) {
      return Recorded.OUTPUT;
    }
  }

  @RegisterAiService(tools = Shelf.class)
  public interface Helper {
    @SystemMessage("SECRET prompt")
    String ask(@MemoryId int conversation, @UserMessage String question);
  }

  @RegisterAiService(chatMemoryProviderSupplier = RegisterAiService.NoChatMemoryProviderSupplier.class)
  public interface Plain {
    String ask(@UserMessage String question);

    Multi<String> stream(@UserMessage String question);
  }

  public static class Program implements QuarkusApplication {
    @Inject Helper helper;
    @Inject Plain plain;
    @Inject OpenTelemetry telemetry;

    @Override
    @ActivateRequestContext
    public int run(String... names) throws Exception {
      Map<String, Recorded.Scenario> scenarios = Map.of(
          "agent_with_memory", () -> {
            helper.ask(1, "Q first");
            helper.ask(1, "Q TOOL second");
          },
          "instructed", () -> helper.ask(2, "Q instructed"),
          "plain", () -> plain.ask("Q plain"),
          "streamed", () -> plain.stream("Q streamed").collect().asList().await().indefinitely(),
          "tools_in_parallel", () -> helper.ask(3, "Q PARALLEL SAYING agent"));
      var provider = ((OpenTelemetrySdk) telemetry).getSdkTracerProvider();
      Recorded.run(names, scenarios, () -> provider.forceFlush().join(10, TimeUnit.SECONDS));
      return 0;
    }
  }

  public static void main(String... names) {
    Map<String, String> settings = Map.of(
        "quarkus.application.name", "support-bot",
        "quarkus.otel.exporter.otlp.endpoint", System.getenv("OTEL_EXPORTER_OTLP_ENDPOINT"),
        "quarkus.otel.exporter.otlp.protocol", "http/protobuf",
        "quarkus.otel.bsp.schedule.delay", "600s",
        "quarkus.langchain4j.openai.base-url", System.getenv("OPENAI_BASE_URL"),
        "quarkus.langchain4j.openai.api-key", "none",
        "quarkus.banner.enabled", "false");
    settings.forEach(System::setProperty);
    // docs: begin
    System.setProperty("quarkus.langchain4j.tracing.include-prompt", "true");
    System.setProperty("quarkus.langchain4j.tracing.include-completion", "true");
    // docs: end
    System.setProperty("quarkus.langchain4j.tracing.include-tool-arguments", "true");
    System.setProperty("quarkus.langchain4j.tracing.include-tool-result", "true");
    Quarkus.run(Program.class, names);
  }
}
