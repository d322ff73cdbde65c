"""Agents of AG2, for the instrumentations of them."""

import os

from autogen import ConversableAgent, LLMConfig
from recorded import OUTPUT

CONFIG = {"model": "fake-model", "base_url": os.environ["OPENAI_BASE_URL"], "api_key": "none", "price": [0, 0]}


def helper(name="helper"):
    return ConversableAgent(
        name=name, system_message="SECRET prompt", llm_config=LLMConfig(CONFIG), human_input_mode="NEVER"
    )


def user():
    return ConversableAgent(
        name="user",
        human_input_mode="NEVER",
        llm_config=False,
        is_termination_msg=lambda m: bool(m.get("content")) and "ANSWER" in m["content"],
    )


def make(instrument=lambda _: None):
    def agent():
        asked, asking = helper(), user()
        instrument(asked), instrument(asking)
        asking.initiate_chat(asked, message="Q agent", max_turns=2)

    def agent_with_tool():
        asked, asking = helper(), user()

        @asking.register_for_execution()
        @asked.register_for_llm(description="Looks a word up.")
        def lookup(word: str) -> str:
            return OUTPUT

        instrument(asked), instrument(asking)
        asking.initiate_chat(asked, message="Q TOOL agent", max_turns=4)

    def conversation():
        asked, asking = helper(), user()
        instrument(asked), instrument(asking)
        asking.initiate_chat(asked, message="Q first", max_turns=1)
        asking.initiate_chat(asked, message="Q second", max_turns=1, clear_history=False)

    return {"agent_of_text": agent, "agent_with_tool": agent_with_tool, "conversation": conversation}
