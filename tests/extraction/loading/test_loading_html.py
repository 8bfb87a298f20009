from __future__ import annotations

import pytest

from causetrail.errors import DocumentBinary, DocumentDamaged, DocumentEmpty, DocumentEncoding

PAGE = """<!doctype html><html><head><title>Dam &amp; river</title>
<meta property="article:published_time" content="2014-03-02T10:00:00Z">
<style>p { color: red }</style><script>var x = "<p>code</p>";</script></head>
<body><nav><a href="/">Home</a></nav>
<h1>The dam</h1>
<p>The gate   opened
because the <b>gauge</b> <i>failed</i>.</p><p>Second&nbsp;paragraph.<br>New line.</p>
<ul><li>one</li><li>two <ul><li>inner</li></ul></li></ul>
<table><tr><th>Hour</th><th>Level</th></tr><tr><td>1</td><td>4 m</td></tr></table>
<p hidden>unseen one</p><div style="Display : NONE">unseen two<p>unseen three</p></div><template>unseen four</template>
<noscript>unseen five</noscript><!-- unseen six --><svg><text>unseen seven</text></svg>
<pre>kept   as
  it is</pre>
<div>Loose text<div>inner block</div>after</div></body></html>"""


def test_visible_text_in_blocks(document_of) -> None:
    item = document_of(PAGE.encode(), ".html")
    assert item.text == (
        "The dam\n\nThe gate opened because the gauge failed.\n\nSecond\u00a0paragraph.\nNew line.\n\n"
        "one\ntwo\n\ninner\n\nHour\tLevel\n1\t4 m\n\nkept   as\n  it is\n\nLoose text\n\ninner block\n\nafter"
    )
    assert item.source.doc_title == "Dam & river"
    assert item.source.published == "2014-03-02T00:00:00Z"


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="date" content="2 March 2014">',
        '<meta name="DC.date.issued" content="2014-03-02">',
        '<meta itemprop="datePublished" content="2014-03-02">',
        '<script type="application/ld+json">{"@graph":[{"@type":"Article","datePublished":"2014-03-02"}]}</script>',
        '<time itemprop="datePublished" datetime="2014-03-02T10:00">Sunday</time>',
        '<meta name="date" content="soon"><meta name="pubdate" content="2014-03-02">',
    ],
)
def test_where_a_page_tells_its_date(document_of, head: str) -> None:
    item = document_of(f"<html><head>{head}</head><body>Text.</body></html>".encode(), ".html")
    assert item.source.published == "2014-03-02T00:00:00Z"


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:modified_time" content="2014-03-02">',
        "<time datetime='2014-03-02'>then</time>",
        '<script type="application/ld+json">{"datePublished":</script>',
        '<script type="application/ld+json">' + "[" * 50_000 + "</script>",
    ],
)
def test_what_is_no_date_of_publication(document_of, head: str) -> None:
    assert document_of(f"<html><head>{head}</head><body>Text.</body></html>".encode(), ".html").source.published is None


def test_the_encoding_that_a_page_declares(document_of, error_of) -> None:
    body = "<p>The café’s dam</p>"
    page = f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252"></head>{body}'
    assert document_of(page.encode("windows-1252"), ".html").text == "The café’s dam"
    assert isinstance(error_of(body.encode("windows-1252"), ".html"), DocumentEncoding)
    for name in ("hex", "rot13", "no-such-encoding", "idna"):
        document_of(f'<meta charset="{name}"><p>Plain</p>'.encode(), ".html")


@pytest.mark.parametrize("data", [b"<html></html>", b"<script>x</script>", b"<!-- only -->", b"<p> &nbsp; </p>"])
def test_a_page_without_visible_text_is_empty(error_of, data: bytes) -> None:
    assert isinstance(error_of(data, ".html"), DocumentEmpty)


def test_binary_named_as_a_page(error_of) -> None:
    assert isinstance(error_of(bytes(range(256)) * 20, ".html"), DocumentBinary)


@pytest.mark.parametrize(
    "data",
    [
        b"<div>" * 100_000 + b"deep",
        b"<x/>" * 100_000 + b"<div></div>" * 100_000,
        b"<b>" * 100_000 + b"<div></x></div>" * 10_000,
        b"<div " + b" ".join(b"a%d" % i for i in range(100_000)) + b">text</div>",
        b"<div " + b"/".join(b"a%d" % i for i in range(100_000)) + b">text</div>",
        b"<div " + b"".join(b"a%d=''" % i for i in range(100_000)) + b">text</div>",
    ],
)
def test_pages_made_to_exhaust_the_parser_are_refused(error_of, data: bytes) -> None:
    assert isinstance(error_of(data, ".html"), DocumentDamaged)


def test_large_and_deep_pages_that_are_genuine(document_of) -> None:
    rows = "<tr><td><font color=red>cell</td><td>x</td></tr>" * 3_000
    assert document_of(f"<table>{rows}</table>".encode(), ".html").text.count("cell") == 3_000
    assert document_of(b"<div>" * 5_000 + b"deep", ".html").text == "deep"
    picture = f'<img src="data:image/png;base64,{"ab/c" * 200_000}">'
    assert document_of(f"<p>Before</p>{picture}<p>After</p>".encode(), ".html").text == "Before\n\nAfter"
    assert len(document_of(b"<p>word" * 20_000, ".html").text.split()) == 20_000
