"""What the language server says of a file that is opened, edited and saved."""

import asyncio
import os
import pathlib
import shutil
import sys
import time

import pytest
import pytest_lsp
import tilescope
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from tilescope import programs

KERNEL = pathlib.Path(__file__).with_name("stages.py").read_text(encoding="utf-8")
ONE_INSTANCE = KERNEL.replace("# tilescope: stages --set rows=512 --set num_stages=4\n", "")
SERVER = [sys.executable, "-m", "tilescope", "lsp"]


async def begin(client: LanguageClient) -> None:
    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
    def refreshed(_):
        return None

    await client.initialize_session(types.InitializeParams(capabilities=client_capabilities("visual_studio_code")))


@pytest_lsp.fixture(config=ClientServerConfig(server_command=SERVER))
async def client(lsp_client: LanguageClient):
    await begin(lsp_client)
    yield
    await lsp_client.shutdown_session()


class File:
    """A kernel file that the editor has open."""

    def __init__(self, client: LanguageClient, path: pathlib.Path, text: str):
        self.client, self.path, self.uri, self.version = client, path, path.as_uri(), 1
        path.write_text(text, encoding="utf-8")
        client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(self.uri, types.LanguageKind.Python, 1, text)))

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def change(self, text: str) -> None:
        self.version += 1
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(self.version, self.uri), [types.TextDocumentContentChangeWholeDocument(text)]))

    def save(self, text: str) -> None:
        self.change(text)
        self.path.write_text(text, encoding="utf-8")
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.document))

    async def diagnostics(self, wanted) -> list[types.Diagnostic]:
        """Once `wanted` holds for them. Looks again and again: what arrives between a look and a wait would be missed."""
        async with asyncio.timeout(60):
            while not wanted(found := self.client.diagnostics.get(self.uri)):
                await asyncio.sleep(0.01)
        return list(found)

    async def hints(self):
        whole = types.Range(types.Position(0, 0), types.Position(1000, 0))
        return await self.client.text_document_inlay_hint_async(types.InlayHintParams(self.document, whole))

    async def lenses(self) -> list[tuple[int, str]]:
        """Line from 1, and what it says."""
        found = await self.client.text_document_code_lens_async(types.CodeLensParams(self.document))
        resolved = [await self.client.code_lens_resolve_async(lens) for lens in found or []]
        return [(lens.range.start.line + 1, lens.command.title) for lens in resolved]

    async def hover(self, line: int, name: str) -> str | None:
        column = self.path.read_text(encoding="utf-8").splitlines()[line - 1].index(name)
        found = await self.client.text_document_hover_async(
            types.HoverParams(self.document, types.Position(line - 1, column)))
        return found and found.contents.value


def has(*texts: str):
    return lambda found: found and all(any(text in entry.message for entry in found) for text in texts)


@pytest.mark.asyncio
async def test_hints_and_lenses(client: LanguageClient, tmp_path):
    file = File(client, tmp_path / "stages.py", KERNEL)
    [hint] = await file.hints()
    assert (hint.position.line + 1, hint.label) == (13, "16,384 bytes, 2 versions")
    assert "tile: bytes [0, 16,384)" in hint.tooltip and "stages --set rows=64" in hint.tooltip
    facts = "16,384 of 166,912 bytes, 9 blocks per SM, sound"
    too_large = "262,144 of 166,912 bytes, not within capacity"
    assert await file.lenses() == [(2, facts), (2, "open in the viewer"), (3, too_large), (3, "open in the viewer"),
                                   (9, facts), (9, "open in the viewer")]


@pytest.mark.asyncio
async def test_diagnostics_name_their_instance(client: LanguageClient, tmp_path):
    file = File(client, tmp_path / "stages.py", KERNEL)
    [found] = await file.diagnostics(has("262,144 bytes of dynamic shared memory"))
    assert (found.range.start.line + 1, found.range.start.character) == (12, 8)
    assert found.severity == types.DiagnosticSeverity.Error and found.code == "SharedMemoryOverCapacity"
    assert "note: 'tile' takes 262,144 bytes, 4 versions, more than there is (line 13)" in found.message
    assert found.message.endswith("with: stages --set rows=512 --set num_stages=4")
    assert [note.location.range.start.line + 1 for note in found.related_information] == [13, 16]
    file.save(ONE_INSTANCE)
    assert await file.diagnostics(lambda found: not found) == []


@pytest.mark.asyncio
async def test_wrong_instances(client: LanguageClient, tmp_path):
    """What an instance line says wrong stands there, and not at the kernel."""
    for wrong, code, text in (("stages --set rows=64 --set colour=1", "UnknownArgument", "'stages' has no parameter 'colour'"),
                              ("stages", "MissingArguments", "needs values"),
                              ("stages --set 'rows=('", "BadArgument", "no Python literal"),
                              ("stages --set rows=64 --target sm_1", "InvalidRequest", "unknown target 'sm_1'"),
                              ("stagse --set rows=64", "UnknownKernel", "no kernel 'stagse'"),
                              ("stages --set rows=64 --colour", None, "unknown option '--colour'"),
                              ("stages --set 'rows=64", "UnknownKernel", "no kernel 'stages --set")):
        lines = KERNEL.splitlines(keepends=True)
        lines[2] = f"# tilescope: {wrong}\n"
        file = File(client, tmp_path / "wrong.py", "".join(lines))
        [found] = await file.diagnostics(has(text))
        assert (found.range.start.line + 1, found.code) == (3, code), wrong
        assert "with:" not in found.message
        client.text_document_did_close(types.DidCloseTextDocumentParams(file.document))
        await file.diagnostics(lambda found: not found)


@pytest.mark.asyncio
async def test_fixes(client: LanguageClient, tmp_path):
    """Of a member, a name and a keyword: each edit makes the text what it was."""
    for right, wrong in (("T.clear(sums)", "T.cleer(sums)"), ("tile)\n", "tilee)\n"), ("num_stages=num_stages):", "num_stagse=num_stages):")):
        text = ONE_INSTANCE.replace(right, wrong, 1)
        file = File(client, tmp_path / f"{wrong[:8].strip()}.py", text)
        [found] = await file.diagnostics(lambda found: found)
        [action] = await client.text_document_code_action_async(
            types.CodeActionParams(file.document, found.range, types.CodeActionContext([found])))
        [edit] = action.edit.changes[file.uri]
        lines = text.splitlines(keepends=True)
        begin, end = edit.range.start, edit.range.end
        assert begin.line == end.line
        line = lines[begin.line]
        lines[begin.line] = line[:begin.character] + edit.new_text + line[end.character:]
        assert "".join(lines) == ONE_INSTANCE


@pytest.mark.asyncio
async def test_hover(client: LanguageClient, tmp_path):
    file = File(client, tmp_path / "stages.py", ONE_INSTANCE)
    told = await file.hover(12, "tile")
    for part in ("**tile** float16 (64, 64) in shared.dyn", "bytes [0, 16,384): 16,384, 2 versions, 8,192 apart",
                 "live [0, 6)", "written in line 16: `T.copy(A[step * rows, 0], tile)`", "shares bytes with no other",
                 "no bank conflicts in", "*stages --set rows=64*"):
        assert part in told
    assert "layout fragment" in await file.hover(13, "sums")
    assert await file.hover(12, "alloc_shared") is None


@pytest.mark.asyncio
async def test_only_what_was_saved_is_answered(client: LanguageClient, tmp_path):
    file = File(client, tmp_path / "stages.py", ONE_INSTANCE)
    assert await file.hints()
    file.change("\n" + ONE_INSTANCE)
    assert await file.hints() is None and await file.lenses() == []
    file.save("\n" + ONE_INSTANCE)
    assert [hint.position.line + 1 for hint in await file.hints()] == [13]


@pytest.mark.asyncio
async def test_malformed_files(client: LanguageClient, tmp_path):
    file = File(client, tmp_path / "stages.py", ONE_INSTANCE.replace("with T.Kernel(1, threads=128):", "with T.Kernel(1,"))
    [found] = await file.diagnostics(lambda found: found)
    assert found.severity == types.DiagnosticSeverity.Error and found.range.start.line > 0
    assert (await file.lenses())[0] == (2, "does not compile") and not await file.hints()
    file.save(ONE_INSTANCE.replace("--set rows=64", "--sat rows=64"))
    [found] = await file.diagnostics(has("--sat"))
    assert found.range.start.line == 1
    file.save(ONE_INSTANCE.replace("--set rows=64", "--set 'rows=64"))
    assert await file.diagnostics(has("the file has no kernel 'stages --set 'rows=64'"))


@pytest.mark.asyncio
async def test_files_without_instances_are_left_alone(client: LanguageClient, tmp_path):
    plain = File(client, tmp_path / "plain.py", "x = (\n")
    kernel = File(client, tmp_path / "stages.py", KERNEL)
    await kernel.diagnostics(lambda found: found)
    assert plain.uri not in client.diagnostics
    assert not await plain.hints() and not await plain.lenses()


@pytest.mark.asyncio
async def test_a_save_of_what_a_kernel_imports(client: LanguageClient, tmp_path):
    helper = File(client, tmp_path / "widths.py", "def width():\n    return 64\n")
    text = ONE_INSTANCE.replace("import tilelang\n", "import tilelang\nfrom widths import width\n")
    kernel = File(client, tmp_path / "stages.py", text.replace("(rows, 64), \"float16\")\n            sums",
                                                               "(rows, width()), \"float16\")\n            sums"))
    assert await kernel.diagnostics(lambda found: found is not None) == []
    helper.save("def width():\n    return depth\n")
    [found] = await kernel.diagnostics(has("name 'depth' is not defined"))
    assert found.range.start.line + 1 == 13


@pytest.mark.asyncio
async def test_columns_count_as_editors_do(client: LanguageClient, tmp_path):
    text = ONE_INSTANCE.replace("T.clear(sums)", "'\N{SNOWMAN}\N{MUSICAL SYMBOL G CLEF}'; T.clear(summs)")
    [found] = await File(client, tmp_path / "stages.py", text).diagnostics(lambda found: found)
    line = text.splitlines()[found.range.start.line]
    before = line[:line.index("summs")]
    assert found.range.start.character == len(before.encode("utf-16-le")) // 2
    assert found.range.end.character == found.range.start.character + len("summs")


# A program that never ends, and says who it is.
ENDLESS = "#!/bin/sh\necho $$ >> {log}\nexec sleep 1000\n"


def server_with(tmp_path: pathlib.Path, *options: str, script: str = "") -> tuple[LanguageClient, list[str], dict]:
    folder = tmp_path / "programs"
    folder.mkdir()
    if script:
        (folder / "tilescope").write_text(script, encoding="utf-8")
        (folder / "tilescope").chmod(0o755)
    return pytest_lsp.make_test_lsp_client(), [*SERVER, *options], {**os.environ, "TILESCOPE_PROGRAMS": str(folder)}


async def until(wanted) -> None:
    end = time.monotonic() + 60
    while not wanted():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def is_alive(process: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.asyncio
async def test_a_save_ends_what_was_asked_before(tmp_path):
    log = tmp_path / "log"
    client, command, environment = server_with(tmp_path, script=ENDLESS.format(log=log))
    await client.start_io(*command, env=environment)
    await begin(client)
    file = File(client, tmp_path / "stages.py", ONE_INSTANCE)

    def asked() -> list[int]:
        return [int(line) for line in log.read_text().splitlines()] if log.exists() else []

    await until(lambda: len(asked()) == 1)
    hints = asyncio.ensure_future(file.hints())
    await until(lambda: len(asked()) == 2 or os.cpu_count() == 1)
    before = asked()
    file.save(ONE_INSTANCE + "\n")
    assert await asyncio.wait_for(hints, 60) is None
    await until(lambda: not any(map(is_alive, before)) and len(asked()) > len(before))
    await client.shutdown_session()
    await until(lambda: not any(map(is_alive, asked())))


@pytest.mark.asyncio
async def test_time_limit(tmp_path):
    client, command, environment = server_with(tmp_path, "--time-limit=0.1", script=ENDLESS.format(log="/dev/null"))
    await client.start_io(*command, env=environment)
    await begin(client)
    file = File(client, tmp_path / "stages.py", ONE_INSTANCE)
    [found] = await file.diagnostics(has("no answer within 0.1 seconds"))
    assert found.range.start.line == 1
    await client.shutdown_session()


@pytest.mark.asyncio
async def test_the_viewer_is_opened(tmp_path):
    """On the instance of the lens; what it says when it cannot open is shown."""
    client, command, environment = server_with(tmp_path)
    (tmp_path / "programs/tilescope").symlink_to(programs.path("tilescope"))
    viewer = tmp_path / "programs/tilescope-view"
    viewer.write_text(f"#!/bin/sh\necho \"$@\" > {tmp_path}/log\necho no window >&2\nexit 2\n", encoding="utf-8")
    viewer.chmod(0o755)
    await client.start_io(*command, env=environment)
    await begin(client)
    file = File(client, tmp_path / "stages.py", KERNEL)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(file.document))
    lens = await client.code_lens_resolve_async(lenses[3])
    await client.workspace_execute_command_async(types.ExecuteCommandParams(lens.command.command, lens.command.arguments))
    assert (tmp_path / "log").read_text() == f"{file.path}:stages --set rows=512 --set num_stages=4\n"
    assert client.messages[0].message == "Tilescope: no window"
    await client.shutdown_session()


@pytest.mark.asyncio
async def test_missing_program_is_said(tmp_path):
    """Of a package that is installed without its programs."""
    shutil.copytree(pathlib.Path(tilescope.__file__).parent, tmp_path / "tilescope")
    (tmp_path / "tilescope-1.dist-info").mkdir()
    (tmp_path / "tilescope-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: tilescope\nVersion: 1\n")
    client = pytest_lsp.make_test_lsp_client()
    await client.start_io(*SERVER, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    await begin(client)
    await until(lambda: client.messages)
    assert client.messages[0].message.startswith("Tilescope: no program 'tilescope' in ")
    file = File(client, tmp_path / "stages.py", ONE_INSTANCE)
    [found] = await file.diagnostics(lambda found: found)
    assert found.message.startswith("no program 'tilescope' in ") and found.range.start.line == 1
    await client.shutdown_session()
