package recorded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.vectorstore.QuestionAnswerAdvisor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.observation.ChatModelObservationContext;
import org.springframework.ai.chat.prompt.PromptTemplate;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.vectorstore.SimpleVectorStore;
import org.springframework.ai.vectorstore.VectorStore;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class SpringAi1 {
  static final String COLLECTOR = System.getenv("OTEL_EXPORTER_OTLP_ENDPOINT");
  static final String[] PROPERTIES = {
    "spring.ai.openai.api-key=none",
    "spring.ai.openai.base-url=" + System.getenv("MODEL_URL"),
    "spring.ai.openai.chat.options.model=fake-model",
    "spring.ai.openai.chat.model=fake-model",
    "management.tracing.sampling.probability=1.0",
    "management.otlp.tracing.endpoint=" + COLLECTOR + "/v1/traces",
    "spring.application.name=support-bot",
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
  ObservationFilter contents(ObjectMapper json) {
    return context -> {
      if (context instanceof ChatModelObservationContext chat && chat.getResponse() != null) {
        var asked = chat.getRequest().getInstructions().stream().map(message -> message.getText());
        var said = chat.getResponse().getResults().stream().map(result -> result.getOutput().getText());
        try {
          var prompt = json.writeValueAsString(asked.toList());
          var completion = json.writeValueAsString(said.toList());
          chat.addHighCardinalityKeyValue(KeyValue.of("gen_ai.prompt", prompt));
          chat.addHighCardinalityKeyValue(KeyValue.of("gen_ai.completion", completion));
        } catch (JsonProcessingException impossible) {
          throw new IllegalStateException(impossible);
        }
      }
      return context;
    };
  }
  // docs: end

  @Bean
  VectorStore shelf(EmbeddingModel embeddings, ObservationRegistry registry) {
    return SimpleVectorStore.builder(embeddings).observationRegistry(registry).build();
  }

  public static void main(String[] names) throws Exception {
    var application = new SpringApplicationBuilder(SpringAi1.class).web(WebApplicationType.NONE);
    var context = application.properties(PROPERTIES).run();
    var client = context.getBean(ChatClient.Builder.class).defaultSystem("SECRET prompt").build();
    var provider = context.getBean(SdkTracerProvider.class);
    var shelf = context.getBean(VectorStore.class);
    var template = new PromptTemplate("Context:\n{question_answer_context}\n\nQuestion: {query}");
    var filling = QuestionAnswerAdvisor.builder(shelf).promptTemplate(template).build();
    Map<String, Recorded.Scenario> scenarios = Map.of(
        "conversation", () -> client.prompt()
            .messages(List.of(new UserMessage("Q first"), new AssistantMessage("A first"), new UserMessage("Q last")))
            .call().content(),
        "retrieval", () -> {
          shelf.add(List.of(new Document("DOCUMENT SECRET", Map.of("source", "returns.md"))));
          var advisor = QuestionAnswerAdvisor.builder(shelf).build();
          client.prompt("Q retrieval").advisors(advisor).call().content();
        },
        "retrieval_with_template", () -> {
          shelf.add(List.of(new Document("DOCUMENT SECRET", Map.of("source", "returns.md"))));
          client.prompt("Q template").advisors(filling).call().content();
        },
        "streamed", () -> client.prompt("Q streamed").stream().content().collectList().block(),
        "tool", () -> client.prompt("Q TOOL call").tools(new Shelf()).call().content());
    Recorded.run(names, scenarios, () -> provider.forceFlush().join(10, TimeUnit.SECONDS));
  }
}
