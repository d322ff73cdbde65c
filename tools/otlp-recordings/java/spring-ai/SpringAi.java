package recorded;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.ObservationFilter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.observation.ChatModelObservationContext;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

@SpringBootApplication
public class SpringAi {
  static final String COLLECTOR = System.getenv("OTEL_EXPORTER_OTLP_ENDPOINT");
  static final String[] PROPERTIES = {
    "spring.ai.openai.api-key=none",
    "spring.ai.openai.base-url=" + System.getenv("OPENAI_BASE_URL"),
    "spring.ai.openai.chat.options.model=fake-model",
    "spring.ai.openai.chat.model=fake-model",
    "management.tracing.sampling.probability=1.0",
    "management.opentelemetry.tracing.export.otlp.endpoint=" + COLLECTOR + "/v1/traces",
    "management.opentelemetry.resource-attributes.service.name=support-bot",
    "management.otlp.metrics.export.enabled=false",
    "logging.level.root=warn",
    "spring.main.banner-mode=off",
  };

  static class Shelf {
    @Tool(name = "lookup", description = "Looks a word up.")
    String lookup(String word) {
      return Recorded.OUTPUT;
    }
  }

  // docs: begin
  /** Spring AI writes no contents into its spans; this filter adds them. */
  @Bean
  ObservationFilter contents(JsonMapper json) {
    Collector<CharSequence, ?, String> list = Collectors.joining(", ", "[", "]");
    return context -> {
      if (context instanceof ChatModelObservationContext chat && chat.getResponse() != null) {
        var asked = chat.getRequest().getInstructions().stream().map(message -> message.getText());
        var said = chat.getResponse().getResults().stream().map(result -> result.getOutput().getText());
        var prompt = asked.map(json::writeValueAsString).collect(list);
        var completion = said.map(json::writeValueAsString).collect(list);
        chat.addHighCardinalityKeyValue(KeyValue.of("gen_ai.prompt", prompt));
        chat.addHighCardinalityKeyValue(KeyValue.of("gen_ai.completion", completion));
      }
      return context;
    };
  }
  // docs: end

  public static void main(String[] names) throws Exception {
    var application = new SpringApplicationBuilder(SpringAi.class).web(WebApplicationType.NONE);
    var context = application.properties(PROPERTIES).run();
    var client = context.getBean(ChatClient.Builder.class).defaultSystem("SECRET prompt").build();
    var provider = context.getBean(SdkTracerProvider.class);
    Map<String, Recorded.Scenario> scenarios = Map.of(
        "conversation", () -> client.prompt()
            .messages(List.of(new UserMessage("Q first"), new AssistantMessage("A first"), new UserMessage("Q last")))
            .call().content(),
        "streamed", () -> client.prompt("Q streamed").stream().content().collectList().block(),
        "tool", () -> client.prompt("Q TOOL call").tools(new Shelf()).call().content());
    Recorded.run(names, scenarios, () -> provider.forceFlush().join(10, TimeUnit.SECONDS));
  }
}
