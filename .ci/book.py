"""Lists the documents and divides them into blocks and prose, for the other scripts in this folder."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "docs" / "src"
PICTURES = BOOK / "pictures"
# These chapters are specifications, so their numbers are not measurements, or `.ci/papers` generates and checks them.
UNCHECKED = ["formats.md", "json.md", "papers.md"]


def chapters():
    """The book's chapters, in the order of SUMMARY.md."""
    summary = (BOOK / "SUMMARY.md").read_text()
    return [BOOK / name for name in re.findall(r"\]\(([^)#]+\.md)\)", summary)]


def documents():
    """The README, followed by the chapters of the book."""
    return [ROOT / "README.md", *chapters()]


def name_of(path):
    return str(path.relative_to(ROOT))


def cells(line):
    """The cells of a line of a table in Markdown."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def markdown_tables(text):
    """Returns the tables of a document, each as a list of dictionaries."""
    lines = text.splitlines()
    tables = []
    for at, line in enumerate(lines[:-1]):
        if line.startswith("|") and lines[at + 1].startswith("|--"):
            rows = []
            for row in lines[at + 2 :]:
                if not row.startswith("|"):
                    break
                rows.append(dict(zip(cells(line), cells(row))))
            tables.append(rows)
    return tables


# A fenced block (its language and text), a comment, or a line of anything else.
PART = re.compile(
    r"```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^```$"
    r"|<!--(?P<comment>(?:(?!-->).)*)-->$"
    r"|(?P<line>[^\n]*)",
    re.MULTILINE | re.DOTALL,
)


def parts(text):
    """Divides a document into `(kind, text, start, end)`, where `kind` is `comment`, `line`, or the language of a fenced block."""
    at = 0
    while at < len(text):
        found = PART.match(text, at)
        if found.group("comment") is not None:
            kind, group = "comment", "comment"
        elif found.group("code") is not None:
            kind, group = found.group("language") or "text", "code"
        else:
            kind, group = "line", "line"
        yield kind, found.group(group), found.start(group), found.end(group)
        at = found.end() + 1
