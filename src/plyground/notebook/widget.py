"""What all boards of a notebook have in common: what is shown, and how messages are handled.

`shown` is all that a page needs, as plain data in one piece. A page sends messages such as
`{"do": "play", "move": "d3"}`: each names a function in `actions`. What cannot be done is answered
with a line, never with a traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import anywidget
import traitlets

from plyground.core.errors import PlygroundError

Message = dict[str, Any]
NOT_UNDERSTOOD = "the page said something that is not understood"


class Widget(anywidget.AnyWidget):
    """The base of the boards."""

    actions: ClassVar[dict[str, Callable[[Any, Message], None]]] = {}
    """The function for each message that a page may send."""
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self.on_msg(self._receive)

    def _receive(self, _widget: object, content: Any, _buffers: object) -> None:
        try:
            self.actions[content["do"]](self, content)
        except PlygroundError as error:
            self._tell(str(error))
        except (KeyError, TypeError, ValueError, OverflowError):
            self._tell(NOT_UNDERSTOOD)

    def _tell(self, text: str) -> None:
        """Show a line in the place of the usual one."""
        raise NotImplementedError
