package recorded;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.document.Document;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeAsyncClient;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeClient;
import software.amazon.awssdk.services.bedrockruntime.model.ContentBlock;
import software.amazon.awssdk.services.bedrockruntime.model.ConversationRole;
import software.amazon.awssdk.services.bedrockruntime.model.ConverseStreamResponseHandler;
import software.amazon.awssdk.services.bedrockruntime.model.Message;
import software.amazon.awssdk.services.bedrockruntime.model.SystemContentBlock;
import software.amazon.awssdk.services.bedrockruntime.model.ToolConfiguration;
import software.amazon.awssdk.services.bedrockruntime.model.ToolResultContentBlock;

/** The agent of OpenTelemetry for Java, with Amazon's client for Bedrock. */
public final class Bedrock {
  private static final String MODEL = "fake-model";
  private static final URI ADDRESS = URI.create(System.getenv("MODEL_URL"));
  private static final SystemContentBlock SYSTEM = SystemContentBlock.fromText("SECRET prompt");
  private static final int SENT_AFTER_MS = 4000;

  private Bedrock() {}

  // docs: begin
  // java -javaagent:opentelemetry-javaagent.jar -Dotel.instrumentation.genai.capture-message-content=true -jar app.jar
  // docs: end

  private static Message message(ConversationRole role, ContentBlock content) {
    return Message.builder().role(role).content(content).build();
  }

  private static Message user(String text) {
    return message(ConversationRole.USER, ContentBlock.fromText(text));
  }

  private static void converse(BedrockRuntimeClient client, Message... messages) {
    client.converse(asked -> asked.modelId(MODEL).system(SYSTEM).messages(messages));
  }

  private static void useTool(BedrockRuntimeClient client) {
    var schema = Document.mapBuilder().putString("type", "object").build();
    var tools = ToolConfiguration.builder()
        .tools(tool -> tool.toolSpec(spec -> spec.name("lookup").inputSchema(input -> input.json(schema)))).build();
    List<Message> said = new ArrayList<>(List.of(user("Q TOOL call")));
    var first = client.converse(asked -> asked.modelId(MODEL).system(SYSTEM).toolConfig(tools).messages(said));
    var asking = first.output().message();
    said.add(asking);
    var call = asking.content().stream().filter(block -> block.toolUse() != null).findFirst().orElseThrow().toolUse();
    var output = ToolResultContentBlock.fromText(Recorded.OUTPUT);
    said.add(message(ConversationRole.USER,
        ContentBlock.fromToolResult(result -> result.toolUseId(call.toolUseId()).content(output))));
    client.converse(asked -> asked.modelId(MODEL).system(SYSTEM).toolConfig(tools).messages(said));
  }

  private static void stream(BedrockRuntimeAsyncClient client) throws Exception {
    var handler = ConverseStreamResponseHandler.builder()
        .onEventStream(events -> events.subscribe(event -> {})).build();
    client.converseStream(asked -> asked.modelId(MODEL).system(SYSTEM).messages(user("Q streamed")), handler).get();
  }

  public static void main(String[] names) throws Exception {
    var client = BedrockRuntimeClient.builder().region(Region.US_EAST_1).endpointOverride(ADDRESS).build();
    var plain = NettyNioAsyncHttpClient.builder().protocol(Protocol.HTTP1_1);
    var streaming = BedrockRuntimeAsyncClient.builder()
        .httpClientBuilder(plain).region(Region.US_EAST_1).endpointOverride(ADDRESS).build();
    var before = message(ConversationRole.ASSISTANT, ContentBlock.fromText("A first"));
    Map<String, Recorded.Scenario> scenarios = Map.of(
        "conversation", () -> converse(client, user("Q first"), before, user("Q last")),
        "streamed", () -> stream(streaming),
        "tool", () -> useTool(client));
    Recorded.run(names, scenarios, () -> Thread.sleep(SENT_AFTER_MS));
  }
}
