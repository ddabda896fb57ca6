"""A small MCP memory server: a file of lines. It says things of its own between its answers."""

import json
import os
import sys

path = os.environ["MEMORY_FILE_PATH"]
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "busy"}}))
    print("not a message")
    if message["method"] == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}}}
    else:
        call = message["params"]
        text, failed = "", False
        if call["name"] == "create_entities":
            entity = call["arguments"]["entities"][0]
            if "die" in entity["observations"][0]:
                sys.exit(4)
            with open(path, "a", encoding="utf8") as file:
                file.write(json.dumps(entity) + "\n")
        elif call["name"] == "search_nodes":
            with open(path, encoding="utf8") as file:
                text = "".join(each for each in file if call["arguments"]["query"] in each)
        else:
            text, failed = "there is no such tool", True
        result = {"content": [{"type": "text", "text": text}], "isError": failed}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
