"""The language server: what editors ask, and who answers it. Nothing here waits for the program: requests do."""

import asyncio
import pathlib
from collections.abc import Callable

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from tilescope import programs
from tilescope.editor import lenses
from tilescope.editor.asking import Program
from tilescope.editor.diagnostics import Found, actions
from tilescope.editor.hints import hints
from tilescope.editor.hover import hover
from tilescope.editor.snapshots import Snapshot
from tilescope.problem import Problem


class KernelServer(LanguageServer):
    """`options` go to every question; `target` to those of instances that name none."""

    def __init__(self, options: list[str], target: str | None, time_limit: float):
        super().__init__("tilescope", programs.version())
        self.options, self.target = options, target
        self.program = Program(time_limit)
        self.snapshots: dict[str, Snapshot] = {}  # by URI: the text as it was saved
        self.found: dict[str, Found] = {}

    def begin(self, uri: str) -> None:
        """The file was opened or saved: what was asked of the text before is dropped."""
        self.end(uri)
        snapshot = Snapshot(self.workspace.get_text_document(uri), self.program, self.options, self.target)
        self.snapshots[uri] = snapshot
        had = uri in self.found
        self.found[uri] = Found(snapshot, self.found.get(uri))
        if snapshot.instances:
            snapshot.start(self.check(snapshot))
        elif had:
            self.publish(snapshot)

    def begin_importers(self, uri: str) -> None:
        """Kernels may import a file that lists none of its own."""
        if not self.snapshots[uri].instances:
            for other in [other for other, snapshot in self.snapshots.items() if snapshot.instances and snapshot.is_current()]:
                self.begin(other)

    def end(self, uri: str) -> None:
        if snapshot := self.snapshots.pop(uri, None):
            snapshot.end()

    async def check(self, snapshot: Snapshot) -> None:
        """Instance by instance, so that what the first one shows is there at once."""
        for instance in snapshot.instances:
            try:
                answer = await snapshot.check(instance)
            except Problem as problem:
                answer = problem
            self.found[snapshot.document.uri].take(instance, answer)
            self.publish(snapshot)
        self.refresh()

    def publish(self, snapshot: Snapshot) -> None:
        uri = snapshot.document.uri
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(
            uri=uri, diagnostics=self.found[uri].all(), version=snapshot.version))

    def refresh(self) -> None:
        """Hints and lenses have changed with what was saved; not every editor can be told."""
        can = self.client_capabilities.workspace
        if can and can.inlay_hint and can.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if can and can.code_lens and can.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def current(self, uri: str) -> Snapshot | None:
        """None: the text has changed since it was saved, so nothing is known of it."""
        snapshot = self.snapshots.get(uri)
        return snapshot if snapshot and snapshot.is_current() else None

    def say(self, text: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"Tilescope: {text}"))


def answered_now(ask: Callable) -> Callable:
    """A request for a snapshot: null where the text is newer, before or after the program was asked."""
    async def answer(server: KernelServer, params):
        snapshot = server.current(params.text_document.uri)
        if snapshot is None:
            return None
        try:
            found = await ask(snapshot, params)
        except asyncio.CancelledError:
            if snapshot.ended:
                return None
            raise
        return found if snapshot.is_current() else None
    return answer


def make_server(options: list[str], target: str | None, time_limit: float) -> KernelServer:
    server = KernelServer(options, target, time_limit)
    follow_files(server)
    answer_requests(server)
    return server


def follow_files(server: KernelServer) -> None:
    @server.feature(types.INITIALIZED)
    def initialized(server: KernelServer, _):
        try:
            programs.path("tilescope")
        except FileNotFoundError as error:
            server.say(str(error))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(server: KernelServer, params: types.DidOpenTextDocumentParams):
        server.begin(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(server: KernelServer, params: types.DidSaveTextDocumentParams):
        server.begin(params.text_document.uri)
        server.begin_importers(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(server: KernelServer, params: types.DidCloseTextDocumentParams):
        uri = params.text_document.uri
        server.end(uri)
        if server.found.pop(uri, None):
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))


def answer_requests(server: KernelServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @answered_now
    async def hovered(snapshot: Snapshot, params: types.HoverParams):
        return await hover(snapshot, params.position)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    @answered_now
    async def hinted(snapshot: Snapshot, params: types.InlayHintParams):
        return await hints(snapshot, params.range)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    def fixed(server: KernelServer, params: types.CodeActionParams):
        uri = params.text_document.uri
        snapshot = server.current(uri)
        return actions(snapshot, server.found[uri], params.range) if snapshot else None

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    @answered_now
    async def lensed(snapshot: Snapshot, _: types.CodeLensParams):
        return lenses.lenses(snapshot)

    @server.feature(types.CODE_LENS_RESOLVE)
    async def resolved(server: KernelServer, lens: types.CodeLens):
        uri, line, what = lens.data
        lens.command = types.Command("", "")
        snapshot = server.current(uri)
        instance = lenses.instance_of(snapshot, line) if snapshot else None
        if instance:
            try:
                lens.command = await lenses.command(snapshot, instance, what)
            except asyncio.CancelledError:
                if not snapshot.ended:
                    raise
        return lens

    @server.command(lenses.VIEW)
    async def viewed(server: KernelServer, uri: str, line: int):
        snapshot = server.snapshots.get(uri)
        instance = lenses.instance_of(snapshot, line) if snapshot else None
        if not instance:
            return server.say(f"{pathlib.Path(uri).name} has no instance in line {line + 1}")
        try:
            child = lenses.view(snapshot, instance)
        except Problem as problem:
            return server.say(str(problem))
        # One that closes at once has said why.
        if reason := await asyncio.to_thread(lenses.reason_of, child, 5):
            server.say(reason)
