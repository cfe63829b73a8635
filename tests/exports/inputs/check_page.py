"""A page of ours: at most so many bytes, all elements closed, ids unique, links that lead somewhere, nothing
fetched, nothing run. A page that is cut (--cut) may link to what was left out."""

import html.parser
import pathlib
import sys

# Elements that HTML does not close.
VOID = {"meta", "link"}
EXPECTED = {"html", "head", "title", "style", "body", "h1", "h2", "h3", "p", "a", "b", "i", "span", "pre", "code",
            "table", "tr", "th", "td", "ul", "li", "details", "summary", "figure", "svg", "g", "defs", "pattern",
            "rect", "line", "text", "path", "circle", "polygon"} | VOID


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.faults = [], set(), set(), []

    def handle_startendtag(self, tag, attrs):
        self.look_at(tag, attrs)

    def handle_starttag(self, tag, attrs):
        self.look_at(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")

    def look_at(self, tag, attrs):
        if tag not in EXPECTED:
            self.faults.append(f"line {self.getpos()[0]}: <{tag}>")
        in_picture = "svg" in self.open
        for name, value in attrs:
            if name == "id" and not in_picture and value in self.ids:
                self.faults.append(f"id {value} stands twice")
            if name == "id":
                self.ids.add(value)
            if name == "href" and tag == "a":
                self.links.add(value)
            if name.startswith("on") or name == "src":
                self.faults.append(f"line {self.getpos()[0]}: attribute {name}")


path, most = pathlib.Path(sys.argv[1]), int(sys.argv[2])
data = path.read_bytes()
page = Page()
page.feed(data.decode("utf-8"))
faults = page.faults + [f"{tag} is not closed" for tag in page.open]
if len(data) > most:
    faults.append(f"{len(data)} bytes, more than {most}")
for link in sorted(page.links):
    if not link.startswith("#"):
        faults.append(f"{link} leads out of the page")
    elif link[1:] not in page.ids and "--cut" not in sys.argv:
        faults.append(f"{link} leads nowhere")
if not page.links:
    faults.append("no links")
for word in [b"\x1b", "\u202e".encode()]:
    if word in data:
        faults.append(f"holds {word!r}")
print("\n".join(faults[:20]))
sys.exit(bool(faults))
