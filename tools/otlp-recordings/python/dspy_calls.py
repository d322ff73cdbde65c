"""Programs of DSPy, for the instrumentations of it."""

import dspy
from recorded import HISTORY, OUTPUT

dspy.configure(lm=dspy.LM("openai/fake-model", cache=False, max_tokens=100, num_retries=0))


def predict():
    dspy.Predict("question -> answer")(question="Q predict")


def conversation():
    dspy.LM("openai/fake-model", cache=False)(
        messages=[{"role": "system", "content": "SECRET prompt"}, *HISTORY, {"role": "user", "content": "Q last"}]
    )


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


def multi_hop():
    """A search, a query made of what it found, a second search, and an answer."""

    class Shelf(dspy.Retrieve):
        def forward(self, query, k=None, **_):
            return dspy.Prediction(passages=["DOCUMENT SECRET"])

    class Hops(dspy.Module):
        def __init__(self):
            super().__init__()
            self.shelf = Shelf()
            self.follow = dspy.ChainOfThought("context, question -> answer")
            self.respond = dspy.ChainOfThought("context, question -> answer")

        def forward(self, question):
            found = self.shelf(question).passages
            query = self.follow(context=found, question=question).answer
            return self.respond(context=found + self.shelf(query).passages, question=question)

    Hops()(question="Q hops")


def react():
    def lookup(word: str) -> str:
        """Looks a word up."""
        return OUTPUT

    dspy.ReAct("question -> answer", tools=[lookup], max_iters=1)(question="Q TOOL agent")


def typed():
    class Judge(dspy.Signature):
        """SECRET prompt"""

        question: str = dspy.InputField()
        answer: str = dspy.OutputField()
        stars: int = dspy.OutputField()

    dspy.Predict(Judge)(question="Q typed")


def chain_of_thought():
    dspy.ChainOfThought("question -> answer")(question="Q thought")


def parallel():
    predict = dspy.Predict("question -> answer")
    dspy.Parallel(num_threads=2, disable_progress_bar=True)(
        [(predict, {"question": "Q one"}), (predict, {"question": "Q two"})]
    )


def failed():
    try:
        dspy.Predict("question -> answer")(question="Q FAIL predict")
    except Exception:
        pass


def retrieval_by_rm():
    class Helper(dspy.Module):
        def __init__(self):
            super().__init__()
            self.shelf = dspy.Retrieve(k=2)
            self.respond = dspy.Predict("context, question -> answer")

        def forward(self, question):
            return self.respond(context=self.shelf(question).passages, question=question)

    def search(query, k, **_):
        return [dspy.Example(long_text=text) for text in ("DOCUMENT SECRET", "OTHER SECRET")]

    with dspy.context(rm=search):
        Helper()(question="Q by rm")


def two_sources():
    """A retriever that gives names and scores, and a retrieval that is called twice."""

    class Shelf(dspy.Retrieve):
        def forward(self, query, k=None, **_):
            return dspy.Prediction(passages=["DOCUMENT SECRET", "OTHER SECRET"])

    class Helper(dspy.Module):
        def __init__(self):
            super().__init__()
            self.shelf = Shelf()
            self.respond = dspy.Predict("context, question -> answer")

        def forward(self, question):
            found = self.shelf(question).passages + self.shelf(f"more: {question}").passages
            return self.respond(context=found, question=question)

    Helper()(question="Q sources")
