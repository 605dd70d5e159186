"""Markdown as safe HTML."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.display.markdown import LONG_CODE_LINES, markdown_html, prompt_html, sentence_html
from tests.support.pages import HOSTILE

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("div", "table", "thead", "tbody", "tr", "th", "td", "span", "mark"),
    *("figure", "figcaption", "details", "summary"),
}
ATTRIBUTES = {"class", "href", "target", "rel", "title", "start"}


class _Inspector(HTMLParser):
    """Notes whatever is in the HTML that conversation text must not bring there."""

    def __init__(self) -> None:
        super().__init__()
        self.forbidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.forbidden.append(tag)
        for name, value in attrs:
            safe_link = str(value).lower().startswith(("http://", "https://", "mailto:"))
            if name not in ATTRIBUTES or (name == "href" and not safe_link):
                self.forbidden.append(f"{tag} {name}={value}")

    def handle_comment(self, data: str) -> None:
        self.forbidden.append(f"comment {data}")


def forbidden_in(html: str) -> list[str]:
    inspector = _Inspector()
    inspector.feed(html)
    inspector.close()
    return inspector.forbidden


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_brings_no_element_of_its_own(text: str) -> None:
    assert forbidden_in(markdown_html(text, ("script", "img"))) == []
    assert forbidden_in(prompt_html(text, ("script", "img"))) == []
    assert forbidden_in(sentence_html(text, ("script", "img"))) == []


@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    *("<", ">", '"', "'", "&", "&lt;", "&#60;", "[", "](", ")", "![", "`", "```\n"),
                    *("\n", "\n\n", "    ", "- ", "# ", "> ", "| a | b |\n|:-:|-|\n", "<!--", "*"),
                    *("javascript:alert(1)", "https://x.example/", "data:text/html,", "~~", "\\"),
                    *("<script>", "</script>", "<img src=x onerror=y>", "word", "\x00", "\u202e"),
                ]
            ),
            st.text(max_size=5),
        ),
        max_size=30,
    ).map("".join)
)
def test_no_text_brings_an_element_of_its_own(text: str) -> None:
    assert forbidden_in(markdown_html(text, ("word", "script"))) == []
    assert forbidden_in(prompt_html(text, ("word", "script"))) == []
    assert forbidden_in(sentence_html(text, ("word", "script"))) == []


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#115;cript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "vbscript:x",
        "//evil.example",
        "src/app.py#L4",
    ],
)
def test_a_link_that_is_not_to_the_web_is_text(address: str) -> None:
    html = markdown_html(f"[here]({address})")
    assert "<a" not in html
    assert ">here</span>" in html


@pytest.mark.parametrize("address", ["https://a.example/?b=c&d", "mailto:lena@example.org"])
def test_web_and_mail_links_are_links_that_tell_nothing(address: str) -> None:
    html = markdown_html(f"[here]({address})")
    assert 'target="_blank" rel="noopener noreferrer">here</a>' in html


def test_an_image_is_named_and_not_loaded() -> None:
    html = markdown_html("![a cat](https://a.example/cat.png)")
    assert html == ('<p><span class="image" title="https://a.example/cat.png">a cat</span></p>\n')


def test_code_and_tables_are_set_as_such() -> None:
    assert "<code>x &lt; 1</code>" in markdown_html("`x < 1`")
    table = markdown_html("| a | b |\n|---|--:|\n| 1 | 2 |")
    assert '<td class="right">2</td>' in table
    assert "style=" not in table


def test_short_code_is_shown_and_long_code_is_folded() -> None:
    short = "```sh\n" + "ls\n" * LONG_CODE_LINES + "```"
    long = "```sh\n" + "ls\n" * (LONG_CODE_LINES + 1) + "```"
    assert "<details" not in markdown_html(short)
    assert f"<summary>sh · {LONG_CODE_LINES + 1} lines</summary>" in markdown_html(long)


def test_headings_are_not_part_of_the_outline() -> None:
    assert markdown_html("## Plan") == '<p class="heading h2">Plan</p>\n'


def test_line_breaks_stay() -> None:
    assert "one<br />\ntwo" in markdown_html("one\ntwo")


def test_matches_are_marked_in_text_and_code() -> None:
    html = markdown_html("The *cache* and `cache` and\n\n```\ncache\n```", ("cache",))
    assert html.count("<mark>cache</mark>") == 3


def test_a_prompt_is_left_as_it_was_typed() -> None:
    typed = "# not a heading\n- no list\n    indented *stars* [a](b)"
    assert prompt_html(typed) == f"<p>{typed}</p>\n"


def test_code_in_a_prompt_is_set_as_code() -> None:
    html = prompt_html("run `make`:\n```\nerror: x\n```")
    assert "<code>make</code>" in html
    assert "<pre><code>error: x\n</code></pre>" in html


def test_a_sentence_of_a_summary_has_its_code_set_as_code_and_nothing_else() -> None:
    assert sentence_html("Use `x < 1`, not <b> or **/*.py") == (
        "Use <code>x &lt; 1</code>, not &lt;b&gt; or **/*.py"
    )


def test_matches_in_a_summary_are_marked_in_text_and_code() -> None:
    html = sentence_html("The cache and `the cache`", ("cache",))
    assert html == "The <mark>cache</mark> and <code>the <mark>cache</mark></code>"
