# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "mlflow==3.17.2",
#   "dspy==3.4.1",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import dspy
from mlflow_recorded import run
from recorded import OUTPUT

# docs: begin
import mlflow

mlflow.dspy.autolog()
# docs: end
dspy.configure(lm=dspy.LM("openai/fake-model", cache=False, max_tokens=100))


def predict():
    dspy.ChainOfThought("question -> answer")(question="Q predict")


def react():
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    dspy.ReAct("question -> answer", tools=[lookup], max_iters=1)(question="Q TOOL agent")


def retrieval():
    class Shelf(dspy.Retrieve):
        def forward(self, query, k=None, **_):
            return dspy.Prediction(passages=["DOCUMENT SECRET"])

    class Helper(dspy.Module):
        def __init__(self):
            super().__init__()
            self.shelf = Shelf()
            self.respond = dspy.Predict("context, question -> answer")

        def forward(self, question):
            return self.respond(context=self.shelf(question).passages, question=question)

    Helper()(question="Q retrieval")


run({"predict": predict, "react": react, "retrieval": retrieval})
