"""What a network and its boxes do to one request, and how often."""

import re

# name: (weight, where it strikes). `before`: the service never sees the request; `after`: it has had its effect.
KINDS = {
    "drop-before": 6,
    "drop-after": 8,
    "drop-half-request": 4,
    "cut": 8,
    "delay": 8,
    "trickle": 4,
    "duplicate": 8,
    "echo": 4,
    "redirect-login": 4,
    "redirect-307": 5,
    "portal": 4,
    "portal-after": 4,
    "portal-json": 3,
    "empty-200": 2,
    "empty-204": 4,
    "empty-204-after": 4,
    "gateway-502": 4,
    "gateway-502-after": 6,
    "gateway-503": 3,
    "gateway-504-after": 4,
    "gateway-500-after": 3,
    "gateway-404": 2,
    "gateway-403": 1,
    "gateway-401": 1,
    "gateway-413": 1,
    "gateway-429": 1,
}

WRITE_LINE = re.compile(rb"^(?:POST|PUT|PATCH|MERGE|DELETE) \S+ HTTP/1\.1", re.M)
IDENTITY_LINE = re.compile(rb"^repeatability-request-id:", re.M | re.I)


def draw(chance, request, knows_identities):
    """A fault for this request; one that would double what the service cannot know again becomes a delay."""
    kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
    if kind in ("duplicate", "echo") and not may_come_twice(request, kind, knows_identities):
        return "delay"
    return kind


def may_come_twice(request, kind, knows_identities):
    """Whether the texts let a box on the way send the request again (RFC 9110, 9.2.2), or its identity makes it safe."""
    if request.method in ("GET", "HEAD"):
        return kind == "duplicate"
    if request.path.endswith("$batch"):
        writes = len(WRITE_LINE.findall(request.body))
        if writes == 0:
            return kind == "duplicate"
        return knows_identities and writes == len(IDENTITY_LINE.findall(request.body))
    if knows_identities and any(name.lower() == "repeatability-request-id" for name, _ in request.headers):
        return True
    return kind == "duplicate" and request.method in ("PUT", "PATCH", "MERGE", "DELETE")
