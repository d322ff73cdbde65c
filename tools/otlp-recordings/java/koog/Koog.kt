package recorded

import ai.koog.agents.core.agent.AIAgent
import ai.koog.agents.core.agent.config.AIAgentConfig
import ai.koog.agents.core.tools.ToolRegistry
import ai.koog.agents.core.tools.annotations.LLMDescription
import ai.koog.agents.core.tools.annotations.Tool
import ai.koog.agents.core.tools.reflect.ToolSet
import ai.koog.agents.features.opentelemetry.feature.OpenTelemetry
import ai.koog.http.client.ktor.KtorKoogHttpClient
import ai.koog.prompt.dsl.prompt
import ai.koog.prompt.executor.clients.openai.OpenAIClientSettings
import ai.koog.prompt.executor.clients.openai.OpenAILLMClient
import ai.koog.prompt.executor.clients.openai.OpenAIModels
import ai.koog.prompt.executor.llms.MultiLLMPromptExecutor
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter
import kotlinx.coroutines.runBlocking

/** Koog, whose agents each have an SDK of their own. */
object Koog {
  private val settings = OpenAIClientSettings(baseUrl = System.getenv("MODEL_URL"))
  private val executor = MultiLLMPromptExecutor(OpenAILLMClient("none", settings, KtorKoogHttpClient.Factory()))
  private val endpoint = System.getenv("OTEL_EXPORTER_OTLP_ENDPOINT") + "/v1/traces"

  @LLMDescription("A shelf of words.")
  class Shelf : ToolSet {
    @Tool
    @LLMDescription("Looks a word up.")
    fun lookup(word: String): String = Recorded.OUTPUT
  }

  private fun ask(question: String, vararg said: String) = Recorded.Scenario {
    val history = prompt("support-bot") {
      system("SECRET prompt")
      said.forEachIndexed { n, text -> if (n % 2 == 0) user(text) else assistant(text) }
    }
    val config = AIAgentConfig(prompt = history, model = OpenAIModels.Chat.GPT4o, maxAgentIterations = 10)
    runBlocking {
      val agent = AIAgent(executor, config, toolRegistry = ToolRegistry { tools(Shelf()) }) {
        // docs: begin
        install(OpenTelemetry) {
          setServiceInfo("support-bot", "1.0.0")
          addSpanExporter(OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build())
          setVerbose(true) // contents
        }
        // docs: end
      }
      agent.run(question)
      agent.close()
    }
  }

  @JvmStatic
  fun main(names: Array<String>) {
    val scenarios = mapOf(
      "agent" to ask("Q agent"),
      "agent_with_history" to ask("Q last", "Q first", "A first"),
      "agent_with_tool" to ask("Q TOOL call"),
      "tools_in_parallel" to ask("Q PARALLEL SAYING agent"),
    )
    // Nothing tells when its processor has sent what it holds.
    Recorded.run(names, scenarios) { Thread.sleep(8000) }
  }
}
