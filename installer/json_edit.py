"""Adds entries to a JSON file and takes them out again without touching anybody else's bytes.

An entry is put first into its list or object: one piece of text, with a comma of its own, so that
no foreign character changes, not even the comma of a neighbour. The pieces are handed to the caller
to keep; while they stand in the file as they were written, cutting them out gives the former bytes.
Where another program has written the file anew (Claude Code does), the entries are found by their
content instead.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from installer.json_tree import BrokenJsonError, Child, Node, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_COMMENTS_TO_LINE_END = re.compile(
    r"(?:[ \t]*/\*(?:(?!\*/)[^\r\n])*\*/)*(?:[ \t]*//[^\r\n]*)?(?=[ \t]*\r?\n)"
)

_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_LINE_END = re.compile(r"[ \t]*[\r\n]")


@dataclass(frozen=True)
class Edited:
    """A new text, and the pieces that were put into it, the last one first to be taken out."""

    text: str
    pieces: tuple[str, ...] = ()


def add_to_list(text: str, path: Sequence[str], value: Any) -> Edited:
    """Put `value` first into the list at `path`; objects and list are made where they are missing.

    A blank text becomes a whole file. Raises `BrokenJsonError` where the text is no JSON, or
    something else than an object or list stands in the way.
    """
    style = _Style.of(text)
    if _is_blank(text):
        piece = style.render(_nested(path, [value]), "") + style.newline
        return Edited(text + piece, (piece,))
    node = parse(text)
    for depth, key in enumerate(path):
        _expect(node, "object", path[:depth])
        child = node.child(key)
        if child is None:
            entry = f"{json.dumps(key)}: ", _nested(path[depth + 1 :], [value])
            return style.put_first(text, node, *entry)
        node = child.node
    _expect(node, "list", path)
    return style.put_first(text, node, "", value)


def take_out(text: str, pieces: Sequence[str], is_ours: Callable[[Any], bool]) -> str:
    """Remove what `add_to_list` put in: the pieces, then whatever else `is_ours` recognises.

    `is_ours` is asked about each value in a list. A list or object that becomes empty by that goes
    too. Raises `BrokenJsonError` where the text is no JSON.
    """
    if _is_blank(text):
        return text
    parse(text)
    shorter = text
    for piece in reversed(pieces):
        shorter = shorter.replace(piece, "", 1)
    if not _is_blank(shorter):
        try:
            parse(shorter)
        except BrokenJsonError:
            shorter = text
    while not _is_blank(shorter) and (cut := _find_cut(shorter, parse(shorter), is_ours)):
        shorter = cut
    return shorter


def values(text: str) -> Any:
    """The plain value of a JSON text; None for a blank one."""
    return None if _is_blank(text) else parse(text).value()


@dataclass(frozen=True)
class _Style:
    """How the file is laid out."""

    newline: str
    indent: str

    @classmethod
    def of(cls, text: str) -> _Style:
        found = re.search(r"\n([ \t]+)\S", text)
        newline = "\r\n" if "\r\n" in text else "\n"
        return cls(newline, found.group(1) if found else "  ")

    def render(self, value: Any, margin: str) -> str:
        lines = json.dumps(value, indent=self.indent, ensure_ascii=False).split("\n")
        return (self.newline + margin).join(lines)

    def put_first(self, text: str, container: Node, key: str, value: Any) -> Edited:
        opening = container.start + 1
        found = _COMMENTS_TO_LINE_END.match(text, opening)
        place = found.end() if found else opening
        if not container.children:
            margin = _margin(text, container.start)
            piece = self._line(key, value, margin + self.indent)
            if "\n" not in text[place : container.end]:
                piece += self.newline + margin
        elif "\n" in text[place : (first := container.children[0].start)]:
            piece = self._line(key, value, _margin(text, first)) + ","
        else:
            piece = key + json.dumps(value, ensure_ascii=False) + ","
        return Edited(text[:place] + piece + text[place:], (piece,))

    def _line(self, key: str, value: Any, margin: str) -> str:
        return self.newline + margin + key + self.render(value, margin)


def _margin(text: str, at: int) -> str:
    """The white space that the line of `at` begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _expect(node: Node, kind: str, path: Sequence[str]) -> None:
    if node.kind != kind:
        raise BrokenJsonError(f"{'.'.join(path) or 'the file'} is no {kind}")


def _is_blank(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def _find_cut(text: str, root: Node, is_ours: Callable[[Any], bool]) -> str | None:
    """The text without the first of our values that is found; None where there is none."""
    for parents in _lineages(root, ()):
        if parents[-1].key is None and is_ours(parents[-1].node.value()):
            return _cut(text, [*_emptied(parents)][-1])
    return None


def _lineages(node: Node, parents: tuple[Child, ...]) -> Iterator[tuple[Child, ...]]:
    """Each child below `node` with all its parents, itself last."""
    for child in node.children:
        yield (*parents, child)
        yield from _lineages(child.node, (*parents, child))


def _emptied(parents: tuple[Child, ...]) -> Iterator[Child]:
    """The last of `parents`, and those above that hold nothing beside it."""
    yield parents[-1]
    for parent in reversed(parents[:-1]):
        if len(parent.node.children) > 1:
            return
        yield parent


def _cut(text: str, child: Child) -> str:
    """The text without a child, the white space before it and one comma."""
    start = len(text[: child.start].rstrip(" \t\r\n"))
    before, after = text[:start], text[child.node.end :]
    if child.comma_after is not None:
        after = text[child.node.end : child.comma_after] + text[child.comma_after + 1 :]
    elif child.comma_before is not None:
        before = text[: child.comma_before] + text[child.comma_before + 1 : start]
    if _ends_in_line_comment(text[child.space : start]) and not _LINE_END.match(after):
        before += text[start : child.start].lstrip(" \t")  # or what follows would be comment, too
    return before + after


def _ends_in_line_comment(space: str) -> bool:
    comments = _COMMENT.findall(space)
    return bool(comments) and comments[-1].startswith("//")
