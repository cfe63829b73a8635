"""Begins to record where TILESCOPE_RECORD names a folder, as soon as the program imports a compiler that is recorded.

tilescope.pth imports this when Python starts and the variable is set."""

import os
import sys

from tilescope.loading import Watcher


class Beginning:
    """The recording of the whole program, which begins with the first compiler that it loads."""

    recording = None

    def begin(self, package: str):
        folder = os.environ["TILESCOPE_RECORD"]
        try:
            from tilescope.recorder.recording import Recording
            if self.recording is None:
                self.recording = Recording(folder, os.environ.get("TILESCOPE_RECORD_REBUILD") == "1")
        except Exception as error:
            print(f"tilescope: nothing is recorded into {folder}: {type(error).__name__}: {error}", file=sys.stderr)
            return
        self.recording.watch(package)


Watcher(Beginning().begin).start()
