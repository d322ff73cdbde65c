"""The recordings of a program in one file: for each scenario a line of JSON, and then its requests, byte for byte.

The line is `{"scenario": "…", "requests": [{"signal": "traces", "encoding": "pb", "bytes": 1234}, …]}`.
`read-pack.ts` reads the same.
"""

import json


def read_pack(file):
    """The requests of each scenario, each as its signal, its encoding and its bytes."""
    scenarios, at = {}, 0
    data = file.read_bytes() if file.exists() else b""
    while at < len(data):
        end = data.index(b"\n", at)
        header, at = json.loads(data[at:end]), end + 1
        requests = scenarios[header["scenario"]] = []
        for request in header["requests"]:
            size = request["bytes"]
            if at + size > len(data):
                raise ValueError(f"{file} ends within {header['scenario']}")
            requests.append((request["signal"], request["encoding"], data[at : at + size]))
            at += size
    return scenarios


def write_pack(file, scenarios):
    """Writes the scenarios in the order of their names, so that a new recording of one moves no other."""
    parts = []
    for scenario, requests in sorted(scenarios.items()):
        described = [{"signal": signal, "encoding": kind, "bytes": len(body)} for signal, kind, body in requests]
        parts.append(json.dumps({"scenario": scenario, "requests": described}).encode() + b"\n")
        parts += [body for _, _, body in requests]
    file.write_bytes(b"".join(parts))
