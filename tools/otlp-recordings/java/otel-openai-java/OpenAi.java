package recorded;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.responses.ResponseCreateParams;
import java.util.Map;

/** The agent of OpenTelemetry for Java, with OpenAI's client. */
public final class OpenAi {
  private static final OpenAIClient CLIENT =
      OpenAIOkHttpClient.builder().apiKey("none").baseUrl(System.getenv("OPENAI_BASE_URL")).build();
  private static final int SENT_AFTER_MS = 4000;

  private OpenAi() {}

  @JsonTypeName("lookup")
  @JsonClassDescription("Looks a word up.")
  static class Lookup {
    public String word;
  }

  // docs: begin
  // java -javaagent:opentelemetry-javaagent.jar -Dotel.instrumentation.genai.capture-message-content=true -jar app.jar
  // docs: end

  private static ChatCompletionCreateParams.Builder ask() {
    return ChatCompletionCreateParams.builder().model("fake-model").addSystemMessage("SECRET prompt");
  }

  private static ChatCompletion create(ChatCompletionCreateParams.Builder given) {
    return CLIENT.chat().completions().create(given.build());
  }

  private static void useTool() {
    var given = ask().addUserMessage("Q TOOL call").addTool(Lookup.class);
    var said = create(given).choices().get(0).message();
    var call = said.toolCalls().orElseThrow().get(0).asFunction();
    var result = ChatCompletionToolMessageParam.builder().toolCallId(call.id()).content(Recorded.OUTPUT).build();
    create(given.addMessage(said).addMessage(result));
  }

  private static void stream() {
    try (var pieces = CLIENT.chat().completions().createStreaming(ask().addUserMessage("Q streamed").build())) {
      pieces.stream().forEach(piece -> {});
    }
  }

  private static void respond() {
    CLIENT.responses().create(ResponseCreateParams.builder().model("fake-model").input("Q responses").build());
  }

  public static void main(String[] names) throws Exception {
    Map<String, Recorded.Scenario> scenarios = Map.of(
        "conversation", () -> create(ask().addUserMessage("Q first").addAssistantMessage("A first")
            .addUserMessage("Q last")),
        "responses", OpenAi::respond,
        "streamed", OpenAi::stream,
        "tool", OpenAi::useTool);
    Recorded.run(names, scenarios, () -> Thread.sleep(SENT_AFTER_MS));
  }
}
