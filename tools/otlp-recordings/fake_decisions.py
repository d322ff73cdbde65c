"""What the model of the tests answers, whatever the interface.

It answers `ANSWER<<the last line of the user's that begins with Q>>`. A word in that line makes it do something else:

- TOOL: it asks for the tool `lookup` first; PARALLEL: for two runs of it at once; SAYING: with a text beside the call
- HANDOFF: it hands over to another agent first
- RETRY: its first reply is an error of the server
- FAIL: every reply is one, after the run of a tool where it asks for one
- REFUSAL: it refuses; EMPTY: it says nothing
- THINK: it thinks before it answers, where the interface is that of Anthropic and nothing is streamed
- BLOCK: it says yes where it is asked whether the message should be blocked, and no to any other message

Where a tool must be called, or an output has a schema, it fills in `ANSWER<<...>>` as every text.
"""

import json
import re
from collections import Counter

ARGUMENTS = {"word": "SECRET argument"}
OTHER_ARGUMENTS = {"word": "SECRET other"}
FAILURES = Counter()


class Failure(Exception):
    """An error of the server."""


class Refusal(str):
    """A text by which the model refuses."""


def text_of(content):
    """The texts of a message, in the form of any of the interfaces."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    texts = (part if isinstance(part, str) else part.get("text") for part in content or [])
    return "\n".join(text for text in texts if text)


def decide(messages, tools, is_result, forced=None):
    """The answer to a conversation, and calls of tools: `(text, [(name, arguments), ...])`.

    `tools` are schemas of arguments by name. `forced` is the name of the tool that must be called, or `any`.
    """
    users = [
        n for n, m in enumerate(messages) if m.get("role") == "user" and text_of(m.get("content") or m.get("parts"))
    ]
    texts = [text_of(messages[n].get("content") or messages[n].get("parts")) for n in users] or [""]
    said = texts[-1]
    # Some frameworks hand over the result of a tool as a message of the user.
    had_result = "TOOL OUTPUT" in said or any(is_result(m) for m in messages[users[-1] + 1 if users else 0 :])
    lines = next((found for text in reversed(texts) if (found := re.findall(r"\bQ [^\n]*", text))), [])
    asked = lines[-1] if lines else "nothing" if said else ""
    answer = f"ANSWER<<{asked}>>"
    fail_if_wanted(asked, had_result)
    lookup = next((name for name in tools if "lookup" in name), None)
    beside = "Let me look it up." if "SAYING" in asked else None
    if "PARALLEL" in asked and lookup and not had_result:
        return beside, [(lookup, name_by(tools[lookup], given)) for given in (ARGUMENTS, OTHER_ARGUMENTS)]
    if "TOOL" in asked and lookup and not had_result:
        return beside, [(lookup, name_by(tools[lookup], ARGUMENTS))]
    transfer = next((name for name in tools if name.startswith("transfer_to")), None)
    if "HANDOFF" in asked and transfer and not had_result:
        return None, [(transfer, {})]
    if "final_result" in tools:
        return None, [("final_result", {"text": answer, "stars": 5})]
    if "final_answer" in tools:
        return None, [("final_answer", fill(tools["final_answer"], answer) or {"answer": answer})]
    # Of several tools, the one that is there for the answer.
    wanted = next((name for name in tools if name != lookup), None) if forced == "any" else forced
    if wanted in tools:
        return None, [(wanted, fill(tools[wanted], answer))]
    if "REFUSAL" in asked:
        return Refusal("I cannot say that."), []
    if "EMPTY" in asked:
        return "", []
    return write(messages, said, answer), []


def name_by(schema, given):
    """Arguments for an agent as a tool, which has another name for its only one."""
    return {"input": given["word"]} if list(schema.get("properties", {})) == ["input"] else given


def fail_if_wanted(asked, had_result):
    if "FAIL" in asked and ("TOOL" not in asked or had_result):
        raise Failure
    FAILURES[asked] += 1
    if "RETRY" in asked and FAILURES[asked] % 2 == 1:
        raise Failure


def write(messages, said, answer):
    """The answer in the form that a framework's own prompt asks for."""
    if "should the message be blocked" in said:
        return "yes" if "BLOCK" in answer else "no"
    if "[[ ## next_tool_name ## ]]" in said:
        name, given = ("finish", {}) if "[[ ## observation_0 ## ]]" in said else ("lookup", ARGUMENTS)
        fields = {"next_thought": "done", "next_tool_name": name, "next_tool_args": json.dumps(given), "completed": ""}
        return "\n\n".join(f"[[ ## {field} ## ]]\n{value}" for field, value in fields.items())
    if "[[ ## answer ## ]]" in said:
        values = {"reasoning": "none", "answer": answer, "stars": "5"}
        fields = [f"[[ ## {name} ## ]]\n{value}" for name, value in values.items() if f"[[ ## {name} ## ]]" in said]
        return "\n\n".join([*fields, "[[ ## completed ## ]]"])
    return write_by_format(json.dumps(messages), said, answer)


def write_by_format(prompts, said, answer):
    """The answer of an agent that thinks aloud: as ReAct, as a blob of JSON or as code."""
    if "final_answer(" in prompts and "<code>" in prompts:
        return f"Thought: done\n<code>\nfinal_answer({answer!r})\n</code>"
    if "a json blob with a single action" in prompts:
        return f"```json\n{json.dumps({'action': 'Final Answer', 'action_input': answer}, ensure_ascii=False)}\n```"
    if "Your response should be in JSON format." in said:
        return format_json(None, answer)
    if "Action Input" in said and "TOOL" in answer and "TOOL OUTPUT" not in said:
        return "Thought: look it up\nAction: lookup\nAction Input: SECRET argument"
    if "Final Answer" in prompts:
        return f"Thought: done\nFinal Answer: {answer}"
    return answer


def fill(schema, answer, whole=None):
    """A value of a JSON schema, with the answer as each of its texts."""
    whole = schema if whole is None else whole
    if "$ref" in schema:
        return fill(whole.get("$defs", {}).get(schema["$ref"].split("/")[-1], {}), answer, whole)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return fill(schema[choice][0], answer, whole)
    kind = str(schema.get("type", "string")).lower()
    if kind == "object":
        return {name: fill(member, answer, whole) for name, member in schema.get("properties", {}).items()}
    if kind == "array":
        return [fill(schema.get("items", {}), answer, whole)]
    return {"integer": 5, "number": 0.5, "boolean": True}.get(kind, answer)


def format_json(schema, text):
    """JSON by a schema, or of a form of its own where there is none."""
    return json.dumps(fill(schema, text) if schema else {"text": text, "stars": 5}, ensure_ascii=False)
