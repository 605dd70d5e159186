"""Reads JSON as people write it in settings files, and remembers where each piece stands.

Comments (`//`, `/* */`), trailing commas and a byte order mark are allowed, as Claude Code's users
have them. Anything else that JSON doesn't know is an error.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_LITERAL = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")


class BrokenJsonError(ValueError):
    """The text is not JSON; says what was expected and in which line."""


@dataclass(frozen=True)
class Child:
    """A member of an object or an item of a list, from `start` to the end of its value."""

    space: int
    """Where the white space and the comments before it begin."""
    start: int
    key: str | None
    node: Node
    comma_before: int | None
    """Where the comma stands that separates it from the one before."""
    comma_after: int | None
    """Where the comma behind it stands; the last child's is a trailing comma."""


@dataclass(frozen=True)
class Node:
    """One value, `text[start:end]`."""

    kind: Literal["object", "list", "scalar"]
    start: int
    end: int
    scalar: Any = None
    children: tuple[Child, ...] = ()

    def child(self, key: str) -> Child | None:
        """The member called `key`; of several the last, as JSON.parse has it."""
        return next((child for child in reversed(self.children) if child.key == key), None)

    def value(self) -> Any:
        """The plain Python value."""
        if self.kind == "object":
            return {child.key: child.node.value() for child in self.children}
        if self.kind == "list":
            return [child.node.value() for child in self.children]
        return self.scalar


def parse(text: str) -> Node:
    """Read a whole file. Raises `BrokenJsonError`."""
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    try:
        node = _value(text, start)
    except RecursionError as error:
        raise BrokenJsonError("it is nested too deeply") from error
    if (rest := _skip(text, node.end)) != len(text):
        raise _broken(text, rest, "the end of the file")
    return node


def _value(text: str, at: int) -> Node:
    if text.startswith("{", at):
        return _container(text, at, "object", "}")
    if text.startswith("[", at):
        return _container(text, at, "list", "]")
    if not (found := _STRING.match(text, at) or _LITERAL.match(text, at)):
        raise _broken(text, at, "a value")
    return Node("scalar", at, found.end(), _scalar(text, found))


def _container(text: str, start: int, kind: Literal["object", "list"], closer: str) -> Node:
    children: list[Child] = []
    comma: int | None = None
    space = start + 1
    at = _skip(text, space)
    while not text.startswith(closer, at):
        if children and comma is None:
            raise _broken(text, at, f"a comma or {closer}")
        first, before = at, comma
        key, at = _key(text, at) if kind == "object" else (None, at)
        node = _value(text, at)
        at = _skip(text, node.end)
        comma = at if text.startswith(",", at) else None
        children.append(Child(space, first, key, node, before, comma))
        if comma is not None:
            space = comma + 1
            at = _skip(text, space)
    return Node(kind, start, at + 1, children=tuple(children))


def _key(text: str, at: int) -> tuple[str, int]:
    if not (found := _STRING.match(text, at)):
        raise _broken(text, at, "a key in double quotes")
    colon = _skip(text, found.end())
    if not text.startswith(":", colon):
        raise _broken(text, colon, "a colon")
    return str(_scalar(text, found)), _skip(text, colon + 1)


def _scalar(text: str, found: re.Match[str]) -> Any:
    try:
        return json.loads(found.group())
    except ValueError as error:
        raise _broken(text, found.start(), "a value") from error


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _broken(text: str, at: int, expected: str) -> BrokenJsonError:
    line = text.count("\n", 0, at) + 1
    seen = repr(text[at : at + 12]) if at < len(text) else "the end of the file"
    return BrokenJsonError(f"line {line}: expected {expected}, found {seen}")
