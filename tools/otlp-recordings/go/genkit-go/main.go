// Genkit for Go, which writes into the provider that is registered for OpenTelemetry.
package main

import (
	"context"
	"os"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai/openai"
	"github.com/openai/openai-go/option"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"recorded"
)

type word struct {
	Word string `json:"word"`
}

type asked struct {
	Question string `json:"question"`
}

type told struct {
	Answer string `json:"answer"`
}

func openProvider(ctx context.Context) *sdktrace.TracerProvider {
	// docs: begin
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		panic(err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
	otel.SetTracerProvider(provider) // before genkit.Init
	// docs: end
	return provider
}

func main() {
	ctx := context.Background()
	provider := openProvider(ctx)
	address := option.WithBaseURL(os.Getenv("OPENAI_BASE_URL"))
	models := &openai.OpenAI{APIKey: "none", Opts: []option.RequestOption{address}}
	g := genkit.Init(ctx, genkit.WithPlugins(models))
	model := models.Model(g, "gpt-4o")
	lookup := genkit.DefineTool(g, "lookup", "Looks a word up.", func(*ai.ToolContext, word) (string, error) {
		return recorded.Output, nil
	})
	found := ai.DocumentFromText("DOCUMENT SECRET", map[string]any{"source": "returns.md", "score": 0.5})
	retrieve := func(context.Context, *ai.RetrieverRequest) (*ai.RetrieverResponse, error) {
		return &ai.RetrieverResponse{Documents: []*ai.Document{found}}, nil
	}
	shelf := genkit.DefineRetriever(g, "shelf", nil, retrieve)
	generate := func(ctx context.Context, options ...ai.GenerateOption) (string, error) {
		options = append(options, ai.WithModel(model), ai.WithSystem("SECRET prompt"))
		response, err := genkit.Generate(ctx, g, options...)
		if err != nil {
			return "", err
		}
		return response.Text(), nil
	}
	ask := genkit.DefineFlow(g, "ask", func(ctx context.Context, question string) (string, error) {
		response, err := genkit.Retrieve(ctx, g, ai.WithRetriever(shelf), ai.WithTextDocs(question))
		if err != nil {
			return "", err
		}
		return generate(ctx, ai.WithPrompt(question), ai.WithDocs(response.Documents...))
	})
	// What the application looks up before it asks is a step, and its flow has objects of its own.
	steps := genkit.DefineFlow(g, "steps", func(ctx context.Context, given asked) (told, error) {
		_, err := genkit.Run(ctx, "look", func() (string, error) { return recorded.Output, nil })
		if err != nil {
			return told{}, err
		}
		answer, err := generate(ctx, ai.WithPrompt(given.Question))
		return told{answer}, err
	})
	template := genkit.DefinePrompt(g, "template",
		ai.WithModel(model), ai.WithSystem("SECRET prompt"), ai.WithInputType(asked{}), ai.WithPrompt("{{question}}"))
	scenario := func(options ...ai.GenerateOption) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := generate(ctx, options...)
			return err
		}
	}
	recorded.Run(recorded.Scenarios{
		"flow_of_objects": func(ctx context.Context) error {
			_, err := steps.Run(ctx, asked{"Q steps"})
			return err
		},
		"conversation": scenario(
			ai.WithMessages(ai.NewUserTextMessage("Q first"), ai.NewModelTextMessage("A first")),
			ai.WithPrompt("Q last")),
		"failed": func(ctx context.Context) error {
			_, err := ask.Run(ctx, "Q FAIL flow")
			if err == nil {
				panic("the model did not fail")
			}
			return nil
		},
		"prompted": func(ctx context.Context) error {
			_, err := template.Execute(ctx, ai.WithInput(asked{"Q prompted"}))
			return err
		},
		"retrieval": func(ctx context.Context) error {
			_, err := ask.Run(ctx, "Q retrieval")
			return err
		},
		"streamed": scenario(
			ai.WithPrompt("Q streamed"),
			ai.WithStreaming(func(context.Context, *ai.ModelResponseChunk) error { return nil })),
		"tool": scenario(ai.WithPrompt("Q TOOL call"), ai.WithTools(lookup)),
		"tool_only": func(ctx context.Context) error {
			_, err := lookup.RunRaw(ctx, word{"SECRET argument"})
			return err
		},
		"tools_in_parallel": scenario(ai.WithPrompt("Q PARALLEL SAYING call"), ai.WithTools(lookup)),
	}, provider.ForceFlush)
}
