"""Records an answer, reads it and lists it with the client that openapi-python-client has generated."""

import os

from answer_evidence_service_client import AuthenticatedClient
from answer_evidence_service_client.api.answers import create_answer_record, get_answer_record, list_answer_records
from answer_evidence_service_client.models import AnswerRecord, CreateRecordRequest, Problem, RecordList, TextOrHash

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["TOKEN"])

request = CreateRecordRequest(
    application_key="python-client",
    idempotency_key="one",
    question=TextOrHash(text="Does it work?"),
    answer=TextOrHash(text="Yes."),
)
record = create_answer_record.sync(client=client, body=request)
assert isinstance(record, AnswerRecord), record
assert record.answer.text == "Yes."

read = get_answer_record.sync(record.id, client=client)
assert isinstance(read, AnswerRecord), read
assert read.record_hash == record.record_hash

page = list_answer_records.sync(client=client, application_key="python-client", size=1)
assert isinstance(page, RecordList), page
assert [item.id for item in page.items] == [record.id]

refused = list_answer_records.sync(client=client, size=201)
assert isinstance(refused, Problem), refused
assert refused.code == "schema_violation"
print("ok")
