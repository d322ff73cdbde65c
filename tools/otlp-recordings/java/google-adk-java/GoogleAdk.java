package recorded;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.agents.RunConfig.StreamingMode;
import com.google.adk.agents.SequentialAgent;
import com.google.adk.models.Gemini;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.tools.Annotations.Schema;
import com.google.adk.tools.FunctionTool;
import com.google.genai.Client;
import com.google.genai.types.Content;
import com.google.genai.types.HttpOptions;
import com.google.genai.types.Part;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Google's Agent Development Kit for Java. */
public final class GoogleAdk {
  private static final String OWNER = "1";

  private GoogleAdk() {}

  /** The tool. */
  public static Map<String, Object> lookup(@Schema(name = "word", description = "The word.") String word) {
    return Map.of("result", Recorded.OUTPUT);
  }

  private static LlmAgent.Builder agent(String name) {
    HttpOptions options = HttpOptions.builder().baseUrl(System.getenv("MODEL_URL")).build();
    Client client = Client.builder().apiKey("none").httpOptions(options).build();
    return LlmAgent.builder().name(name).model(new Gemini("gemini-2.0-flash", client)).instruction("SECRET prompt");
  }

  private static void ask(BaseAgent agent, StreamingMode mode, String... questions) {
    InMemoryRunner runner = new InMemoryRunner(agent, "support-bot");
    String session = runner.sessionService().createSession("support-bot", OWNER).blockingGet().id();
    RunConfig config = RunConfig.builder().streamingMode(mode).build();
    for (String question : questions) {
      Content message = Content.fromParts(Part.fromText(question)).toBuilder().role("user").build();
      runner.runAsync(OWNER, session, message, config).blockingSubscribe();
    }
  }

  public static void main(String[] names) throws Exception {
    // docs: begin
    OpenTelemetrySdk telemetry = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    // docs: end
    LlmAgent helper = agent("helper").tools(FunctionTool.create(GoogleAdk.class, "lookup")).build();
    BaseAgent[] drafters = {agent("draft").build(), agent("check").build()};
    BaseAgent both = SequentialAgent.builder().name("both").subAgents(drafters).build();
    Map<String, Recorded.Scenario> scenarios = Map.of(
        "agent_of_text", () -> ask(helper, StreamingMode.NONE, "Q agent"),
        "agent_with_memory", () -> ask(helper, StreamingMode.NONE, "Q first", "Q TOOL second"),
        "agents_in_a_row", () -> ask(both, StreamingMode.NONE, "Q row"),
        "failed", () -> {
          try {
            ask(helper, StreamingMode.NONE, "Q TOOL SAYING FAIL agent");
          } catch (RuntimeException expected) {
            return;
          }
          throw new IllegalStateException("the model did not fail");
        },
        "streamed", () -> ask(helper, StreamingMode.SSE, "Q streamed"),
        "tools_in_parallel", () -> ask(helper, StreamingMode.NONE, "Q PARALLEL SAYING agent"));
    Recorded.run(names, scenarios, () -> telemetry.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS));
  }
}
