"""Conversation text as safe HTML.

Raw HTML is shown as text, images are named and not loaded, and only web and mail addresses become
links: nothing in a conversation can run, or ask anything of the network by being looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markupsafe import Markup, escape

from core.display.markup import marked
from core.display.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping, Sequence

    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token
    from markdown_it.utils import OptionsDict

LONG_CODE_LINES = 30
"""Code of more lines is folded."""

_SAFE_LINKS = ("http://", "https://", "mailto:")


def markdown_html(text: str, words: Iterable[str] = ()) -> Markup:
    """Render Markdown as Claude writes it (CommonMark, tables, strikethrough), `words` marked."""
    return Markup(_FULL.render(visible(text), {"words": tuple(words)}))


def prompt_html(text: str, words: Iterable[str] = ()) -> Markup:
    """Keep a person's prompt as it was typed; only code between backticks is set as code.

    What people paste (logs, diffs, lists) is seldom meant as Markdown.
    """
    return Markup(_PROMPT.render(visible(text), {"words": tuple(words)}))


def sentence_html(text: str, words: Iterable[str] = ()) -> Markup:
    """Set code between backticks as code in a title, a summary or a decision, `words` marked."""
    return Markup(_PROMPT.renderInline(visible(text), {"words": tuple(words)}))


class _Renderer(RendererHTML):
    """Renders tokens with matches marked, code folded and images only named."""

    def text(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        return marked(tokens[idx].content, env["words"])

    def code_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        return f"<code>{marked(tokens[idx].content, env['words'])}</code>"

    def code_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        return _code(tokens[idx].content, "", env["words"])

    def fence(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        language = tokens[idx].info.split(maxsplit=1)[:1]
        return _code(tokens[idx].content, "".join(language), env["words"])

    def image(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        source = escape(tokens[idx].attrGet("src") or "")
        name = marked(tokens[idx].content or "image", env["words"])
        return f'<span class="image" title="{source}">{name}</span>'

    def table_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        return '<div class="table"><table>\n'

    def table_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        return "</table></div>\n"


def _code(text: str, language: str, words: Iterable[str]) -> str:
    lines = text.count("\n")
    block = f"<pre><code>{marked(text, words)}</code></pre>\n"
    label = escape(language)
    if lines > LONG_CODE_LINES:
        about = f"{label} · {lines} lines" if label else f"{lines} lines"
        return f'<details class="code"><summary>{about}</summary>{block}</details>\n'
    return (
        f'<figure class="code"><figcaption>{label}</figcaption>{block}</figure>\n'
        if label
        else block
    )


def _tame(state: StateCore) -> None:
    """Take out of the tokens what a page can't have from a conversation.

    Links that lead anywhere but to the web or a mail box become plain text with a hint. Headings
    become paragraphs that look like them: the page has an outline of its own. Inline styles, as
    table cells have, are refused by the page's security policy.
    """
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.attrs = {"class": f"heading {token.tag}"} if token.nesting == 1 else {}
            token.tag = "p"
        if style := token.attrs.pop("style", None):
            token.attrs["class"] = str(style).removeprefix("text-align:")
        safe = True
        for child in token.children or ():
            if child.type == "link_open":
                address = str(child.attrGet("href") or "")
                safe = address.lower().startswith(_SAFE_LINKS)
                child.attrs = (
                    {"href": address, "target": "_blank", "rel": "noopener noreferrer"}
                    if safe
                    else {"class": "path", "title": address}
                )
            if child.type in ("link_open", "link_close") and not safe:
                child.tag = "span"


def _parser(preset: str) -> MarkdownIt:
    parser = MarkdownIt(preset, {"html": False, "breaks": True}, renderer_cls=_Renderer)
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # `_tame` decides
    parser.core.ruler.push("tame", _tame)
    return parser


_FULL = _parser("commonmark").enable(["table", "strikethrough"])
_PROMPT = _parser("zero").enable(["fence", "backticks"])
