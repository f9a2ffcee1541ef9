"""Mails that no reader may fall over: nested, endless, broken, of one letter."""

from __future__ import annotations


def bombs(header: bytes, move: bytes) -> dict[str, bytes]:
    """By name; `header` has no line end behind it."""
    header += b"\r\n"
    mixed = b'Content-Type: multipart/mixed; boundary="b"\r\nMIME-Version: 1.0\r\n\r\n'
    part = b"--b\r\nContent-Type: text/plain\r\n\r\n" + move + b"\r\n"
    deep = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (number, number) for number in range(300)
    )
    nested = b"".join(b"Content-Type: message/rfc822\r\n\r\n" for _ in range(300))
    return {
        "no text": header + b"\r\n",
        "no end of the header": header.rstrip(),
        "many parts": header + mixed + part * 5000 + b"--b--\r\n",
        "deep parts": header + deep + b"\r\n" + move,
        "deep mails": header + nested + b"\r\n" + move,
        "no boundary": header + b"Content-Type: multipart/mixed\r\n\r\n" + part,
        "empty boundary": header + b'Content-Type: multipart/mixed; boundary=""\r\n\r\n' + part,
        "long boundary": header + b'Content-Type: multipart/mixed; boundary="' + b"b" * 9000 + b'"\r\n\r\n' + part,
        "boundary of blanks": header + b'Content-Type: multipart/mixed; boundary="   "\r\n\r\n' + part,
        "boundaries alone": header + mixed + b"--b\r\n" * 100_000,
        "no closing boundary": header + mixed + part,
        "same boundary inside": header + mixed + b"--b\r\n" + mixed + part,
        "partial": header + b'Content-Type: message/partial; id="x"; number=1; total=2\r\n\r\n' + move,
        "external body": header + b'Content-Type: message/external-body; access-type="URL"\r\n\r\n' + move,
        "delivery status": header + b"Content-Type: message/delivery-status\r\n\r\n" + move,
        "alternative of nothing": header + b'Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b--\r\n',
        "unknown charset": header + b"Content-Type: text/plain; charset=klingon\r\n\r\n" + move,
        "charset of codecs": header + b"Content-Type: text/plain; charset=zlib\r\n\r\n" + move,
        "charset hex": header + b"Content-Type: text/plain; charset=hex\r\n\r\n" + move,
        "charset idna": header + b"Content-Type: text/plain; charset=idna\r\n\r\n" + move * 9000,
        "charset utf-7": header + b"Content-Type: text/plain; charset=utf-7\r\n\r\n+AEM-4-D1",
        "charset with a null": header + b"Content-Type: text/plain; charset=a\0b\r\n\r\n" + move,
        "unknown encoding": header + b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 x\r\n" + move,
        "broken base64": header + b"Content-Transfer-Encoding: base64\r\n\r\n!QzQt=RDE" + move,
        "broken quoted-printable": header + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n=ZZ=\0=" + move,
        "quoted-printable of equals": header + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=" * 500_000,
        "null bytes": header + b"\r\n" + b"\0" * 100_000 + move,
        "nulls in the move": header + b"\r\n" + b"\0".join(bytes([letter]) for letter in move),
        "all bytes": header + b"\r\n" + bytes(range(256)) * 100 + move,
        "one long line": header + b"\r\n" + b"a" * 900_000,
        "line of blanks": header + b"\r\n" + b" " * 900_000 + move,
        "line of tabs": header + b"\r\n" + b"\t" * 900_000 + b"x",
        "empty lines": header + b"\r\n" + b"\r\n" * 400_000 + move,
        "bare carriage returns": header + b"\r\n" + b"\r" * 100_000 + move,
        "quotation marks": header + b"\r\n" + b">" * 400_000 + move,
        "quotations": header + b"\r\n" + b"> x\r\n" * 150_000 + move,
        "attributions": header + b"\r\n" + b"On Monday x wrote:\r\n" * 30_000 + move,
        "half attributions": header + b"\r\n" + b"On " * 250_000 + move,
        "signatures": header + b"\r\n" + b"-- \r\n" * 150_000 + move,
        "dashes": header + b"\r\n" + b"-" * 500_000 + move,
        "moves": header + b"\r\n" + (move + b"\r\n") * 100_000,
        "orders": header + b"\r\n" + move + b"=" + b"H5," * 200_000,
        "digits": header + b"\r\n" + b"9" * 500_000 + b" " + move,
        "vacation of digits": header + b"\r\n\r\nvacation until " + b"9" * 100_000,
        "combining marks": header + b"\r\n\r\nC" + "\u0301".encode() * 200_000 + b"4-D1",
        "html": header + b"Content-Type: text/html\r\n\r\n" + b"<div>" * 100_000 + move,
        "html without ends": header + b"Content-Type: text/html\r\n\r\n" + b"<" * 500_000,
        "html of entities": header + b"Content-Type: text/html\r\n\r\n" + b"&#x43;" * 100_000,
        "html declarations": header + b"Content-Type: text/html\r\n\r\n" + b"<![" * 100_000,
        "html comments": header + b"Content-Type: text/html\r\n\r\n" + b"<!--" * 100_000,
        "html script": header + b"Content-Type: text/html\r\n\r\n<script>" + move + b"</script>" * 50_000,
        "html quotations": header + b"Content-Type: text/html\r\n\r\n" + b"<blockquote>" * 50_000 + move,
        "zip": header + b"Content-Type: application/zip\r\nContent-Disposition: attachment\r\n\r\nPK\x03\x04" + move,
        "move as a file": header + mixed + b"--b\r\nContent-Disposition: attachment; filename=x.txt\r\n\r\n" + move,
        "parameters": header + b"Content-Type: text/plain" + b"; a=b" * 10_000 + b"\r\n\r\n" + move,
        "continued parameters": header
        + b"Content-Type: text/plain"
        + b"".join(b"; name*%d*=utf-8''%%41" % number for number in range(2000))
        + b"\r\n"
        + move,
        "encoded words": header + b"Subject: " + b"=?utf-8?q?=41?= " * 5000 + b"\r\n\r\n" + move,
        "broken encoded words": header + b"Subject: " + b"=?" * 30_000 + b"\r\n\r\n" + move,
        "nested comments": header + b"Cc: " + b"(" * 30_000 + b"\r\n\r\n" + move,
        "many recipients": header + b"Cc: " + b"x@example.com, " * 6_000 + b"\r\n\r\n" + move,
        "many fields": header + b"X: y\r\n" * 100_000 + b"\r\n" + move,
        "many from": header + b"From: alice@example.com\r\n" * 3000 + b"\r\n" + move,
        "long field": header + b"X: " + b"y" * 900_000 + b"\r\n\r\n" + move,
        "folded field": header + b"X: y\r\n" + b" \r\n" * 250_000 + b"\r\n" + move,
        "long message-id": header + b"Message-ID: <" + b"x" * 90_000 + b">\r\n\r\n" + move,
        "references": header + b"References: " + b"<x@y> " * 15_000 + b"\r\n\r\n" + move,
        "many signatures": b"DKIM-Signature: v=1; d=example.com; a=rsa-sha256; s=s1; h=from; b=AA; bh=AA\r\n" * 400
        + header
        + b"\r\n"
        + move,
        "broken signatures": b"DKIM-Signature: ;;;=;=\r\nDKIM-Signature: v\r\nDKIM-Signature:\r\n" * 100
        + header
        + b"\r\n"
        + move,
        "signature of blanks": b"DKIM-Signature: b=" + b"\r\n " * 30_000 + b"\r\n" + header + b"\r\n" + move,
        "report without end": b"Authentication-Results: "
        b"mx.clans.example.net"
        b"; dkim=pass " + b"(" * 50_000 + b"\r\n" + header + b"\r\n" + move,
        "too large": header + b"\r\n" + b"x\r\n" * 500_000 + move,
        "nothing at all": b"",
        "a dot": b".\r\n",
        "line ends": b"\r\n" * 1000,
        "nulls": b"\0" * 1000,
        "noise": bytes(range(256)) * 1000,
        "a page": b"GET / HTTP/1.1\r\nHost: clans.example.net\r\n\r\n",
    }
