# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "boto3==1.44.8",
#   "opentelemetry-instrumentation-sagemaker==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-http==1.45.2",
# ]
# ///
import json

import boto3
from recorded import HISTORY, open_provider, run

provider = open_provider()
# docs: begin
from opentelemetry.instrumentation.sagemaker import SageMakerInstrumentor

SageMakerInstrumentor().instrument(tracer_provider=provider)
# docs: end


def invoke(body):
    client = boto3.client("sagemaker-runtime")
    found = client.invoke_endpoint(EndpointName="fake-model", ContentType="application/json", Body=json.dumps(body))
    found["Body"].read()


def single():
    invoke({"inputs": "Q single", "parameters": {"max_new_tokens": 100}})


def conversation():
    said = [{"role": "system", "content": "SECRET prompt"}, *HISTORY, {"role": "user", "content": "Q last"}]
    invoke({"messages": said, "max_tokens": 100})


run(provider, globals())
