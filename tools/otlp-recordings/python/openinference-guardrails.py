# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "guardrails-ai==0.11.0",
#   "openinference-instrumentation-guardrails==0.1.27",
#   "litellm==1.110.2",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
from recorded import HISTORY, open_provider, run

provider = open_provider()
# docs: begin
from openinference.instrumentation.guardrails import GuardrailsInstrumentor

GuardrailsInstrumentor().instrument(tracer_provider=provider)
# docs: end
from guardrails import Guard, OnFailAction
from guardrails.validators import FailResult, PassResult, Validator, register_validator


@register_validator(name="short", data_type="string")
class Short(Validator):
    def validate(self, value, metadata):
        return (
            FailResult(error_message="SECRET reason", fix_value="I may not say that.")
            if "REFUSE" in value
            else PassResult()
        )


def ask(question, action=OnFailAction.NOOP):
    said = [{"role": "system", "content": "SECRET prompt"}, *HISTORY, {"role": "user", "content": question}]
    Guard().use(Short(on_fail=action))(model="openai/fake-model", messages=said)


def conversation():
    ask("Q last")


def answer_replaced():
    ask("Q REFUSE this", OnFailAction.FIX)


def answer_refused():
    try:
        ask("Q REFUSE this", OnFailAction.EXCEPTION)
    except Exception:
        pass


run(provider, globals())
