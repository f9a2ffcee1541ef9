"""A small DNS server over UDP on 127.0.0.1: real packets, from a table, and faults on demand."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import dns.flags
import dns.message
import dns.rcode
import dns.rrset

Zone = dict[tuple[str, str], list[str]]
"""By name and type, records as a zone file writes them. A name that is in no key does not exist."""


def txt(record: str) -> str:
    """One TXT record, in strings of at most 255 characters."""
    return " ".join(f'"{record[start : start + 255]}"' for start in range(0, len(record), 255))


@dataclass
class DnsServer:
    """`faults` has an rcode for a name, or SILENT; `seconds` is how long each answer takes, `ttl` how many
    seconds it may be kept."""

    SILENT = dns.rcode.Rcode(15)

    zone: Zone = field(default_factory=dict)
    faults: dict[str, dns.rcode.Rcode] = field(default_factory=dict)
    seconds: float = 0.0
    ttl: int = 0
    asked: list[tuple[str, str]] = field(default_factory=list)
    address: str = ""

    def publish(self, name: str, record: str, kind: str = "TXT") -> None:
        self.zone.setdefault((name.lower(), kind), []).append(txt(record) if kind == "TXT" else record)

    def respond(self, packet: bytes) -> bytes | None:
        query = dns.message.from_wire(packet)
        question = query.question[0]
        name, kind = question.name.to_text(omit_final_dot=True).lower(), question.rdtype.name
        self.asked.append((name, kind))
        time.sleep(self.seconds)
        fault = self.faults.get(name)
        if fault is self.SILENT:
            return None
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        if fault:
            response.set_rcode(fault)
        elif records := self.zone.get((name, kind)):
            response.answer.append(dns.rrset.from_text(question.name, self.ttl, "IN", kind, *records))
        elif name not in {known for known, _kind in self.zone}:
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response.to_wire()


@contextmanager
def dns_server() -> Iterator[DnsServer]:
    server = DnsServer()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        udp.settimeout(0.05)
        server.address = f"127.0.0.1:{udp.getsockname()[1]}"
        over = threading.Event()

        def serve() -> None:
            while not over.is_set():
                try:
                    packet, asker = udp.recvfrom(4096)
                except TimeoutError:
                    continue
                if (answer := server.respond(packet)) is not None:
                    udp.sendto(answer, asker)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            over.set()
            thread.join()
