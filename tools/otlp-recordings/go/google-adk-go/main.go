// Google's Agent Development Kit for Go.
package main

import (
	"context"
	"os"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model/gemini"
	"google.golang.org/adk/runner"
	"google.golang.org/adk/session"
	"google.golang.org/adk/telemetry"
	"google.golang.org/adk/tool"
	"google.golang.org/adk/tool/functiontool"
	"google.golang.org/genai"
	"recorded"
)

type word struct {
	Word string `json:"word"`
}

type found struct {
	Result string `json:"result"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	model := must(gemini.NewModel(ctx, "gemini-2.0-flash", &genai.ClientConfig{
		APIKey:      "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: os.Getenv("MODEL_URL")},
	}))
	lookup := must(functiontool.New(
		functiontool.Config{Name: "lookup", Description: "Looks a word up."},
		func(tool.Context, word) (found, error) { return found{recorded.Output}, nil },
	))
	helper := must(llmagent.New(llmagent.Config{
		Name: "helper", Model: model, Instruction: "SECRET prompt", Tools: []tool.Tool{lookup},
	}))
	ask := func(mode agent.StreamingMode, questions ...string) func(context.Context) error {
		return func(ctx context.Context) error {
			sessions := session.InMemoryService()
			asked := must(runner.New(runner.Config{AppName: "support-bot", Agent: helper, SessionService: sessions}))
			opened := must(sessions.Create(ctx, &session.CreateRequest{AppName: "support-bot", UserID: "1"}))
			for _, question := range questions {
				message := genai.NewContentFromText(question, genai.RoleUser)
				config := agent.RunConfig{StreamingMode: mode}
				for _, err := range asked.Run(ctx, "1", opened.Session.ID(), message, config) {
					if err != nil {
						return err
					}
				}
			}
			return nil
		}
	}
	_ = telemetry.New
	recorded.Run(recorded.Scenarios{
		"agent_of_text":     ask(agent.StreamingModeNone, "Q agent"),
		"agent_with_memory": ask(agent.StreamingModeNone, "Q first", "Q TOOL second"),
		"streamed":          ask(agent.StreamingModeSSE, "Q streamed"),
		"tools_in_parallel": ask(agent.StreamingModeNone, "Q PARALLEL SAYING agent"),
	}, nil)
}
