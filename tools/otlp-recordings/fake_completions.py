"""The interfaces in the fake model that take a prompt: of Amazon SageMaker, Replicate and IBM watsonx."""

from fake_decisions import decide
from fake_forms import halves, id_of, sse
from fake_openai import answer_chat


def answer_sagemaker(request):
    """A model of Hugging Face behind an endpoint of Amazon SageMaker."""
    if "messages" in request:
        return answer_chat(request)
    text, _ = decide([{"role": "user", "content": request["inputs"]}], {}, lambda _: False)
    return [{"generated_text": text}]


def answer_replicate(request):
    """A prediction, which is there at once. The one of a stream is at an address that has its text."""
    text, _ = decide([{"role": "user", "content": request["input"]["prompt"]}], {}, lambda _: False)
    stream = f"/v1/streams/{text.encode().hex()}"
    return {
        "id": id_of(request),
        "model": "meta/fake-model",
        "version": "none",
        "status": "succeeded",
        "input": request["input"],
        "output": halves(text),
        "logs": "",
        "error": None,
        "created_at": "2026-01-01T00:00:00Z",
        "urls": {"get": "/v1/predictions/1", "cancel": "/v1/predictions/1/cancel", "stream": stream},
    }


def answer_watsonx(request, is_streamed):
    given = request["input"] if isinstance(request["input"], list) else [request["input"]]
    texts = [decide([{"role": "user", "content": one}], {}, lambda _: False)[0] for one in given]
    common = {"model_id": "fake-model", "created_at": "2026-01-01T00:00:00Z"}
    counts = {"generated_token_count": 1, "input_token_count": 1, "stop_reason": "eos_token"}
    if is_streamed:
        pieces = [{**common, "results": [{"generated_text": half, **counts}]} for half in halves(texts[0])]
        return sse([("message", piece) for piece in pieces])
    return {**common, "results": [{"generated_text": text, **counts} for text in texts]}
