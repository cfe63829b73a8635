#!/usr/bin/env python3
"""Time from a save of flash attention to the first diagnostics (of the first instance), by a client that speaks to `python -m tilescope lsp`.

  .venv/bin/python tests/bench/editor_latency.py [ROUNDS]

The save brings an error and the next one takes it away, in turn. A fit: 100 ms, on a machine that does nothing else."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE / "python"))

from tilescope import programs  # noqa: E402: of this tree

FITS_MS = 100


class Client:
    def __init__(self):
        environment = {**os.environ, "PYTHONPATH": str(TREE / "python")}
        self.server = subprocess.Popen([sys.executable, "-m", "tilescope", "lsp"], env=environment,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def send(self, method: str, parameters: dict, **more) -> None:
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters, **more}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.server.stdin.flush()

    def receive(self) -> dict:
        length = 0
        while (line := self.server.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        if not length:
            sys.exit("the server has ended; it needs pygls, which ./dev setup fetches into .venv/")
        return json.loads(self.server.stdout.read(length))

    def diagnostics(self, version: int) -> list:
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version") == version:
                return message["params"]["diagnostics"]


def main(rounds: int) -> None:
    try:
        programs.path("tilescope")
    except FileNotFoundError as error:
        sys.exit(f"{error}; ./dev build makes it")
    client = Client()
    client.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
    client.receive()
    client.send("initialized", {})
    text = (TREE / "testdata/kernels/attention_fwd.py").read_text(encoding="utf-8")
    texts = [text.replace("T.copy(Q[", "T.copyy(Q["), text]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "attention_fwd.py")
        path.write_text(text, encoding="utf-8")
        document = {"uri": path.as_uri()}
        client.send("textDocument/didOpen", {"textDocument": {**document, "languageId": "python", "version": 1, "text": text}})
        client.diagnostics(1)
        times = []
        for version in range(2, rounds + 2):
            new = texts[version % 2]
            client.send("textDocument/didChange", {"textDocument": {**document, "version": version},
                                                   "contentChanges": [{"text": new}]})
            path.write_text(new, encoding="utf-8")
            begin = time.perf_counter()
            client.send("textDocument/didSave", {"textDocument": document})
            found = client.diagnostics(version)
            times.append(1000 * (time.perf_counter() - begin))
            assert new == text or any(entry.get("code") == "UnknownMember" for entry in found), found
            for _ in range(text.count("# tilescope:") - 1):
                found = client.diagnostics(version)
            assert new != text or not found, found
    client.server.kill()
    median = statistics.median(times)
    print(f"save to diagnostics: median {median:.0f} ms, least {min(times):.0f}, most {max(times):.0f}, {rounds} saves; "
          f"load {os.getloadavg()[0]:.1f}: {'fits' if median <= FITS_MS else 'does not fit'} {FITS_MS} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
