"""Runs of the Claude Agent SDK, whose command line is part of its package, for the instrumentations of it."""

import asyncio
import os
import tempfile

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, create_sdk_mcp_server, query, tool
from recorded import OUTPUT

HOME = tempfile.mkdtemp()
ALONE = {
    "CLAUDE_CONFIG_DIR": HOME,
    "HOME": HOME,
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "IS_SANDBOX": "1",
}


@tool("lookup", "Looks a word up.", {"word": str})
async def lookup(given):
    return {"content": [{"type": "text", "text": OUTPUT}]}


def options(**more):
    common = {"system_prompt": "SECRET prompt", "model": "fake-model", "env": ALONE, "cwd": HOME, "setting_sources": []}
    return ClaudeAgentOptions(**common, **more)


def with_tool():
    server = create_sdk_mcp_server("shelf", tools=[lookup])
    return options(mcp_servers={"shelf": server}, allowed_tools=["mcp__shelf__lookup"])


def agent_of_text():
    async def ask():
        async for _ in query(prompt="Q agent", options=options()):
            pass

    asyncio.run(ask())


def agent_with_memory():
    async def ask():
        async with ClaudeSDKClient(options=with_tool()) as client:
            for text in ("Q first", "Q TOOL second"):
                await client.query(text)
                async for _ in client.receive_response():
                    pass

    asyncio.run(ask())


SCENARIOS = {run.__name__: run for run in (agent_of_text, agent_with_memory)}
