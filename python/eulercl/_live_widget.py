# SPDX-License-Identifier: BSD-2-Clause
"""The page of a live view in a notebook."""
import anywidget
import traitlets

from ._live import PAGE


class Widget(anywidget.AnyWidget):
    """What `live` returns. All that it tells the page are its elements and messages."""

    _esm = PAGE / "live.js"
    _css = PAGE / "live.css"
    page = traitlets.Unicode().tag(sync=True)

    def __init__(self, session):
        super().__init__(page=(PAGE / "view.html").read_text("utf-8"))
        self.session, self._viewer, self._views = session, None, 0
        self.on_msg(self._receive)

    def _receive(self, widget, content, buffers):
        del widget, buffers
        if content == {"type": "join"}:
            if self._viewer is not None:
                self.session.leave(self._viewer)
            self._views += 1
            self._viewer = self.session.join(
                lambda content, data: self.send(content, None if data is None else [data]))
        elif content == {"type": "leave"} and self._viewer is not None:
            self._views -= 1
            if self._views == 0:
                self.session.leave(self._viewer)
                self._viewer = None
        elif self._viewer is not None:
            self.session.receive(self._viewer, content)

    def close(self):
        """End the run."""
        self.session.close()
        super().close()
