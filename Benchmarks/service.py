"""A V4 service in memory for benchmarks that do not measure the download of rows: sets with a delta link that never
has changes, $batch, and a record of the requests."""
import json
import http.server
import threading

EDM = "http://docs.oasis-open.org/odata/ns/edm"
RELATED = """<EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
<Property Name="City" Type="Edm.String"/>
<NavigationProperty Name="Orders" Type="Collection(Bench.Order)" Partner="Buyer"/></EntityType>
<EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Number" Type="Edm.Int64"/>
<Property Name="Customer" Type="Edm.String"/><Property Name="City" Type="Edm.String"/>
<Property Name="Street" Type="Edm.String"/><Property Name="Category" Type="Edm.String"/>
<Property Name="Note" Type="Edm.String"/><Property Name="Price" Type="Edm.Decimal" Precision="15" Scale="2"/>
<Property Name="Tax" Type="Edm.Decimal" Precision="15" Scale="2"/>
<Property Name="Weight" Type="Edm.Decimal" Precision="12" Scale="3"/>
<Property Name="CreatedAt" Type="Edm.DateTimeOffset" Precision="3"/><Property Name="DueDate" Type="Edm.Date"/>
<Property Name="Active" Type="Edm.Boolean"/><Property Name="CustomerID" Type="Edm.Int64"/>
<NavigationProperty Name="Buyer" Type="Bench.Customer" Partner="Orders">
<ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
<EntityContainer Name="Container"><EntitySet Name="Customers" EntityType="Bench.Customer">
<NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
<EntitySet Name="Orders" EntityType="Bench.Order"><NavigationPropertyBinding Path="Buyer" Target="Customers"/>
</EntitySet></EntityContainer>"""


def related_sets(customers, orders_each):
    """Customers with orders; `Number` is a permutation of the keys, so that its index and the rows differ in order."""
    count = customers * orders_each
    words = ["deliver", "before", "noon", "fragile", "keep", "upright", "call", "ahead", "ring", "twice"]
    orders = [{
        "ID": number, "Number": number * 7919 % count + 1, "Customer": f"Customer {number % 20000} & Sons GmbH",
        "City": ["München", "Köln", "Zürich", "Berlin"][number % 4], "Street": f"Hauptstraße am Markt {number % 200}",
        "Category": ["standard", "express", "return"][number % 3],
        "Note": " ".join(words[(number >> bit) % 10] for bit in range(12)) if number % 2 else None,
        "Price": number % 100000 + number % 100 / 100, "Tax": number % 1000 / 100, "Weight": number % 500000 / 1000,
        "CreatedAt": f"20{10 + number % 20:02}-{1 + number % 12:02}-{1 + number % 28:02}T{number % 24:02}:30:15.5Z",
        "DueDate": f"20{10 + number % 20:02}-{1 + number % 12:02}-{1 + number % 28:02}", "Active": number % 2 == 0,
        "CustomerID": number * 31 % customers + 1} for number in range(1, count + 1)]
    buyers = [{"ID": number, "Name": f"Customer {number}", "City": "Wien"} for number in range(1, customers + 1)]
    return RELATED, {"Customers": buyers, "Orders": orders}


def plain_sets(count):
    """So many sets of ten rows each."""
    names = [f"Set{number:02}" for number in range(1, count + 1)]
    text = ('<EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int64"'
            ' Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType><EntityContainer Name="Container">'
            + "".join(f'<EntitySet Name="{name}" EntityType="Bench.Item"/>' for name in names) + "</EntityContainer>")
    return text, {name: [{"ID": row, "Name": f"Item {row}"} for row in range(1, 11)] for name in names}


class Service:
    """Serves metadata and rows until the `with` block ends; `requests` holds all requests since the last clear."""

    def __init__(self, schema, sets):
        self.metadata = (f'<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">'
                         f'<edmx:DataServices><Schema Namespace="Bench" xmlns="{EDM}">{schema}</Schema>'
                         f'</edmx:DataServices></edmx:Edmx>').encode()
        self.sets = sets
        # What the next delta of a set brings; the one behind it brings nothing.
        self.changes = {}
        self.requests = []

    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, target):
        """Status, content type and body for a GET of a target without the root."""
        name = target.split("?")[0]
        if name in ("$metadata", "%24metadata"):
            return 200, "application/xml", self.metadata
        if name == "":
            names = [{"name": name, "kind": "EntitySet", "url": name} for name in self.sets]
            return 200, "application/json", self.text("$metadata", names, None)
        if name not in self.sets:
            return 404, "application/json", b'{"error":{"code":"404","message":"not found"}}'
        if "deltatoken" in target:
            return 200, "application/json", self.delta(name, target)
        return 200, "application/json", self.text(f"$metadata#{name}", self.sets[name], f"{name}?$deltatoken=1")

    def delta(self, name, target):
        """A page of at most 5,000 changed rows; a target without a place is the first."""
        token = target.split("deltatoken=")[1]
        changes = self.changes.get(name, []) if token.startswith("1") else []
        start = int(token.partition("at")[2] or 0)
        page, context = changes[start:start + 5_000], f"$metadata#{name}/$delta"
        if start + len(page) < len(changes):
            return self.text(context, page, f"{name}?$deltatoken=1at{start + len(page)}", "nextLink")
        return self.text(context, page, f"{name}?$deltatoken={2 if changes else token}")

    def text(self, context, value, link, kind="deltaLink"):
        body = {"@odata.context": self.url + context, "value": value}
        if link:
            body["@odata." + kind] = self.url + link
        return json.dumps(body, ensure_ascii=False).encode()

    def batch(self, body, boundary):
        """Answers to the GET parts of a multipart batch, in order."""
        parts = []
        for part in body.split(b"--" + boundary.encode())[1:-1]:
            line = next(line for line in part.decode().splitlines() if line.startswith("GET "))
            target = line.split(" ")[1].removeprefix(self.url).lstrip("/")
            status, kind, content = self.answer(target)
            parts.append(b"--answer\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
                         + f"HTTP/1.1 {status} OK\r\nContent-Type: {kind}\r\nOData-Version: 4.0\r\n"
                           f"Preference-Applied: odata.track-changes\r\nContent-Length: {len(content)}\r\n\r\n".encode()
                         + content + b"\r\n")
        return b"".join(parts) + b"--answer--\r\n"

    def handler(service):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def respond(self, status, kind, body):
                self.send_response(status)
                for name, value in (("OData-Version", "4.0"), ("Content-Type", kind), ("Content-Length", len(body)),
                                    ("Preference-Applied", "odata.track-changes")):
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(body)

            def note(self, body):
                kept = [f"{name}: {value}" for name, value in self.headers.items()
                        if name.lower() not in ("host", "content-length", "connection")]
                service.requests.append((self.command, service.url + self.path.lstrip("/"), kept, body))

            def do_GET(self):
                self.note(b"")
                self.respond(*service.answer(self.path.lstrip("/")))

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.note(body)
                boundary = self.headers["Content-Type"].split("boundary=")[1].split(";")[0].strip('"')
                self.respond(200, "multipart/mixed; boundary=answer", service.batch(body, boundary))

            def log_message(self, *_):
                pass
        return Handler
